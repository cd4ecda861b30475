import type { Ctx } from '#server/context.ts'
import { hashSecret } from '../secret-token.ts'
import { announceSessionsEnded } from '../signals.ts'
import { endSession, refreshTokenStates } from '../sql/sessions.ts'

/** Ends the session of the call, and the session of the refresh token if that is another one of the same account. */
export async function logout(ctx: Ctx, refreshToken: string): Promise<null> {
  const now = ctx.clock.now()
  const { accountId, sessionId } = ctx.actor
  const [state] = await refreshTokenStates(ctx.db.system, [hashSecret(refreshToken)], now)
  await ctx.db.transaction(async tx => {
    await endSession(tx, sessionId, 'LOGOUT', now)
    if (state?.accountId === accountId) await endSession(tx, state.sessionId, 'LOGOUT', now)
    await announceSessionsEnded(ctx, tx, accountId)
  })
  return null
}
