import compress from '@fastify/compress'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { fastifySSE } from '@fastify/sse'
import { buildHeader, newestBuildHeader } from '#shared/contract-revision.ts'
import { AppError, type Problem } from '#shared/errors.ts'
import type { Log } from '../log/log.ts'
import { registerClientFiles, securityHeaders } from './client-files.ts'
import { registerEventStream } from './event-stream.ts'
import { registerHealth } from './health.ts'
import { mountRoutes } from './mount-routes.ts'
import type { ServerOptions } from './route.ts'
import { sendProblem } from './send-problem.ts'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The HTTP server, not yet listening. `close` lets running requests finish and rejects new ones. */
export async function buildServer(options: ServerOptions): Promise<FastifyInstance> {
  const { services, requestTimeoutMs = 30_000 } = options
  const { config } = services
  const app = Fastify({
    loggerInstance: services.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request costs more than a cached answer; lines name the request themselves.
    childLoggerFactory: logger => logger,
    // For requests that no endpoint handles.
    bodyLimit: 16 * 1024,
    trustProxy: config.TRUST_PROXY ?? false,
    // A client that sends its request byte by byte must not hold a connection for minutes.
    requestTimeout: requestTimeoutMs,
    http: {
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs / 2,
      connectionsCheckingInterval: Math.min(1000, requestTimeoutMs / 4),
    },
    clientErrorHandler: (error, socket) => endUnreadable(error, socket),
    genReqId: () => randomUUID(),
    // An invalid URL, or one with too long a parameter.
    frameworkErrors: (error, request, reply) => sendProblem(request, reply, error),
    routerOptions: { maxParamLength: 500 },
    return503OnClosing: true,
    forceCloseConnections: 'idle',
  })
  closeConnectionsWhileClosing(app)
  logRequests(app, services.log)
  app.setErrorHandler((error, request, reply) => sendProblem(request, reply, error))
  const headers = securityHeaders(config)
  app.addHook('onRequest', (_request, reply, done) => {
    for (const [name, value] of headers) reply.raw.setHeader(name, value)
    done()
  })
  await app.register(rateLimit, {
    max: 600,
    timeWindow: '1 minute',
    // Calls count, files do not: a first visit loads the whole app, and an office shares one address. Decided by the route,
    // because a URL can be written in more than one way.
    allowList: request => !request.routeOptions.url?.startsWith('/api/'),
    errorResponseBuilder: (_request, context) =>
      new AppError('RATE_LIMITED', 'Too many requests. Please wait a moment.', {
        retryAfterSeconds: context.ttl / 1000,
      }),
  })
  await app.register(fastifySSE, { heartbeatInterval: 15_000 })
  registerHealth(app, services, options.gauges)
  await app.register(
    async api => {
      // Tells clients the product's time, because their own clocks may be wrong.
      api.addHook('onRequest', (_request, reply, done) => {
        reply.header('date', services.clock.now().toUTCString())
        done()
      })
      if (options.staticRoot) nameNewestBuild(api, options.staticRoot)
      // Answers are mostly names of fields. In one go where that takes about a millisecond: a stream takes twice the processor
      // time. Requests are not unpacked: a small one could become gigabytes.
      await api.register(compress, { encodings: ['br', 'gzip'], syncThreshold: 100_000, globalDecompression: false })
      mountRoutes(api, options)
      registerEventStream(api, options)
      registerDocument(api, options)
      registerUnknownCalls(api)
    },
    { prefix: '/api' },
  )
  if (options.staticRoot) await registerClientFiles(app, options.staticRoot, config)
  return app
}

// The client sent no valid request, or not all of it in time. There is nothing to route, only a socket to answer on.
function endUnreadable(error: NodeJS.ErrnoException, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
  const isTimeout = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const isTooLong = error.code === 'HPE_HEADER_OVERFLOW'
  const [status, message] = isTimeout
    ? ['408 Request Timeout', 'The request took too long to arrive.']
    : isTooLong
      ? ['431 Request Header Fields Too Large', 'The headers of the request are too large.']
      : ['400 Bad Request', 'The request cannot be read.']
  const problem: Problem = { errorCode: 'VALIDATION_FAILED', message, details: [], requestId: randomUUID() }
  const body = JSON.stringify(problem)
  const head = [`HTTP/1.1 ${status}`, 'Content-Type: application/json', 'Cache-Control: no-store', 'Connection: close']
  socket.end(`${head.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  // A client that keeps sending would keep the connection half open.
  setTimeout(() => socket.destroy(), 1000).unref()
}

// Without these routes, the route of the static files would answer unknown calls with the page. They answer before the
// body is read, whatever its media type is.
function registerUnknownCalls(api: FastifyInstance) {
  const reject = async () => {
    throw new AppError('NOT_FOUND', 'There is no such call.')
  }
  for (const url of ['/', '/*']) api.all(url, { preParsing: reject }, reject)
  api.setNotFoundHandler({ preValidation: reject }, reject)
}

// Only clients that name their build get an answer to it. A client that is not from a build has no newer one to load.
function nameNewestBuild(api: FastifyInstance, root: string) {
  const file = join(root, 'version.json')
  if (!existsSync(file)) return
  const { build } = JSON.parse(readFileSync(file, 'utf8')) as { build: string }
  api.addHook('onRequest', (request, reply, done) => {
    const named = request.headers[buildHeader]
    if (typeof named === 'string' && !named.endsWith(`-${build}`) && !named.endsWith('-dev'))
      reply.header(newestBuildHeader, build)
    done()
  })
}

// Generated at the first request: few need it, and every start would have to wait for it.
function registerDocument(app: FastifyInstance, { routes, version }: ServerOptions) {
  let document: Promise<object> | undefined
  app.get('/openapi.json', () => {
    const endpoints = routes.map(route => route.endpoint)
    document ??= import('./openapi.ts').then(({ openapi }) => openapi(endpoints, { title: 'Tideline', version }))
    return document
  })
}

// Otherwise a keep-alive connection with a running request would keep the server open for a minute.
function closeConnectionsWhileClosing(app: FastifyInstance) {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) reply.header('connection', 'close')
    done()
  })
}

function logRequests(app: FastifyInstance, log: Log) {
  // These fields contain no secrets, and redacting them would take longer than a small answer.
  const lines = log.child({}, { redact: [] })
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { id: requestId, method, url } = request
    // A token in a path is a secret.
    const pattern = request.routeOptions.url
    const path = pattern?.includes(':token') ? pattern : url.split('?')[0]
    lines.info({ requestId, method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'request')
    done()
  })
}
