import { sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { membersOf } from '#features/accounts/server/public.ts'
import { standingOf } from '../rules.ts'
import { type AccessColumns, accessColumns } from './sql.ts'

/** Whether one of these subscriptions gives access at a moment. */
export const accessAt = ({ subscriptions }: AccessColumns, now: Date): boolean =>
  subscriptions.some(stored => {
    const { trialStartedAt, trialEndsAt, periodEndsAt, pastDueSince } = stored
    const dates = {
      trialStartedAt: dateOf(trialStartedAt),
      trialEndsAt: dateOf(trialEndsAt),
      periodEndsAt: dateOf(periodEndsAt),
      pastDueSince: dateOf(pastDueSince),
    }
    return standingOf({ ...stored, ...dates }, now).hasAccess
  })

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text))

/**
 * Throws SUBSCRIPTION_REQUIRED unless the actor's subscription gives access, or that of someone else who belongs to the
 * current merchant: who was invited needs none of his own. Asks nothing of the database where the session told it.
 */
export const requireAccess = async (ctx: Ctx): Promise<void> => {
  if (!(ctx.actor.hasAccess ?? (await readAccess(ctx))))
    throw new AppError('SUBSCRIPTION_REQUIRED', 'This needs a subscription.')
}

const readAccess = async ({ db, actor, clock }: Ctx): Promise<boolean> => {
  const accounts = sql`select ${actor.accountId}::bigint union ${membersOf(sql`${actor.merchantId}::bigint`)}`
  const { rows } = await sql<AccessColumns>`select ${accessColumns(accounts)}`.execute(db.system)
  return rows[0] !== undefined && accessAt(rows[0], clock.now())
}
