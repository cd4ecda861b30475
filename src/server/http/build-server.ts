import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import { fastifySSE } from '@fastify/sse'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { AppError, type Problem } from '#shared/errors.ts'
import type { Log } from '../log/log.ts'
import { registerEventStream } from './event-stream.ts'
import { registerHealth } from './health.ts'
import { mountRoutes } from './mount-routes.ts'
import { sendProblem } from './problem.ts'
import type { ServerOptions } from './server-options.ts'
import { registerStatic } from './static-files.ts'

/** The HTTP server, not yet listening. Its `close` lets running requests end and tells new ones to go elsewhere. */
export async function buildServer(options: ServerOptions): Promise<FastifyInstance> {
  const { services, requestTimeoutMs = 30_000 } = options
  const { config } = services
  const app = Fastify({
    loggerInstance: services.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // Of what is no endpoint's own.
    bodyLimit: 16 * 1024,
    trustProxy: config.TRUST_PROXY ?? false,
    // A client that sends a request byte by byte must not hold a connection for minutes.
    requestTimeout: requestTimeoutMs,
    http: {
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs / 2,
      connectionsCheckingInterval: Math.min(1000, requestTimeoutMs / 4),
    },
    clientErrorHandler: (error, socket) => endUnreadable(error, socket),
    genReqId: () => randomUUID(),
    // An address that cannot be read, or a name in it that is too long.
    frameworkErrors: (error, request, reply) => sendProblem(request, reply, error),
    routerOptions: { maxParamLength: 500 },
    return503OnClosing: true,
    forceCloseConnections: 'idle',
  })
  closeConnectionsWhileClosing(app)
  logRequests(app, services.log)
  app.setErrorHandler((error, request, reply) => sendProblem(request, reply, error))
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: contentSecurity(config.IMAGE_HOSTS) },
    ...headers(config.publicUrl),
  })
  await app.register(rateLimit, {
    max: 600,
    timeWindow: '1 minute',
    // Calls are counted, files are not: a first visit keeps the whole app on the device, and an office shares one address.
    // By its route and not by its address, which can be written in more than one way.
    allowList: request => !request.routeOptions.url?.startsWith('/api/'),
    errorResponseBuilder: (_request, context) =>
      new AppError('RATE_LIMITED', 'Too many requests. Please wait a moment.', {
        retryAfterSeconds: context.ttl / 1000,
      }),
  })
  await app.register(fastifySSE, { heartbeatInterval: 15_000 })
  registerHealth(app, services)
  await app.register(
    async api => {
      // By this a client knows which day it is here, whatever its own clock says.
      api.addHook('onRequest', async (_request, reply) => {
        reply.header('date', services.clock.now().toUTCString())
      })
      mountRoutes(api, options)
      registerEventStream(api, options)
      registerDocument(api, options)
      registerUnknownCalls(api)
    },
    { prefix: '/api' },
  )
  if (options.staticRoot) await registerStatic(app, options.staticRoot)
  return app
}

// What came was no request, or not all of one in time: there is nothing to route, only a socket to answer on.
function endUnreadable(error: NodeJS.ErrnoException, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const isLong = error.code === 'HPE_HEADER_OVERFLOW'
  const [status, message] = isLate
    ? ['408 Request Timeout', 'The request took too long to arrive.']
    : isLong
      ? ['431 Request Header Fields Too Large', 'The headers of the request are too large.']
      : ['400 Bad Request', 'The request cannot be read.']
  const problem: Problem = { errorCode: 'VALIDATION_FAILED', message, details: [], requestId: randomUUID() }
  const body = JSON.stringify(problem)
  const head = [`HTTP/1.1 ${status}`, 'Content-Type: application/json', 'Cache-Control: no-store', 'Connection: close']
  socket.end(`${head.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  // A client that goes on sending would keep its half open.
  setTimeout(() => socket.destroy(), 1000).unref()
}

// Routes of their own, or the files' route would take these addresses and answer with the page. Before the body is read:
// of what media type it is does not matter here.
function registerUnknownCalls(api: FastifyInstance) {
  const refuse = async () => {
    throw new AppError('NOT_FOUND', 'There is no such call.')
  }
  for (const url of ['/', '/*']) api.all(url, { preParsing: refuse }, refuse)
  api.setNotFoundHandler({ preValidation: refuse }, refuse)
}

// Made when it is first asked for: few do, and every start would wait for it.
function registerDocument(app: FastifyInstance, { routes, version }: ServerOptions) {
  let document: Promise<object> | undefined
  app.get('/openapi.json', () => {
    document ??= import('./openapi.ts').then(({ openapi }) =>
      openapi(
        routes.map(route => route.endpoint),
        { title: 'Tideline', version },
      ),
    )
    return document
  })
}

// A kept-alive connection whose request is in flight would hold the server open for a minute otherwise.
function closeConnectionsWhileClosing(app: FastifyInstance) {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close')
  })
}

function logRequests(app: FastifyInstance, log: Log) {
  // These few fields hold no secret by what they are, and looking for some took longer than a small answer itself.
  const lines = log.child({}, { redact: [] })
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    const path = request.url.split('?')[0]
    lines.info(
      {
        requestId: request.id,
        method: request.method,
        path,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    )
  })
}

function contentSecurity(imageHosts: string[]) {
  return {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    // Ionic's components bring their styles as style elements.
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:', ...imageHosts],
    fontSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    manifestSrc: ["'self'"],
    workerSrc: ["'self'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
    baseUri: ["'none'"],
    objectSrc: ["'none'"],
  }
}

function headers(publicUrl: string) {
  return {
    referrerPolicy: { policy: 'no-referrer' as const },
    strictTransportSecurity: publicUrl.startsWith('https:')
      ? { maxAge: 31_536_000, includeSubDomains: true }
      : (false as const),
    crossOriginEmbedderPolicy: false as const,
  }
}
