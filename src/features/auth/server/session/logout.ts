import type { Ctx } from '#server/context.ts'
import { hashSecret } from '../secret-token.ts'
import { endSession, refreshTokenState } from '../sql/sessions.ts'

/** Ends the session of the call, and that of the refresh token if it is another one of the same account. */
export const logout = async (ctx: Ctx, refreshToken: string): Promise<null> => {
  const now = ctx.clock.now()
  const given = await refreshTokenState(ctx.db.system, hashSecret(refreshToken), now)
  await endSession(ctx.db.system, ctx.actor.sessionId, 'LOGOUT', now)
  if (given?.accountId === ctx.actor.accountId) await endSession(ctx.db.system, given.sessionId, 'LOGOUT', now)
  return null
}
