import { currentProfileIn, type Profile } from '#features/accounts/server/public.ts'
import { type Ctx, requireMerchant } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { requireAccess } from './require-access.ts'

/**
 * Reads of the advertising account that the caller works with, all in one transaction. Throws SUBSCRIPTION_REQUIRED
 * without a subscription, RULE_VIOLATED when no merchant or marketplace is chosen.
 */
export const readAccount = async <T>(ctx: Ctx, read: (tx: Db, profile: Profile) => Promise<T>): Promise<T> => {
  await requireAccess(ctx)
  return ctx.db.reading(requireMerchant(ctx), async tx => read(tx, await currentProfileIn(tx, ctx)))
}
