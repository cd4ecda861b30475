import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import type { World } from '../../core/world.ts'
import { AdsFailure } from '../ads-failure.ts'
import type { AdsCaller } from '../ads-caller.ts'
import type { Call } from '../calls.ts'
import { requireAccept, vendorType } from '../media-types.ts'
import { type FileOrder, FileOrders, fateOf } from '../reports/file-orders.ts'
import { type CommonModel, type ExportedKind, exportedKinds, modelsOf } from './common-models.ts'

interface Export extends FileOrder {
  kind: ExportedKind
  /** The gzipped file in base 64: the structure when the export was requested. */
  file: string
}

const TAKES_MS = 1000
/** Links are available for a day after completion. */
const RETENTION_MS = 24 * 3_600_000

const targetTypes =
  'AUDIENCE AUTO KEYWORD PRODUCT PRODUCT_AUDIENCE PRODUCT_CATEGORY PRODUCT_CATEGORY_AUDIENCE THEME'.split(' ')

interface Filter {
  field: string
  allowed: readonly unknown[]
  standard?: readonly unknown[]
}
const commonFilters: Record<string, Filter> = {
  adProductFilter: { field: 'adProduct', allowed: ['SPONSORED_BRANDS', 'SPONSORED_DISPLAY', 'SPONSORED_PRODUCTS'] },
  stateFilter: { field: 'state', allowed: ['ARCHIVED', 'ENABLED', 'PAUSED'], standard: ['ENABLED', 'PAUSED'] },
}
const targetFilters: Record<string, Filter> = {
  ...commonFilters,
  negativeFilter: { field: 'negative', allowed: [false, true] },
  targetLevelFilter: { field: 'level', allowed: ['AD_GROUP', 'CAMPAIGN'] },
  targetTypeFilter: { field: 'targetType', allowed: targetTypes },
}

const exportFailure = (status: number, message: string): AdsFailure => new AdsFailure(status, { message })

/** Whether an entity is in the export that a body requests. Throws 400. */
function readFilters(kind: ExportedKind, body: Record<string, unknown>): (model: CommonModel) => boolean {
  const filters = Object.entries(kind === 'targets' ? targetFilters : commonFilters).map(
    ([name, { field, allowed, standard = allowed }]) => {
      const requested = body[name] ?? standard
      if (!Array.isArray(requested) || requested.length === 0 || requested.length > allowed.length)
        throw exportFailure(400, `${name} must be a list of 1 to ${allowed.length} values`)
      const wrong = requested.find(value => !allowed.includes(value))
      if (wrong !== undefined)
        throw exportFailure(400, `${name} must be one of ${allowed.join(', ')}: ${String(wrong)}`)
      return { field, values: requested as unknown[] }
    },
  )
  return model =>
    filters.every(({ field, values }) =>
      values.includes(field === 'level' ? ('adGroupId' in model ? 'AD_GROUP' : 'CAMPAIGN') : model[field]),
    )
}

/** Letter at the end of the ids of a kind's exports, and the folder of their files. */
const names: Record<ExportedKind, [letter: string, folder: string]> = {
  campaigns: ['C', 'CAMPAIGN'],
  adGroups: ['A', 'AD_GROUP'],
  ads: ['R', 'PRODUCT_AD'],
  targets: ['T', 'TARGET'],
}

const mediaOf = (kind: ExportedKind): string => vendorType(`${kind.toLowerCase()}export`, 'v1')

/** `POST /{campaigns,adGroups,ads,targets}/export` and `GET /exports/:id`: the structure as it was when it was requested. */
export class ExportService extends FileOrders<Export> {
  readonly calls: readonly Call[] = [
    ...exportedKinds.map((kind): Call => {
      const type = mediaOf(kind)
      return {
        path: `/${kind}/export`,
        media: { takes: [type], refusal: 406 },
        status: 202,
        type,
        answer: async (caller, body, { request }) => {
          const { id } = await this.open(caller, kind, body, fateOf(request))
          return { exportId: id, status: 'PROCESSING' }
        },
      }
    }),
    {
      method: 'GET',
      path: '/exports/:exportId',
      answer: ({ profile }, _body, { request, reply, params }) => {
        const found = this.find(params.exportId ?? '')
        if (found?.profileId !== profile.profileId) throw exportFailure(404, 'The export was not found')
        requireAccept(request, [mediaOf(found.kind)], 406)
        void reply.type(mediaOf(found.kind))
        return this.toWire(found)
      },
    },
  ]

  constructor(world: World) {
    super(world, 'exports', RETENTION_MS)
  }

  registerFiles(app: FastifyInstance): void {
    this.serve(app, '/s3/snapshots/:folder/:exportId', ({ exportId = '' }) => {
      const found = this.find(exportId)
      return found && Promise.resolve(Buffer.from(found.file, 'base64'))
    })
  }

  override find(id: string): Export | null {
    const found = super.find(id)
    return found && this.now() <= this.generatedAt(found).getTime() + RETENTION_MS ? found : null
  }

  /** Throws 400 when the body's filters are wrong. */
  private async open(
    caller: AdsCaller,
    kind: ExportedKind,
    body: Record<string, unknown>,
    fate: Export['fate'],
  ): Promise<Export> {
    const models = modelsOf(caller, kind).filter(readFilters(kind, body))
    const compressed = await promisify(gzip)(JSON.stringify(models))
    return this.add({
      id: Buffer.from(`${randomUUID()},${names[kind][0]}`).toString('base64url'),
      profileId: caller.profile.profileId,
      kind,
      createdAt: caller.now.getTime(),
      pendingMs: 0,
      processingMs: TAKES_MS,
      fate,
      file: compressed.toString('base64'),
    })
  }

  private toWire(one: Export): object {
    const status = this.statusOf(one)
    const base = { exportId: one.id, status, createdAt: new Date(one.createdAt).toISOString() }
    if (status === 'FAILED')
      return { ...base, error: { errorCode: 'INTERNAL_ERROR', message: 'The export has failed' } }
    if (status !== 'COMPLETED') return { ...base, status: 'PROCESSING' }
    const { url, urlExpiresAt } = this.linkTo(`/s3/snapshots/${names[one.kind][1]}/${one.id}`)
    const fileSize = Buffer.from(one.file, 'base64').length
    return { ...base, url, fileSize, urlExpiresAt, generatedAt: this.generatedAt(one).toISOString() }
  }
}
