import Bowser from 'bowser'
import type { Ctx } from '#server/context.ts'
import { AppError } from '#shared/errors.ts'
import type { LoginSession } from '../user-contract.ts'
import { announceSessionsEnded } from './signals.ts'
import { endSession } from './sql.ts'

/** A browser and its system as people call them, such as "Chrome on Android"; null where the program does not say. */
export function deviceOf(userAgent: string): string | null {
  if (!userAgent) return null
  const { browser, os, platform } = Bowser.parse(userAgent)
  const model = platform.model === 'iPhone' || platform.model === 'iPad' ? platform.model : os.name
  return browser.name ? [browser.name, model].filter(Boolean).join(' on ') : null
}

/** The log-ins of the caller that have not ended, the one of this call first and then by last use. */
export async function listSessions({ db, actor, clock }: Ctx): Promise<LoginSession[]> {
  const rows = await db.system
    .selectFrom('session')
    .select(['id', 'user_agent as userAgent', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
    .where('account_id', '=', actor.accountId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', clock.now())
    .orderBy('last_used_at', 'desc')
    .execute()
  return rows
    .map(({ id, userAgent, createdAt, lastUsedAt }) => ({
      id,
      device: deviceOf(userAgent),
      isCurrent: id === actor.sessionId,
      createdAt: createdAt.toISOString(),
      lastUsedAt: (lastUsedAt ?? createdAt).toISOString(),
    }))
    .toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
}

/** Ends one log-in of the caller, on that device at its next call. Throws NOT_FOUND; one that has ended stays as it is. */
export async function endOneSession(ctx: Ctx, id: string): Promise<null> {
  const { accountId } = ctx.actor
  const row = await ctx.db.system
    .selectFrom('session')
    .select('id')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (!row) throw new AppError('NOT_FOUND', 'There is no such log-in.')
  await ctx.db.transaction(async tx => {
    await endSession(tx, id, 'ENDED_BY_USER', ctx.clock.now())
    await announceSessionsEnded(ctx, tx, accountId)
  })
  return null
}

/** Ends every log-in of the caller, also this one unless it is kept. */
export async function endAllSessions(ctx: Ctx, { keepThis }: { keepThis: boolean }): Promise<null> {
  const { accountId, sessionId } = ctx.actor
  await ctx.db.transaction(async tx => {
    await tx
      .updateTable('session')
      .set({ ended_at: ctx.clock.now(), end_reason: 'ENDED_BY_USER' })
      .where('account_id', '=', accountId)
      .where('ended_at', 'is', null)
      .$if(keepThis, query => query.where('id', '!=', sessionId))
      .execute()
    await announceSessionsEnded(ctx, tx, accountId)
  })
  return null
}
