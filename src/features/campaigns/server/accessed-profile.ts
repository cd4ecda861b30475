import { currentProfile, type Profile } from '#features/accounts/server/public.ts'
import { requireAccess } from '#features/subscription/server/public.ts'
import type { Ctx } from '#server/context.ts'

/**
 * The advertising account that the caller works with. Throws SUBSCRIPTION_REQUIRED without a subscription, RULE_VIOLATED
 * when no merchant or marketplace is chosen.
 */
export const accessedProfile = async (ctx: Ctx): Promise<Profile> => {
  await requireAccess(ctx)
  return currentProfile(ctx)
}
