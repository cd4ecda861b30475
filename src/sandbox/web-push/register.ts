import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { onlyWithToken } from '../core/control-token.ts'
import type { ErrorReply, ErrorWording } from '../core/error-wording.ts'
import type { World } from '../core/world.ts'
import { vapidFault } from './check-vapid.ts'
import { createPushDesk, type PushDesk } from './push-service.ts'

const STATE_NAME = 'push'
const MOST_BYTES = 4096
// RFC 8030: a service may keep a message for a shorter time than it was asked to, and says for how long.
const LONGEST_TTL = 28 * 86_400

const reasons: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  410: 'Gone',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
}
function said(code: number, message: string): ErrorReply {
  return {
    status: code,
    body: { code, error: reasons[code] ?? 'Internal Server Error', message },
  }
}

const tokenOf = (url: string | undefined): string => url?.split('?')[0]?.split('/').at(-1) ?? ''

function wordingOf(desk: PushDesk, now: () => number): ErrorWording {
  return {
    statesRetryAfter: true,
    throttled: () => said(429, 'Too many messages'),
    failed: (_request, status) => said(status, 'Use exponential back-off'),
    expiredToken: () => said(401, 'The VAPID token has expired'),
    revokedGrant(request) {
      desk.change(tokenOf(request.raw.url), 'GONE', now())
      return said(410, 'The user unsubscribed')
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

async function send(world: World, desk: PushDesk, request: FastifyRequest, reply: FastifyReply) {
  const refuse = (code: number, message: string) => reply.code(code).send(said(code, message).body)
  const token = tokenOf(request.raw.url)
  const device = desk.find(token)
  if (!device) return refuse(404, 'There is no such subscription')
  if (device.state === 'GONE') return refuse(410, 'The user unsubscribed')
  const parsed = headers.safeParse(request.headers)
  if (!parsed.success) return refuse(400, parsed.error.issues.map(issue => issue.message).join('; '))
  const { origin } = new URL(world.config.publicUrl)
  const fault = await vapidFault(request.headers.authorization, origin, device.applicationServerKey)
  if (fault) return refuse(fault.status, fault.message)
  const body = typeof request.body === 'string' ? request.body : ''
  if (Buffer.byteLength(body, 'base64url') > MOST_BYTES) return refuse(413, `More than ${MOST_BYTES} bytes`)
  if (body !== '' && !parsed.data['content-encoding']) return refuse(415, 'A body must be encrypted with aes128gcm')
  const { urgency, topic = null } = parsed.data
  const ttl = Math.min(Number(parsed.data.ttl), LONGEST_TTL)
  const id = desk.accept({ token, ttl, urgency, topic, body }, world.clock.now().getTime())
  world.saveState(STATE_NAME)
  return reply
    .code(201)
    .headers({ location: `${world.config.publicUrl}/push/message/${id}`, ttl: String(ttl) })
    .send()
}

function registerPushControl(app: FastifyInstance, world: World, desk: PushDesk): void {
  const addressOf = (token: string): string => `${world.config.publicUrl}/push/send/${token}`
  const now = (): number => world.clock.now().getTime()
  app.addHook('onRequest', onlyWithToken(world))

  app.get('/control/push', () =>
    desk.read(now()).map(({ token, ...push }) => ({ endpoint: addressOf(token), ...push })),
  )
  app.delete('/control/push', (_request, reply) => {
    desk.forgetMessages()
    world.saveState(STATE_NAME)
    return reply.code(204).send()
  })

  app.post('/control/push/subscriptions', (request, reply) => {
    const body = subscribeBody.safeParse(request.body ?? {})
    if (!body.success) return reply.code(400).send({ error: z.prettifyError(body.error) })
    const { token, keys } = desk.subscribe(body.data.applicationServerKey)
    world.saveState(STATE_NAME)
    return reply.code(201).send({
      endpoint: addressOf(token),
      expirationTime: null,
      keys: { p256dh: keys.publicKey, auth: keys.auth },
    })
  })
  app.patch('/control/push/subscriptions/:token', (request, reply) => {
    const body = changeBody.safeParse(request.body ?? {})
    if (!body.success) return reply.code(400).send({ error: z.prettifyError(body.error) })
    desk.change(tokenOf(request.raw.url), body.data.online ? 'ONLINE' : 'OFFLINE', now())
    world.saveState(STATE_NAME)
    return reply.code(204).send()
  })
  app.delete('/control/push/subscriptions/:token', (request, reply) => {
    desk.change(tokenOf(request.raw.url), 'GONE', now())
    world.saveState(STATE_NAME)
    return reply.code(204).send()
  })
}

/** A push service (RFC 8030) under /push, and under /control/push its browsers, which decrypt what they are sent. */
export async function registerWebPush(app: FastifyInstance, world: World): Promise<void> {
  const desk = createPushDesk()
  world.registerState(STATE_NAME, {
    dump: () => desk.dump(),
    restore: state => desk.restore(state),
    reset: () => desk.reset(),
  })
  world.errorWordings.set(
    'push',
    wordingOf(desk, () => world.clock.now().getTime()),
  )
  await app.register(async service => {
    service.removeAllContentTypeParsers()
    // As text, so that the journal of requests can hold it.
    service.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body: Buffer, done) =>
      done(null, body.toString('base64url')),
    )
    service.post('/push/send/:token', (request, reply) => send(world, desk, request, reply))
  })
  await app.register(async control => registerPushControl(control, world, desk))
}
