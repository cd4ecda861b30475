import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { endWithSentence, onStop } from './lifecycle.ts'
import { openServices } from './open-services.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const { version } = JSON.parse(readFileSync(here('../../package.json'), 'utf8')) as { version: string }

try {
  const [services, { buildServer }, { gauges, routes }, { createAuthenticate }, managing] = await Promise.all([
    openServices(process.env, 'web'),
    import('#server/http/build-server.ts'),
    import('./api.ts'),
    import('./authenticate.ts'),
    import('#features/managing/server/public.ts'),
  ])
  const { config, log } = services
  const app = await buildServer({
    services,
    routes,
    authenticate: createAuthenticate(services),
    recordManagedCall: call => managing.recordManagedCall(services.db.system, call),
    ...(config.CLIENT === 'serve' && { staticRoot: here('../../dist/client') }),
    gauges,
    checkResponses: !config.production,
    version,
  })
  onStop(log, async () => {
    await app.close()
    await services.close(5000)
  })
  await app.listen({ host: config.HOST, port: config.PORT })
  if (config.JOBS === 'inline') await services.jobs.work(services)
  const address = app.server.address()
  const port = typeof address === 'object' && address ? address.port : config.PORT
  log.info({ port, database: services.db.kind }, 'ready')
  process.send?.({ ready: true, port })
} catch (error) {
  endWithSentence(error)
}
