import { STATUS_CODES } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { importJWK, jwtVerify } from 'jose'
import { guardControl } from '../core/control-token.ts'
import type { ErrorReply, ErrorWording } from '../core/error-wording.ts'
import type { World } from '../core/world.ts'
import { PushService } from './push-service.ts'

const header = /^vapid\s+t=([\w-]+\.[\w-]+\.[\w-]+)\s*,\s*k=([\w-]+)$/i
const claims = z.object({ exp: z.number(), sub: z.string().regex(/^(mailto:|https:\/\/)/) })
const MAX_SECONDS = 24 * 3600

/**
 * What is wrong with the application's signature (RFC 8292), or null. It must be for this service and, where the
 * subscription names one, made with its key. Signatures expire by the machine's time, which is the signer's.
 */
async function vapidProblem(
  authorization: string | undefined,
  origin: string,
  applicationServerKey: string | null,
): Promise<{ status: 401 | 403; message: string } | null> {
  const [, token = '', key = ''] = header.exec(authorization ?? '') ?? []
  if (!token) return { status: 401, message: 'Missing VAPID authorization' }
  if (applicationServerKey !== null && key !== applicationServerKey)
    return { status: 403, message: 'The key is not the one that the subscription was made with' }
  const point = Buffer.from(key, 'base64url')
  if (point.length !== 65 || point[0] !== 4) return { status: 401, message: 'k is not an uncompressed P-256 point' }
  try {
    const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
    const jwk = { kty: 'EC', crv: 'P-256', x, y }
    const { payload } = await jwtVerify(token, await importJWK(jwk, 'ES256'), {
      audience: origin,
      algorithms: ['ES256'],
    })
    const { exp } = claims.parse(payload)
    if (exp > Date.now() / 1000 + MAX_SECONDS + 60) return { status: 401, message: 'exp is more than 24 hours away' }
    return null
  } catch (error) {
    return { status: 401, message: `Invalid VAPID token: ${(error as Error).message}` }
  }
}

const MAX_BYTES = 4096
// RFC 8030: a service may retain a message for less time than requested, and must state for how long.
const MAX_TTL = 28 * 86_400

function errorReply(code: number, message: string): ErrorReply {
  const error = (code < 500 && STATUS_CODES[code]) || 'Internal Server Error'
  return { status: code, body: { code, error, message } }
}

const tokenOf = (url: string | undefined): string => url?.split('?')[0]?.split('/').at(-1) ?? ''

function wordingOf(pushes: PushService): ErrorWording {
  return {
    statesRetryAfter: true,
    throttled: () => errorReply(429, 'Too many messages'),
    failed: (_request, status) => errorReply(status, 'Use exponential back-off'),
    expiredToken: () => errorReply(401, 'The VAPID token has expired'),
    revokedGrant(request) {
      pushes.change(tokenOf(request.raw.url), 'GONE')
      return errorReply(410, 'The user unsubscribed')
    },
  }
}

const headers = z.object({
  ttl: z.string().regex(/^\d+$/, 'TTL must be a number of seconds'),
  urgency: z.enum(['very-low', 'low', 'normal', 'high']).default('normal'),
  topic: z
    .string()
    .regex(/^[\w-]{1,32}$/, 'Topic must be at most 32 characters of base64url')
    .optional(),
  'content-encoding': z.literal('aes128gcm', { error: 'Content-Encoding must be aes128gcm' }).optional(),
})
const subscribeBody = z.strictObject({ applicationServerKey: z.string().nullable().default(null) })
const changeBody = z.strictObject({ online: z.boolean() })

async function send(world: World, pushes: PushService, request: FastifyRequest, reply: FastifyReply) {
  const reject = (code: number, message: string) => reply.code(code).send(errorReply(code, message).body)
  const token = tokenOf(request.raw.url)
  const device = pushes.find(token)
  if (!device) return reject(404, 'There is no such subscription')
  if (device.state === 'GONE') return reject(410, 'The user unsubscribed')
  const parsed = headers.safeParse(request.headers)
  if (!parsed.success) return reject(400, parsed.error.issues.map(issue => issue.message).join('; '))
  const { origin } = new URL(world.config.publicUrl)
  const problem = await vapidProblem(request.headers.authorization, origin, device.applicationServerKey)
  if (problem) return reject(problem.status, problem.message)
  const body = typeof request.body === 'string' ? request.body : ''
  if (Buffer.byteLength(body, 'base64url') > MAX_BYTES) return reject(413, `More than ${MAX_BYTES} bytes`)
  if (body !== '' && !parsed.data['content-encoding']) return reject(415, 'A body must be encrypted with aes128gcm')
  const { urgency, topic = null } = parsed.data
  const ttl = Math.min(Number(parsed.data.ttl), MAX_TTL)
  const id = pushes.accept({ token, ttl, urgency, topic, body })
  return reply
    .code(201)
    .headers({ location: `${world.config.publicUrl}/push/message/${id}`, ttl: String(ttl) })
    .send()
}

function registerPushControl(app: FastifyInstance, world: World, pushes: PushService): void {
  const addressOf = (token: string): string => `${world.config.publicUrl}/push/send/${token}`
  guardControl(app, world)

  app.get('/control/push', () => pushes.read().map(({ token, ...push }) => ({ endpoint: addressOf(token), ...push })))
  app.delete('/control/push', (_request, reply) => {
    pushes.clearMessages()
    return reply.code(204).send()
  })

  app.post('/control/push/subscriptions', (request, reply) => {
    const { applicationServerKey } = subscribeBody.parse(request.body ?? {})
    const { token, keys } = pushes.subscribe(applicationServerKey)
    const shown = { p256dh: keys.publicKey, auth: keys.auth }
    return reply.code(201).send({ endpoint: addressOf(token), expirationTime: null, keys: shown })
  })
  app.patch('/control/push/subscriptions/:token', (request, reply) => {
    const { online } = changeBody.parse(request.body ?? {})
    pushes.change(tokenOf(request.raw.url), online ? 'ONLINE' : 'OFFLINE')
    return reply.code(204).send()
  })
  app.delete('/control/push/subscriptions/:token', (request, reply) => {
    pushes.change(tokenOf(request.raw.url), 'GONE')
    return reply.code(204).send()
  })
}

/** A push service (RFC 8030) under /push, and under /control/push its browsers, which decrypt their messages. */
export async function registerWebPush(app: FastifyInstance, world: World): Promise<void> {
  const pushes = new PushService(world)
  world.errorWordings.set('push', wordingOf(pushes))
  await app.register(async service => {
    service.removeAllContentTypeParsers()
    // As text, so that the request journal can store it.
    service.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body: Buffer, done) =>
      done(null, body.toString('base64url')),
    )
    service.post('/push/send/:token', (request, reply) => send(world, pushes, request, reply))
  })
  await app.register(async control => registerPushControl(control, world, pushes))
}
