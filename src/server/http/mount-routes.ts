import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#shared/errors.ts'
import type { Actor, Ctx, PublicCtx } from '../context.ts'
import type { ServerOptions } from './server-options.ts'
import { onceByKey } from './idempotency.ts'
import { checkAnswer, parseInput } from './parse-input.ts'
import type { Route } from './route.ts'

/** Mounts every endpoint: session, input, verb, answer. */
export const mountRoutes = (app: FastifyInstance, options: ServerOptions) => {
  for (const route of options.routes) {
    app.route({
      method: route.endpoint.method,
      url: route.endpoint.path,
      ...(route.rateLimit && {
        config: { rateLimit: { max: route.rateLimit.max, timeWindow: route.rateLimit.windowSeconds * 1000 } },
      }),
      handler: (request, reply) => answer(request, reply, route, options),
    })
  }
}

const answer = async (
  request: FastifyRequest,
  reply: FastifyReply,
  { endpoint, handler }: Route,
  options: ServerOptions,
) => {
  const ctx = publicCtx(request, options)
  const full = endpoint.public ? ctx : { ...ctx, actor: await authenticated(request, options) }
  const input = parseInput(endpoint, { params: request.params, query: request.query, body: request.body })
  const run = async () => {
    const body = (await handler(full as never, input as never)) ?? null
    if (options.checkAnswers) checkAnswer(endpoint, body)
    return { status: endpoint.status ?? 200, body }
  }
  const { status, body } = endpoint.idempotencyKey
    ? await onceByKey(full as Ctx, `${endpoint.method} ${request.url}`, input, run)
    : await run()
  reply.code(status).header('cache-control', 'no-store')
  if (status === 204) return reply.send()
  if (request.method !== 'GET') return reply.send(body)
  return sendUnlessKnown(request, reply, JSON.stringify(body))
}

// Reads carry a tag of their content, so that what the client holds already is not sent again.
const sendUnlessKnown = (request: FastifyRequest, reply: FastifyReply, json: string) => {
  const tag = `"${createHash('sha1').update(json).digest('base64url')}"`
  reply.header('etag', tag).header('cache-control', 'private, no-cache')
  if (request.headers['if-none-match']?.split(/,\s*/).includes(tag)) return reply.code(304).send()
  return reply.type('application/json; charset=utf-8').send(json)
}

const publicCtx = (request: FastifyRequest, { services }: ServerOptions): PublicCtx => ({
  ...services,
  log: services.log.child({ requestId: request.id }),
  requestId: request.id,
  ip: request.ip,
  ifMatch: version(request.headers['if-match']),
  idempotencyKey: single(request.headers['idempotency-key']),
})

const single = (header: string | string[] | undefined): string | null =>
  Array.isArray(header) ? (header[0] ?? null) : (header ?? null)

const version = (header: string | undefined): number | null => {
  const match = header && /^(?:W\/)?"?(\d{1,15})"?$/.exec(header)
  return match ? Number(match[1]) : null
}

/** The actor of the request's bearer token. Throws UNAUTHENTICATED. */
export const authenticated = async (
  request: FastifyRequest,
  options: Pick<ServerOptions, 'authenticate'>,
): Promise<Actor> => {
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const actor = token ? await options.authenticate(token) : null
  if (!actor) throw new AppError('UNAUTHENTICATED', 'Please log in.')
  return actor
}
