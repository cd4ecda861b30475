import type { Profile } from '#features/accounts/server/public.ts'
import {
  suggestAutoBids,
  suggestCategories,
  suggestKeywords,
  suggestProducts,
} from '#features/recommendations/server/public.ts'
import type { Services } from '#server/context.ts'
import type { LaunchAdvice } from '../launch-plan.ts'
import type { CreatePayload } from '../payload.ts'
import { structureOf } from '../plan-structure.ts'

/**
 * What the marketplace recommends for a payload, asking only for what its structure uses: two calls for a funnel, none
 * when the answers of the review are still at hand. Throws what the integration throws.
 */
export const gatherAdvice = async (
  services: Pick<Services, 'db' | 'clock' | 'integrations'>,
  profile: Profile,
  payload: CreatePayload,
): Promise<LaunchAdvice> => {
  const asins = payload.products.map(p => p.asin)
  const matches = new Set(structureOf(payload).campaigns.flatMap(c => c.groups.map(g => g.match)))
  const uses = (...wanted: string[]) => [...matches].some(match => wanted.includes(match))
  const keywords = uses('BROAD', 'PHRASE', 'EXACT') ? await suggestKeywords(services, profile, asins) : []
  const auto = uses('AUTO') ? await suggestAutoBids(services, profile, asins) : []
  const categories = uses('CATEGORY') ? await suggestCategories(services, profile, asins) : []
  const themes = uses('PRODUCT_EXACT', 'PRODUCT_SIMILAR') ? await suggestProducts(services, profile, asins) : []
  const products = new Map(themes.flatMap(t => t.products).map(p => [p.asin, p]))
  return { keywords, auto, categories, products: [...products.values()] }
}
