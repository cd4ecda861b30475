import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { onlyWithToken } from '../../core/control-token.ts'
import type { World } from '../../core/world.ts'
import { familyFailure } from '../ads-failure.ts'

const body = z.strictObject({ rate: z.number().positive(), burst: z.int().min(1) }).nullable()

// Callers and the world read different clocks; a caller that is on time by its own clock is not too early.
const LENIENCY_MS = 20

/**
 * A token bucket for every advertising profile. The vendor has such limits, but publishes none and moves them at will, so
 * there are none here until a control call sets them. With a limit, every Retry-After counts: a caller that had to wait, by the
 * limit or by an injected throttle, and calls earlier is throttled again.
 */
export function createCallLimits(world: World) {
  let limit: z.output<typeof body> = null
  const buckets = new Map<string, { tokens: number; at: number; shutUntil: number }>()
  const setLimit = (next: typeof limit): void => {
    limit = next
    buckets.clear()
  }
  world.registerState('ads-call-limits', {
    dump: () => null,
    restore: () => undefined,
    reset: () => setLimit(null),
  })

  const bucketOf = (profileId: string, { rate, burst }: NonNullable<typeof limit>, now: number) => {
    const current = buckets.get(profileId) ?? { tokens: burst, at: now, shutUntil: 0 }
    const regained = (Math.max(0, now - current.at) / 1000) * rate
    const bucket = { ...current, tokens: Math.min(burst, current.tokens + regained), at: now }
    buckets.set(profileId, bucket)
    return bucket
  }

  /** Milliseconds until the profile may call; 0 takes its token. */
  const take = (profileId: string): number => {
    if (!limit) return 0
    const now = world.clock.now().getTime()
    const bucket = bucketOf(profileId, limit, now)
    if (bucket.shutUntil - LENIENCY_MS > now) return bucket.shutUntil - now
    if (bucket.tokens < 1) return Math.ceil(((1 - bucket.tokens) / limit.rate) * 1000)
    bucket.tokens--
    return 0
  }

  return {
    /** Holds the calls of a region to the limit, if one is set. */
    guard(scope: FastifyInstance): void {
      scope.addHook('preHandler', async (request, reply) => {
        const profileId = request.headers['amazon-advertising-api-scope']
        const ms = typeof profileId === 'string' ? take(profileId) : 0
        if (ms === 0) return undefined
        const { status, body: error } = familyFailure(request, 429, 'Too Many Requests')
        return reply
          .code(status)
          .header('retry-after', String(Math.ceil(ms / 1000)))
          .send(error)
      })
      scope.addHook('onSend', async (request, reply, payload) => {
        const profileId = request.headers['amazon-advertising-api-scope']
        const seconds = Number(reply.getHeader('retry-after') ?? 0)
        if (limit && reply.statusCode === 429 && seconds && typeof profileId === 'string') {
          const now = world.clock.now().getTime()
          const bucket = bucketOf(profileId, limit, now)
          bucket.shutUntil = Math.max(bucket.shutUntil, now + seconds * 1000)
        }
        return payload
      })
    },
    /** `POST /control/limits`: how many calls an advertising profile has, at once and by the second. */
    registerControl(app: FastifyInstance): void {
      app.post('/control/limits', { onRequest: onlyWithToken(world) }, (request, reply) => {
        const parsed = body.safeParse(request.body ?? null)
        if (!parsed.success) return reply.code(400).send({ error: z.prettifyError(parsed.error) })
        setLimit(parsed.data)
        return reply.send(limit ?? {})
      })
    },
  }
}
