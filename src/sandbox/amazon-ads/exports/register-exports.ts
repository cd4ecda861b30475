import type { FastifyInstance } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { World } from '../../core/world.ts'
import { readCaller, readObject } from '../ads-caller.ts'
import { requireAccept, requireMedia } from '../media-types.ts'
import { fateOf } from '../reports/file-orders.ts'
import { type ExportedKind, exportedKinds } from './common-models.ts'
import { type Export, exportFailure, type ExportService } from './export-service.ts'

const mediaOf = (kind: ExportedKind): string => `application/vnd.${kind.toLowerCase()}export.v1+json`
const folders: Record<ExportedKind, string> = {
  campaigns: 'CAMPAIGN',
  adGroups: 'AD_GROUP',
  ads: 'PRODUCT_AD',
  targets: 'TARGET',
}

function toWire(service: ExportService, one: Export): object {
  const status = service.statusOf(one)
  const base = { exportId: one.id, status, createdAt: new Date(one.createdAt).toISOString() }
  if (status === 'FAILED') return { ...base, error: { errorCode: 'INTERNAL_ERROR', message: 'The export has failed' } }
  if (status !== 'COMPLETED') return { ...base, status: 'PROCESSING' }
  const { url, urlExpiresAt } = service.linkTo(`/s3/snapshots/${folders[one.kind]}/${one.id}`)
  const fileSize = Buffer.from(one.file, 'base64').length
  return { ...base, url, fileSize, urlExpiresAt, generatedAt: service.generatedAt(one).toISOString() }
}

/** `POST /{campaigns,adGroups,ads,targets}/export` and `GET /exports/:id`: the structure of an account as a file. */
export function registerExports(app: FastifyInstance, world: World, region: RegionKey, service: ExportService): void {
  for (const kind of exportedKinds)
    app.post(`/${kind}/export`, async (request, reply) => {
      const caller = readCaller(request, world, region)
      requireMedia(request, { takes: [mediaOf(kind)], refusal: 406 })
      const { id } = await service.open(caller, kind, readObject(request), fateOf(request))
      return reply
        .code(202)
        .type(mediaOf(kind))
        .send(JSON.stringify({ exportId: id, status: 'PROCESSING' }))
    })

  app.get('/exports/:exportId', (request, reply) => {
    const { profile } = readCaller(request, world, region)
    const found = service.find((request.params as { exportId: string }).exportId)
    if (found?.profileId !== profile.profileId) throw exportFailure(404, 'The export was not found')
    requireAccept(request, [mediaOf(found.kind)], 406)
    return reply.type(mediaOf(found.kind)).send(JSON.stringify(toWire(service, found)))
  })
}

/** The storage of exports. */
export function registerExportFiles(app: FastifyInstance, service: ExportService): void {
  service.serve(app, '/s3/snapshots/:folder/:exportId', ({ exportId = '' }) => {
    const found = service.find(exportId)
    return found && Promise.resolve(Buffer.from(found.file, 'base64'))
  })
}
