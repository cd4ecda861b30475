import { addDays, dayIn } from '#shared/time.ts'
import type { Profile } from '../core/model/store.ts'
import type { World } from '../core/world.ts'
import type { AdProduct } from '../market/market.ts'

/** Ad products by what the address of a profile's page calls them. `entity` is what the console's changes call a campaign. */
export const adProductViews = [
  { adProduct: 'SPONSORED_PRODUCTS', key: 'products', name: 'Sponsored Products', entity: 'campaign' },
  { adProduct: 'SPONSORED_BRANDS', key: 'brands', name: 'Sponsored Brands', entity: 'brandCampaign' },
  { adProduct: 'SPONSORED_DISPLAY', key: 'display', name: 'Sponsored Display', entity: 'displayCampaign' },
] as const
export type AdProductView = (typeof adProductViews)[number]

export type Figures = ReturnType<typeof zero>
const zero = () => ({ impressions: 0, clicks: 0, costMicros: 0, orders: 0, salesMicros: 0 })

/**
 * Figures of the last `days` days, today included, by campaign id; '' has their sum. Orders count within 7 days of the
 * click for Sponsored Products and within 14 for the others, as in their reports.
 */
export function figuresOf(
  world: World,
  profile: Profile,
  days: number,
  adProduct: AdProduct = 'SPONSORED_PRODUCTS',
): Map<string, Figures> {
  const now = world.clock.now()
  const today = dayIn(now, profile.timezone)
  const window = adProduct === 'SPONSORED_PRODUCTS' ? 'd7' : 'd14'
  const sums = new Map<string, Figures>([['', zero()]])
  const facts = world.market().facts(profile.profileId, addDays(today, 1 - days), today, now, adProduct)
  for (const fact of facts) {
    let sum = sums.get(fact.campaignId)
    if (!sum) sums.set(fact.campaignId, (sum = zero()))
    for (const one of [sum, sums.get('') as Figures]) {
      one.impressions += fact.impressions
      one.clicks += fact.clicks
      one.costMicros += fact.costMicros
      one.orders += fact.orders[window]
      one.salesMicros += fact.salesMicros[window]
    }
  }
  return sums
}
