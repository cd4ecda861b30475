import type { Profile } from '#features/accounts/server/public.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import type { PlanMarket } from '../plan/launch-plan.ts'

/** What the marketplace of an advertising account allows. */
export function marketOf(profile: Profile): PlanMarket {
  const facts = marketplaceById(profile.marketplaceId)
  if (!facts) throw new Error(`unknown marketplace ${profile.marketplaceId}`)
  const { currency, accountType, campaignPrefix } = profile
  return { ...facts, currency, accountType, campaignPrefix }
}
