import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { AppError } from '#shared/errors.ts'
import type { Services } from '../context.ts'

/** /healthz (the process lives), /readyz (it can serve) and /metrics (Prometheus), on the local interface only. */
export function registerHealth(app: FastifyInstance, services: Pick<Services, 'db' | 'jobs'>) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  const queue = new Gauge({
    name: 'jobs',
    help: 'Jobs by queue and state',
    labelNames: ['queue', 'state'],
    registers: [registry],
    async collect() {
      this.reset()
      // The process has figures of its own to show while the database is away.
      for (const q of await services.jobs.state().catch(() => [])) {
        this.set({ queue: q.name, state: 'waiting' }, q.queued)
        this.set({ queue: q.name, state: 'active' }, q.active)
        this.set({ queue: q.name, state: 'failed' }, q.failed)
      }
    },
  })
  registry.registerMetric(queue)
  app.addHook('onResponse', async (request, reply) => {
    duration.observe(
      { method: request.method, route: request.routeOptions.url ?? 'none', status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    )
  })
  const local = { onRequest: async (request: FastifyRequest) => localOnly(request) }
  app.get('/healthz', local, async () => ({ status: 'live' }))
  app.get('/readyz', local, async (_request, reply) => {
    const ready = await services.db.ping()
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'database unreachable' })
  })
  app.get('/metrics', local, async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()))
}

function localOnly(request: FastifyRequest) {
  const address = request.socket.remoteAddress ?? ''
  const forwarded = request.headers['x-forwarded-for'] !== undefined
  if (forwarded || !/^(127\.|::1$|::ffff:127\.)/.test(address))
    throw new AppError('NOT_FOUND', 'There is no such page.')
}
