import type { FastifyInstance, FastifyReply } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import { faultOf } from '../../core/fault-hooks.ts'
import type { World } from '../../core/world.ts'
import { readCaller, readObject } from '../ads-caller.ts'
import { requireAccept, requireMedia } from '../media-types.ts'
import type { SignedLinks } from '../reports/signed-links.ts'
import { checkedLink, storageError } from '../reports/storage.ts'
import type { Export, ExportService } from './export-service.ts'
import { exportFailure, exportKinds, readExportFilters } from './export-request.ts'

const filePath = ({ folder, exportId }: Export): string => `/s3/snapshots/${folder}/${exportId}`

function toWire(world: World, service: ExportService, links: SignedLinks, one: Export): object {
  const status = service.status(one)
  const base = { exportId: one.exportId, status, createdAt: new Date(one.createdAt).toISOString() }
  if (status === 'FAILED') return { ...base, error: { errorCode: 'INTERNAL_ERROR', message: 'The export has failed' } }
  if (status === 'PROCESSING') return base
  const link = links.sign(filePath(one), world.clock.now())
  return {
    ...base,
    url: world.config.publicUrl + link.target,
    fileSize: Buffer.from(one.file, 'base64').length,
    urlExpiresAt: link.expiresAt.toISOString(),
    generatedAt: new Date(one.readyAt).toISOString(),
  }
}

/** `POST /{campaigns,adGroups,ads,targets}/export` and `GET /exports/:id`: the structure of an account as a file. */
export function registerExports(
  app: FastifyInstance,
  world: World,
  region: RegionKey,
  service: ExportService,
  links: SignedLinks,
): void {
  for (const kind of exportKinds)
    app.post(kind.path, async (request, reply) => {
      const caller = readCaller(request, world, region)
      requireMedia(request, { takes: [kind.media], refusal: 406 })
      const fate = faultOf(request, 'report-stuck') ? 'stuck' : faultOf(request, 'report-failed') ? 'failed' : 'normal'
      const opened = await service.open(caller, kind, readExportFilters(kind, readObject(request)), fate)
      return reply
        .code(202)
        .type(kind.media)
        .send(JSON.stringify({ exportId: opened.exportId, status: service.status(opened) }))
    })

  app.get('/exports/:exportId', (request, reply) => {
    const { profile } = readCaller(request, world, region)
    const found = service.find((request.params as { exportId: string }).exportId)
    if (found?.profileId !== profile.profileId) throw exportFailure(404, 'The export was not found')
    requireAccept(request, [found.media], 406)
    return reply.type(found.media).send(JSON.stringify(toWire(world, service, links, found)))
  })
}

/** The storage of exports: a signed link that expires, and no other credentials. */
export function registerExportFiles(
  app: FastifyInstance,
  world: World,
  service: ExportService,
  links: SignedLinks,
): void {
  app.get('/s3/snapshots/:folder/:exportId', (request, reply): FastifyReply => {
    const refused = checkedLink(request, reply, links, world.clock.now())
    if (refused) return refused
    const found = service.find((request.params as { exportId: string }).exportId)
    if (!found) return storageError(reply, 404, 'NoSuchKey', 'The specified key does not exist.')
    return reply.type('application/octet-stream').send(Buffer.from(found.file, 'base64'))
  })
}
