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
export class CallLimits {
  private limit: z.output<typeof body> = null
  private readonly buckets = new Map<string, { tokens: number; at: number; shutUntil: number }>()
  private readonly world: World

  constructor(world: World) {
    this.world = world
    world.registerState('ads-call-limits', {
      dump: () => null,
      restore: () => undefined,
      reset: () => this.setLimit(null),
    })
  }

  guard(scope: FastifyInstance): void {
    scope.addHook('preHandler', async (request, reply) => {
      const profileId = request.headers['amazon-advertising-api-scope']
      const ms = typeof profileId === 'string' ? this.take(profileId) : 0
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
      if (this.limit && reply.statusCode === 429 && seconds && typeof profileId === 'string') {
        const now = this.world.clock.now().getTime()
        const bucket = this.bucketOf(profileId, this.limit, now)
        bucket.shutUntil = Math.max(bucket.shutUntil, now + seconds * 1000)
      }
      return payload
    })
  }

  /** `POST /control/limits`: how many calls an advertising profile has, at once and by the second. */
  registerControl(app: FastifyInstance): void {
    app.post('/control/limits', { onRequest: onlyWithToken(this.world) }, (request, reply) => {
      const parsed = body.safeParse(request.body ?? null)
      if (!parsed.success) return reply.code(400).send({ error: z.prettifyError(parsed.error) })
      this.setLimit(parsed.data)
      return reply.send(this.limit ?? {})
    })
  }

  private setLimit(next: typeof this.limit): void {
    this.limit = next
    this.buckets.clear()
  }

  private bucketOf(profileId: string, { rate, burst }: NonNullable<typeof this.limit>, now: number) {
    const current = this.buckets.get(profileId) ?? { tokens: burst, at: now, shutUntil: 0 }
    const regained = (Math.max(0, now - current.at) / 1000) * rate
    const bucket = { ...current, tokens: Math.min(burst, current.tokens + regained), at: now }
    this.buckets.set(profileId, bucket)
    return bucket
  }

  /** Milliseconds until the profile may call; 0 takes its token. */
  private take(profileId: string): number {
    if (!this.limit) return 0
    const now = this.world.clock.now().getTime()
    const bucket = this.bucketOf(profileId, this.limit, now)
    if (bucket.shutUntil - LENIENCY_MS > now) return bucket.shutUntil - now
    if (bucket.tokens < 1) return Math.ceil(((1 - bucket.tokens) / this.limit.rate) * 1000)
    bucket.tokens--
    return 0
  }
}
