import { AdsFailure } from '../ads-failure.ts'
import { adGroupModels } from './models/ad-group-model.ts'
import { adModels } from './models/ad-model.ts'
import { campaignModels } from './models/campaign-model.ts'
import type { CommonModel, ModelContext } from './models/export-context.ts'
import { targetModels } from './models/target-model.ts'

/** What can be exported: its path, media type, folder of the storage, letter at the end of its ids, and its contents. */
export interface ExportKind {
  path: string
  media: string
  folder: string
  letter: string
  models(context: ModelContext): CommonModel[]
}

export const exportKinds: readonly ExportKind[] = [
  {
    path: '/campaigns/export',
    media: 'application/vnd.campaignsexport.v1+json',
    folder: 'CAMPAIGN',
    letter: 'C',
    models: campaignModels,
  },
  {
    path: '/adGroups/export',
    media: 'application/vnd.adgroupsexport.v1+json',
    folder: 'AD_GROUP',
    letter: 'A',
    models: adGroupModels,
  },
  {
    path: '/ads/export',
    media: 'application/vnd.adsexport.v1+json',
    folder: 'PRODUCT_AD',
    letter: 'R',
    models: adModels,
  },
  {
    path: '/targets/export',
    media: 'application/vnd.targetsexport.v1+json',
    folder: 'TARGET',
    letter: 'T',
    models: targetModels,
  },
]

/** Fields of an entity with the values that an export keeps, as asked for or by default. */
export type ExportFilters = Record<string, readonly unknown[]>

interface Filter {
  field: string
  allowed: readonly unknown[]
  standard: readonly unknown[]
}

const all = (field: string, ...values: readonly unknown[]): Filter => ({ field, allowed: values, standard: values })

const states: Filter = {
  field: 'state',
  allowed: ['ARCHIVED', 'ENABLED', 'PAUSED'],
  standard: ['ENABLED', 'PAUSED'],
}
const common: Record<string, Filter> = {
  adProductFilter: all('adProduct', 'SPONSORED_BRANDS', 'SPONSORED_DISPLAY', 'SPONSORED_PRODUCTS'),
  stateFilter: states,
}
const targetTypes =
  'AUDIENCE AUTO KEYWORD PRODUCT PRODUCT_AUDIENCE PRODUCT_CATEGORY PRODUCT_CATEGORY_AUDIENCE THEME'.split(' ')
const ofTargets: Record<string, Filter> = {
  ...common,
  negativeFilter: all('negative', false, true),
  targetLevelFilter: all('level', 'AD_GROUP', 'CAMPAIGN'),
  targetTypeFilter: all('targetType', ...targetTypes),
}

/** As exports refuse. */
export const exportFailure = (status: number, message: string): AdsFailure => new AdsFailure(status, { message })

/** The filters of a request, each a list of known values. Throws 400. */
export function readExportFilters(kind: ExportKind, body: Record<string, unknown>): ExportFilters {
  const filters: ExportFilters = {}
  for (const [name, { field, allowed, standard }] of Object.entries(kind.folder === 'TARGET' ? ofTargets : common)) {
    const requested = body[name] ?? standard
    if (!Array.isArray(requested) || requested.length === 0 || requested.length > allowed.length)
      throw exportFailure(400, `${name} must be a list of 1 to ${allowed.length} values`)
    const wrong = requested.find(value => !allowed.includes(value))
    if (wrong !== undefined) throw exportFailure(400, `${name} must be one of ${allowed.join(', ')}: ${String(wrong)}`)
    filters[field] = requested as unknown[]
  }
  return filters
}

/** Whether an entity is one that the filters keep. */
export function isKept(model: CommonModel, filters: ExportFilters): boolean {
  return Object.entries(filters).every(([field, values]) =>
    values.includes(field === 'level' ? ('adGroupId' in model ? 'AD_GROUP' : 'CAMPAIGN') : model[field]),
  )
}
