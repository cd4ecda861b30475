import type { PublicCtx } from '#server/context.ts'
import { AppError } from '#shared/errors.ts'
import type { LoginResult } from '../../contract.ts'
import { lifetimes } from '../../rules.ts'
import { hashSecret, successorOf } from '../secret-token.ts'
import { sessionsEnded } from '../signals.ts'
import { endSession, refreshTokenState, rotateRefreshToken, type TokenOwner } from '../sql/sessions.ts'
import { issueAccessToken, signingKey } from './access-token.ts'

/**
 * Exchanges a refresh token for the next pair. A used one answers the same successor for 20 seconds more (a second tab, a
 * reply that was lost); after that it tells of theft and ends the session. Throws UNAUTHENTICATED.
 */
export const refreshSession = async (ctx: PublicCtx, refreshToken: string): Promise<LoginResult> => {
  const now = ctx.clock.now()
  const next = successorOf(refreshToken, signingKey(ctx.config))
  const hash = hashSecret(refreshToken)
  const owner = await rotateRefreshToken(ctx.db.system, { hash, nextHash: hashSecret(next) }, now)
  return owner ? pairOf(ctx, owner, next) : pairOfUsed(ctx, refreshToken)
}

const pairOf = async (ctx: PublicCtx, owner: TokenOwner, refreshToken: string): Promise<LoginResult> => ({
  accessToken: await issueAccessToken(ctx, owner),
  refreshToken,
  email: owner.email,
})

const signedOut = () => new AppError('UNAUTHENTICATED', 'Your session has ended. Please log in again.')

// Follows the chain from a token used a moment ago to the one that is still unused.
const pairOfUsed = async (ctx: PublicCtx, refreshToken: string): Promise<LoginResult> => {
  const now = ctx.clock.now()
  const key = signingKey(ctx.config)
  let token = refreshToken
  let state = await refreshTokenState(ctx.db.system, hashSecret(token), now)
  while (state?.usedAt) {
    if (now.getTime() - state.usedAt.getTime() >= lifetimes.refreshGraceMs) {
      const { accountId, sessionId } = state
      await ctx.db.transaction(async tx => {
        await endSession(tx, sessionId, 'TOKEN_REUSED', now)
        await ctx.jobs.announce(tx, sessionsEnded, { accountId })
      })
      ctx.log.warn({ accountId, sessionId }, 'a used refresh token came back')
      throw signedOut()
    }
    token = successorOf(token, key)
    state = await refreshTokenState(ctx.db.system, hashSecret(token), now)
  }
  if (!state) throw signedOut()
  return pairOf(ctx, state, token)
}
