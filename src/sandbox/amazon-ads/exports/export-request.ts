import { AdsFailure } from '../ads-failure.ts'
import { adGroupModels, adModels } from './models/ad-model.ts'
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

function kind(path: string, folder: string, letter: string, models: ExportKind['models']): ExportKind {
  return {
    path: `/${path}/export`,
    media: `application/vnd.${path.toLowerCase()}export.v1+json`,
    folder,
    letter,
    models,
  }
}
export const exportKinds: readonly ExportKind[] = [
  kind('campaigns', 'CAMPAIGN', 'C', campaignModels),
  kind('adGroups', 'AD_GROUP', 'A', adGroupModels),
  kind('ads', 'PRODUCT_AD', 'R', adModels),
  kind('targets', 'TARGET', 'T', targetModels),
]

/** Fields of an entity with the values that an export includes, as requested or by default. */
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

/** An error of exports. */
export const exportFailure = (status: number, message: string): AdsFailure => new AdsFailure(status, { message })

/** The filters of a request, each a list of allowed values. Throws 400. */
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

/** Whether an entity passes the filters. */
export function isKept(model: CommonModel, filters: ExportFilters): boolean {
  return Object.entries(filters).every(([field, values]) =>
    values.includes(field === 'level' ? ('adGroupId' in model ? 'AD_GROUP' : 'CAMPAIGN') : model[field]),
  )
}
