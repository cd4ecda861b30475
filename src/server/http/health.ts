import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { AppError } from '#shared/errors.ts'
import type { Services } from '../context.ts'
import type { Db } from '../db/tables.ts'

/** A number of a feature's own for operators, read from the database when they look. */
export interface OperatorGauge {
  name: string
  help: string
  read(system: Db): Promise<number>
}

/** /healthz (the process runs), /readyz (it can serve) and /metrics (Prometheus), for requests from this machine only. */
export function registerHealth(
  app: FastifyInstance,
  services: Pick<Services, 'db' | 'jobs'>,
  gauges: readonly OperatorGauge[] = [],
) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Response time by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  const queues = new Gauge({
    name: 'jobs',
    help: 'Jobs by queue and state',
    labelNames: ['queue', 'state'],
    registers: [],
    async collect() {
      this.reset()
      // The other metrics must stay available while the database is not.
      for (const q of await services.jobs.state().catch(() => [])) {
        for (const [state, count] of Object.entries({ waiting: q.queued, active: q.active, failed: q.failed }))
          this.set({ queue: q.name, state }, count)
      }
    },
  })
  registry.registerMetric(queues)
  for (const { name, help, ...source } of gauges) {
    const gauge = new Gauge({
      name,
      help,
      registers: [],
      async collect() {
        const value = await source.read(services.db.system).catch(() => null)
        if (value !== null) this.set(value)
      },
    })
    registry.registerMetric(gauge)
  }
  app.addHook('onResponse', (request, reply, done) => {
    duration.observe(
      { method: request.method, route: request.routeOptions.url ?? 'none', status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    )
    done()
  })
  const localOnly = { onRequest: async (request: FastifyRequest) => requireLocal(request) }
  app.get('/healthz', localOnly, async () => ({ status: 'live' }))
  app.get('/readyz', localOnly, async (_request, reply) => {
    const ready = await services.db.ping()
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'database unreachable' })
  })
  app.get('/metrics', localOnly, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
}

function requireLocal(request: FastifyRequest) {
  const address = request.socket.remoteAddress ?? ''
  const forwarded = request.headers['x-forwarded-for'] !== undefined
  if (forwarded || !/^(127\.|::1$|::ffff:127\.)/.test(address))
    throw new AppError('NOT_FOUND', 'There is no such page.')
}
