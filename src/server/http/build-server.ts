import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import fastifyStatic from '@fastify/static'
import helmet from 'helmet'
import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { fastifySSE } from '@fastify/sse'
import { buildHeader, newestBuildHeader } from '#shared/contract-revision.ts'
import { AppError, type Problem, errorStatus } from '#shared/errors.ts'
import type { Log } from '../log/log.ts'
import { registerEventStream } from './event-stream.ts'
import { registerHealth } from './health.ts'
import { mountRoutes } from './mount-routes.ts'
import type { ServerOptions } from './route.ts'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'

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
      mountRoutes(api, options)
      registerEventStream(api, options)
      registerDocument(api, options)
      registerUnknownCalls(api)
    },
    { prefix: '/api' },
  )
  if (options.staticRoot) await registerStatic(app, options.staticRoot, config)
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

/** The same for every answer but the page, so they are made once. */
function securityHeaders(
  { IMAGE_HOSTS, publicUrl }: ServerOptions['services']['config'],
  scripts: string[] = [],
): [string, string][] {
  const headers = new Map<string, string>()
  const setHeaders = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: contentSecurity(IMAGE_HOSTS, scripts) },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: publicUrl.startsWith('https:') && { maxAge: 31_536_000, includeSubDomains: true },
    crossOriginEmbedderPolicy: false,
  })
  const response = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: () => undefined,
  }
  setHeaders({} as IncomingMessage, response as unknown as ServerResponse, error => {
    if (error) throw error as Error
  })
  return [...headers]
}

/**
 * The headers of the page, which allow its own scripts by their hashes: any other that got into a page is not run. Made again
 * when the page has changed, because the client may be built while the server runs.
 */
function pageHeaders(page: string, config: ServerOptions['services']['config']): () => [string, string][] {
  let made: { mtimeMs: number; headers: [string, string][] } | undefined
  return () => {
    const { mtimeMs } = statSync(page)
    if (made?.mtimeMs !== mtimeMs) {
      const scripts = readFileSync(page, 'utf8').matchAll(/<script>([\s\S]*?)<\/script>/g)
      const hashes = [...scripts].map(
        ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
      )
      made = { mtimeMs, headers: securityHeaders(config, hashes) }
    }
    return made.headers
  }
}

function contentSecurity(imageHosts: string[], scripts: string[]) {
  return {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'", ...scripts],
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

/** Serves the built client. Hashed assets are cached for good; a missing one is a 404, so that a broken build shows. */
async function registerStatic(app: FastifyInstance, root: string, config: ServerOptions['services']['config']) {
  const page = join(root, 'index.html')
  if (!existsSync(page)) throw new Error(`The client is not built: ${root} has no index.html.`)
  const headersOfPage = pageHeaders(page, config)
  await app.register(fastifyStatic, {
    root,
    preCompressed: true,
    cacheControl: false,
    wildcard: true,
    setHeaders: (reply, path) => {
      const immutable = /[\\/]assets[\\/]/.test(path)
      reply.header('cache-control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache')
      if (path.startsWith(page)) for (const [name, value] of headersOfPage()) reply.header(name, value)
    },
  })
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    const isPage = request.method === 'GET' && !path.startsWith('/assets/') && !/\.[a-z0-9]{2,5}$/i.test(path)
    if (isPage) return reply.status(200).sendFile('index.html')
    return sendProblem(request, reply, new AppError('NOT_FOUND', 'There is no such file.'))
  })
}

const codeOfStatus: Record<number, ConstructorParameters<typeof AppError>[0]> = {
  404: 'NOT_FOUND',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'RATE_LIMITED',
}

/** Any failure as an error that the caller may see; details of our own become INTERNAL. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const status = (error as Partial<FastifyError>).statusCode
  if (status === 413) return new AppError('PAYLOAD_TOO_LARGE', 'The request is too large.', { cause: error })
  const isClientError = status !== undefined && status >= 400 && status < 500
  const code = isClientError ? (codeOfStatus[status] ?? 'VALIDATION_FAILED') : undefined
  if (code) return new AppError(code, (error as Error).message, { cause: error })
  return new AppError('INTERNAL', 'Something went wrong on our side. Please try again.', { cause: error })
}

// A request must not be answered by a much larger response: neither by many problems nor by long quotes.
const maxTextLength = 300
const maxListBytes = 8 * 1024

const truncate = (text: string): string =>
  text.length > maxTextLength ? `${text.slice(0, maxTextLength).toWellFormed()}…` : text

function fitting<T>(items: readonly T[], cutItem: (item: T) => T): T[] {
  let bytes = 0
  const fits: T[] = []
  for (const item of items) {
    const cut = cutItem(item)
    bytes += Buffer.byteLength(JSON.stringify(cut))
    if (bytes > maxListBytes) break
    fits.push(cut)
  }
  return fits
}

const cutFields = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(fitting(Object.entries(fields), ([name, message]) => [truncate(name), truncate(message)]))

/** Sends the error body that all failures share. Its lists are cut after a few kilobytes. */
function sendProblem(request: FastifyRequest, reply: FastifyReply, error: unknown) {
  const problem = toAppError(error)
  const status = errorStatus[problem.code]
  if (status >= 500)
    request.log.error({ err: problem.cause ?? problem, code: problem.code, requestId: request.id }, 'a request failed')
  if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', Math.ceil(problem.retryAfterSeconds))
  const body: Problem = {
    errorCode: problem.code,
    message: truncate(problem.message),
    details: fitting(problem.details, truncate),
    requestId: request.id,
  }
  const { fields, ...extra } = problem.extra
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .send({ ...body, ...extra, ...(fields && { fields: cutFields(fields) }) })
}
