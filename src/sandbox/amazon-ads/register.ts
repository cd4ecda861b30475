import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { regions } from '#shared/marketplaces.ts'
import { onlyWithToken } from '../core/control-token.ts'
import { newRequestId } from '../core/new-id.ts'
import type { World } from '../core/world.ts'
import { adsErrorWording, handleFailures } from './ads-errors.ts'
import { ExportService } from './exports/export-service.ts'
import { registerExportFiles, registerExports } from './exports/register-exports.ts'
import { calls } from './product-calls.ts'
import { registerCalls } from './calls.ts'
import { ChangeLog } from './history/change-log.ts'
import { registerHistory } from './history/register-history.ts'
import { createCallLimits } from './limits/call-limits.ts'
import { registerProfiles } from './profiles.ts'
import { registerTestAccounts } from './test-accounts.ts'
import { registerReportFiles, registerReports } from './reports/register-reports.ts'
import { ReportService } from './reports/report-service.ts'
import { registerQueue } from './stream/register-queue.ts'
import { registerSubscriptions } from './stream/register-subscriptions.ts'
import { StreamService } from './stream/stream-service.ts'

/** The advertising API under `/ads/{na,eu,fe}` (each region's host serves only its own profiles), its files and its queue. */
export async function registerAmazonAds(app: FastifyInstance, world: World): Promise<void> {
  const service = new ReportService(world)
  const exports = new ExportService(world)
  const log = new ChangeLog(world)
  const stream = new StreamService(world)
  const limits = createCallLimits(world)
  world.errorWordings.set('ads', adsErrorWording(world))
  await app.register(async scope => handleFailures(scope), { prefix: '/ads' })
  for (const { key } of regions)
    await app.register(
      async scope => {
        handleFailures(scope)
        limits.guard(scope)
        // Bodies come in a media type of their own for each resource; each call checks which, then parses.
        scope.removeAllContentTypeParsers()
        scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
        // Of a repeated parameter the first counts.
        scope.addHook('preValidation', async request => {
          const query = request.query as Record<string, unknown>
          for (const [name, value] of Object.entries(query)) if (Array.isArray(value)) query[name] = value[0]
        })
        scope.addHook('onRequest', async (_request, reply) => {
          void reply.headers({ 'x-amz-rid': newRequestId(), 'x-amzn-requestid': randomUUID() })
        })
        registerProfiles(scope, world, key)
        registerTestAccounts(scope, world)
        registerCalls(scope, world, key, calls)
        registerReports(scope, world, key, service)
        registerExports(scope, world, key, exports)
        registerHistory(scope, world, key, log)
        registerSubscriptions(scope, world, key, stream)
      },
      { prefix: `/ads/${key.toLowerCase()}` },
    )
  registerReportFiles(app, service)
  registerExportFiles(app, exports)
  registerReportSpeed(app, world, service)
  limits.registerControl(app)
  await app.register(async scope => registerQueue(scope, world, stream))
}

const speed = z.strictObject({ pendingMs: z.int().min(0), processingMs: z.int().min(0) })

/** `POST /control/reports`: how long reports take from now on, in the world's time. */
function registerReportSpeed(app: FastifyInstance, world: World, service: ReportService): void {
  app.post('/control/reports', { onRequest: onlyWithToken(world) }, (request, reply) => {
    const parsed = speed.safeParse(request.body)
    if (!parsed.success) return reply.code(400).send({ error: z.prettifyError(parsed.error) })
    service.speed = parsed.data
    return service.speed
  })
}
