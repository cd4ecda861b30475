import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import * as v from 'valibot'
import { holds } from '#shared/authority.ts'
import { authorityOf, bodyLimitOf, type Endpoint, type FileAnswer, type SignedBody } from '#shared/define-endpoint.ts'
import { buildHeader, changedHeader, revisionOf } from '#shared/contract-revision.ts'
import { managingHeader, ownContext } from '#shared/managing-context.ts'
import { AppError } from '#shared/errors.ts'
import type { Actor, Ctx, PublicCtx } from '../context.ts'
import { notingSaves } from '../db/connection-loss.ts'
import { forReader } from '../for-reader.ts'
import { onceByKey } from './idempotency.ts'
import { createManagedCalls } from './managed-calls.ts'
import { parseInput } from './parse-input.ts'
import type { Route, ServerOptions } from './route.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; null at public endpoints. */
    actor: Actor | null
  }
}

interface TaggedAnswer {
  tag: string
  body: Buffer
}

// What an entry takes besides its bytes: key, tag and bookkeeping.
const overheadBytes = 600

type Upload = NonNullable<Endpoint['upload']>
type AnswerCache = LRUCache<string, TaggedAnswer>

/** Answers in memory, at most `maxBytes` altogether; 0 turns the cache off. */
function createAnswerCache(maxBytes: number): AnswerCache {
  return new LRUCache({
    maxSize: Math.max(1, maxBytes),
    // An answer that would evict most others is not worth caching.
    maxEntrySize: Math.max(1, Math.floor(maxBytes / 8)),
    sizeCalculation: ({ body }) => body.byteLength + overheadBytes,
  })
}

const quarterMs = 15 * 60_000

/**
 * The cache key of an answer that depends only on the caller, the current merchant's rows and the day; null if the version
 * of the rows is unknown. In every time zone, a day begins at a quarter of an hour.
 */
function cacheKeyOf(actor: Actor, url: string, now: Date): string | null {
  const { accountId, merchantId, marketplaceId, hasAccess, dataVersion, authorities, managedBy, region } = actor
  if (merchantId === null || dataVersion === undefined) return null
  const quarter = Math.floor(now.getTime() / quarterMs)
  const person = [accountId, managedBy?.accountId ?? '', authorities.join(), region?.locale]
  return [...person, merchantId, actor.merchantRole, marketplaceId, hasAccess, dataVersion, quarter, url].join(' ')
}

/** Mounts every endpoint: session, input, verb, answer. */
export function mountRoutes(app: FastifyInstance, options: ServerOptions) {
  const cache = createAnswerCache(options.services.config.ANSWERS_KEPT_MB * 1_000_000)
  const managedCalls = createManagedCalls(options)
  app.decorateRequest('actor', null)
  app.decorateRequest('managedCall', 'NOTHING')
  const mount = (scope: FastifyInstance, route: Route) => {
    const { rateLimit, endpoint } = route
    scope.route({
      method: endpoint.method,
      url: endpoint.path,
      bodyLimit: bodyLimitOf(endpoint),
      // Checked before the body is read, so that nobody without access can make the server read megabytes.
      preParsing: async (request, _reply, payload) => {
        requireCurrentClient(endpoint, single(request.headers[buildHeader]))
        if (endpoint.access === 'public') return payload
        if (request.headers[changedHeader] !== undefined) await options.services.invalidations.caughtUp()
        request.actor = await authenticated(request, options)
        requireContext(endpoint, request.actor, single(request.headers[managingHeader]))
        requireAccess(endpoint, request.actor)
        requireNeeded(endpoint, request.actor)
        return payload
      },
      ...(rateLimit && { config: { rateLimit: { max: rateLimit.max, timeWindow: rateLimit.windowSeconds * 1000 } } }),
      // Brotli would keep the first megabytes of a file back, and its reader would see no progress.
      ...(endpoint.file && { compress: { encodings: ['gzip'] } }),
      onError: (request, _reply, error) => managedCalls.fail(request, endpoint, error),
      handler: (request, reply) => answer(request, reply, route, { ...options, cache, managedCalls }),
    })
  }
  for (const route of options.routes) {
    const { rawBody, upload, ignoresBody } = route.endpoint
    if (upload)
      void app.register(async scope => {
        // The library loads with the first route that needs it.
        const { default: multipart } = await import('@fastify/multipart')
        await scope.register(multipart, { limits: { files: 1, fields: 0, parts: 1, fileSize: upload.maxBytes } })
        mount(scope, route)
      })
    else if (!rawBody && !ignoresBody) mount(app, route)
    // A scope of its own, since the parsers of a media type apply to all routes of a scope.
    else
      void app.register(async scope => {
        scope.removeAllContentTypeParsers()
        scope.addContentTypeParser(rawBody?.mediaType ?? '*', { parseAs: 'buffer' }, (_request, bytes, done) =>
          done(null, rawBody ? bytes : undefined),
        )
        mount(scope, route)
      })
  }
}

interface Answering extends ServerOptions {
  cache: AnswerCache
  managedCalls: ReturnType<typeof createManagedCalls>
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  route: Route,
  { cache, managedCalls, ...options }: Answering,
) {
  const { actor } = request
  const { endpoint } = route
  const key = route.cached && actor ? cacheKeyOf(actor, request.url, options.services.clock.now()) : null
  const cached = key === null ? undefined : cache.get(key)
  // Private data is never stored on disk, not even by the browser. Public data is revalidated.
  reply.header('cache-control', actor || request.method !== 'GET' ? 'no-store' : 'no-cache')
  if (cached) {
    await managedCalls.end(request, endpoint, 200)
    return sendUnlessUnchanged(request, reply, cached)
  }
  await managedCalls.begin(request, endpoint)
  const { status, body } = await run(request, route, options, actor)
  await managedCalls.end(request, endpoint, status)
  reply.code(status)
  if (status === 204) return reply.send()
  if (endpoint.file) return sendFile(reply, body as FileAnswer)
  if (request.method !== 'GET') return reply.send(body)
  const tagged = withTag(JSON.stringify(body))
  if (key !== null) cache.set(key, tagged)
  return sendUnlessUnchanged(request, reply, tagged)
}

function requireCurrentClient({ changedIn }: Endpoint, named: string | null): void {
  const revision = changedIn === undefined ? null : revisionOf(named)
  if (changedIn !== undefined && revision !== null && revision < changedIn)
    throw new AppError(
      'CLIENT_OUTDATED',
      'Tideline was updated, and this needs the new version. Reload the page, then try again.',
    )
}

/** Throws unless the call may be made while managing, and acts for whom the client means. */
function requireContext({ managing }: Endpoint, { accountId, managedBy }: Actor, context: string | null): void {
  if (managing === 'either') return
  if (context !== null && context !== (managedBy ? String(accountId) : ownContext))
    throw new AppError(
      'MANAGING_CHANGED',
      'Managing a user has begun or ended in the meantime. Nothing was done. Reload the page.',
    )
  if (managing === 'blocked' && managedBy)
    throw new AppError('FORBIDDEN', 'Only the user can do this. Stop managing the user first.')
}

function requireAccess({ access }: Endpoint, actor: Actor): void {
  if (access === 'subscription' && !actor.hasAccess)
    throw new AppError('SUBSCRIPTION_REQUIRED', 'You need a subscription for this. Choose a plan to continue.')
  if (access === 'connecting' && !actor.mayConnect)
    throw new AppError(
      'SUBSCRIPTION_REQUIRED',
      'You need a subscription to connect accounts. Choose a plan to continue.',
    )
}

function requireNeeded(endpoint: Endpoint, actor: Actor): void {
  const needed = authorityOf(endpoint)
  if (needed === null || holds(actor, needed)) return
  // Who manages has the authorities of the managed user, and must be able to stop.
  if (endpoint.managing === 'either' && actor.managedBy) return
  const isViewed = needed === 'MERCHANT_MANAGER' && actor.merchantRole === 'VIEWER'
  throw new AppError(
    'FORBIDDEN',
    isViewed ? 'You may look at this merchant, but not change it.' : 'You do not have permission to do that.',
  )
}

async function run(request: FastifyRequest, { endpoint, handler }: Route, options: ServerOptions, actor: Actor | null) {
  const ctx = publicCtx(request, options)
  const full = actor ? { ...ctx, actor } : ctx
  const input = {
    ...parseInput(endpoint, { params: request.params, query: request.query, body: request.body }),
    ...(endpoint.rawBody && { rawBody: signedBody(request, endpoint.rawBody.signatureHeader) }),
    ...(endpoint.upload && { upload: await uploadedFile(request, endpoint.upload) }),
  }
  const status = endpoint.status ?? 200
  const work = async (saveAnswer: Ctx['saveAnswer'] = async () => undefined) => {
    const verb = () => handler({ ...full, saveAnswer } as never, input as never)
    const body = (await notingSaves(() => forReader(actor?.region, verb))) ?? null
    if (options.checkResponses && !endpoint.file) checkResponse(endpoint, body)
    return { status, body }
  }
  const isKeyed = endpoint.idempotencyKey === 'optional' ? ctx.idempotencyKey !== null : endpoint.idempotencyKey
  if (!isKeyed) return work()
  return onceByKey(full as Ctx, `${endpoint.method} ${request.url}`, input, save =>
    work((tx, body) => save(tx, { status, body })),
  )
}

function signedBody(request: FastifyRequest, signatureHeader: string): SignedBody {
  const signature = single(request.headers[signatureHeader.toLowerCase()])
  if (signature === null)
    throw new AppError('VALIDATION_FAILED', `This call needs a ${signatureHeader} header.`, {
      details: [`${signatureHeader} is required`],
    })
  return { bytes: request.body instanceof Uint8Array ? request.body : new Uint8Array(), signature }
}

/** The bytes of the form's file. One that is larger than the endpoint allows fails as soon as it is too large. */
async function uploadedFile(request: FastifyRequest, { field, maxBytes }: Upload): Promise<Uint8Array> {
  const details = [`${field} is required, as a file in a form`]
  const missing = () => new AppError('VALIDATION_FAILED', 'Choose a file to upload.', { details })
  if (!request.isMultipart()) throw missing()
  try {
    const part = await request.file()
    if (part?.fieldname !== field) throw missing()
    return await part.toBuffer()
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    if ((cause as { statusCode?: number }).statusCode === 413)
      throw new AppError('PAYLOAD_TOO_LARGE', `The file is too large: at most ${maxBytes / 2 ** 20} MB.`, { cause })
    throw new AppError('VALIDATION_FAILED', 'The file did not arrive in one piece. Try again.', { details, cause })
  }
}

function withTag(json: string): TaggedAnswer {
  // In memory of its own: a short text from the pool would, in the cache, keep all others of its slab.
  const body = Buffer.allocUnsafeSlow(Buffer.byteLength(json))
  body.write(json)
  return { tag: `"${createHash('sha1').update(body).digest('base64url')}"`, body }
}

// Answers to reads have an ETag, so that the client does not get again what it has already.
function sendUnlessUnchanged(request: FastifyRequest, reply: FastifyReply, { tag, body }: TaggedAnswer) {
  // Weak, because the same answer is sent compressed too, here or by a proxy.
  reply.header('etag', `W/${tag}`)
  if (request.headers['if-none-match']?.split(/,\s*/).some(held => held.endsWith(tag))) return reply.code(304).send()
  return reply.type('application/json; charset=utf-8').send(body)
}

// What fails from here on cuts the line, so that nobody takes half a file for the whole.
function sendFile(reply: FastifyReply, { name, mediaType, content }: FileAnswer) {
  reply.header('content-disposition', `attachment; filename="${name}"`).type(mediaType)
  return reply.send(Readable.from(content, { objectMode: false }))
}

function publicCtx(request: FastifyRequest, { services }: ServerOptions): PublicCtx {
  return {
    ...services,
    log: services.log.child({ requestId: request.id }),
    requestId: request.id,
    ip: request.ip,
    ifMatch: version(request.headers['if-match']),
    idempotencyKey: single(request.headers['idempotency-key']),
    shop: single(request.headers['x-shop']),
    client: { id: single(request.headers['x-client']), userAgent: request.headers['user-agent'] ?? '' },
  }
}

const single = (header: string | string[] | undefined): string | null =>
  Array.isArray(header) ? (header[0] ?? null) : (header ?? null)

function version(header: string | undefined): number | null {
  const match = header && /^(?:W\/)?"?(\d{1,15})"?$/.exec(header)
  return match ? Number(match[1]) : null
}

/** The actor of the request's bearer token. Throws UNAUTHENTICATED. */
export async function authenticated(
  request: FastifyRequest,
  options: Pick<ServerOptions, 'authenticate'>,
): Promise<Actor> {
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const actor = token ? await options.authenticate(token) : null
  if (!actor) throw new AppError('UNAUTHENTICATED', 'Please log in.')
  return actor
}

/** Throws if a response does not match its own schema. */
function checkResponse(endpoint: Endpoint, response: unknown) {
  const result = v.safeParse(endpoint.response, response)
  if (result.success) return
  const where = result.issues.map(
    issue => `${v.getDotPath(issue) ?? '.'}: ${issue.message || `expected ${issue.expected}, got ${issue.received}`}`,
  )
  throw new Error(
    `The response of ${endpoint.method} ${endpoint.path} does not match its contract: ${where.join('; ')}`,
  )
}
