import { createHash, randomBytes } from 'node:crypto'
import { AppError } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import type { ConnectionKind } from '../../contract.ts'
import { type ConsentState, insertState, takeState } from '../sql/oauth-states.ts'

const livesMs = 10 * 60_000
const hashOf = (state: string): string => createHash('sha256').update(state).digest('hex')

/** Creates a state of 256 bits for a consent of the actor; only its hash is stored, for ten minutes. */
export async function issueState(ctx: Ctx, consent: Omit<ConsentState, 'accountId'>): Promise<string> {
  const state = randomBytes(32).toString('base64url')
  const now = ctx.clock.now()
  await insertState(
    ctx.db.system,
    hashOf(state),
    { ...consent, accountId: ctx.actor.accountId },
    { now, expiresAt: new Date(now.getTime() + livesMs) },
  )
  return state
}

/**
 * Uses a state up. Throws OAUTH_STATE_INVALID, always with the same words, when it is unknown, was issued to someone
 * else or for the other kind of consent, was used, or is older than ten minutes.
 */
export async function redeemState(ctx: Ctx, state: string, kind: ConnectionKind | null): Promise<ConsentState> {
  const consent = await takeState(ctx.db.system, hashOf(state), {
    accountId: ctx.actor.accountId,
    kind,
    now: ctx.clock.now(),
  })
  if (!consent)
    throw new AppError('OAUTH_STATE_INVALID', 'This connection was not started here, or it was completed already.')
  return consent
}
