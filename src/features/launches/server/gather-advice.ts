import type { Profile } from '#features/accounts/server/public.ts'
import { brandsOfProducts, productsByAsin } from '#features/catalogue/server/public.ts'
import { MAX_ASINS } from '#features/recommendations/contract.ts'
import {
  suggestAutoTargets,
  suggestBrands,
  suggestCategories,
  suggestKeywords,
  suggestProducts,
} from '#features/recommendations/server/public.ts'
import type { Services } from '#server/context.ts'
import type { BrandAdvice, LaunchAdvice } from '../plan/launch-plan.ts'
import { brandAdviceOf } from '../plan/brand-terms.ts'
import { onceEach } from '../chosen-terms.ts'
import type { CreatePayload } from '../launch-schema.ts'
import { separatesBrands, structureOf } from '../plan/plan-structure.ts'
import {} from 'kysely'
import {} from '#shared/errors.ts'
import {} from '../plan/launch-items.ts'
import {} from '../plan/plan-launch.ts'
import {} from './check-launch.ts'
import {} from './run/launch-run.ts'
import {} from './run/stops.ts'
import {} from './sql/launches.ts'
type Needs = Pick<Services, 'db' | 'clock' | 'integrations'>
type Suggest<T> = (services: Needs, profile: Profile, asins: readonly string[]) => Promise<T[]>

// The answers for several sets of products as one list: the best of each, then the second best of each, once each.
function interleaved<T>(lists: readonly T[][], keyOf: (one: T) => string): T[] {
  const longest = Math.max(0, ...lists.map(list => list.length))
  const byRank = Array.from({ length: longest }, (_, rank) => lists.flatMap(list => list.slice(rank, rank + 1))).flat()
  return onceEach(byRank, keyOf)
}

// The catalogue names a product's category, the recommended ones have its id; the marketplace names brands by that.
async function gatherBrands(
  services: Needs,
  profile: Profile,
  asins: readonly string[],
  categories: readonly { id: string; name: string }[],
): Promise<BrandAdvice> {
  const { merchantId, marketplaceId } = profile
  const { products, own } = await services.db.reading(merchantId, async tx => ({
    products: await productsByAsin(tx, merchantId, marketplaceId, asins),
    own: await brandsOfProducts(tx, merchantId, marketplaceId),
  }))
  const inCategory = new Map<string, string[]>()
  for (const name of new Set(products.flatMap(p => (p.category ? [p.category.toLowerCase()] : []))))
    for (const { id } of categories.filter(c => c.name.toLowerCase() === name))
      inCategory.set(name, [...(inCategory.get(name) ?? []), ...(await suggestBrands(services, profile, id))])
  const categoryOf = (asin: string) => products.find(p => p.asin === asin)?.category?.toLowerCase() ?? ''
  const withBrands = asins.map(asin => ({ asin, brands: inCategory.get(categoryOf(asin)) ?? [] }))
  return brandAdviceOf(own, withBrands)
}

/**
 * What the marketplace recommends for a payload, asking only for what its structure uses: two calls for a funnel (and a few
 * more where brands are kept apart), none when the answers of the review are still at hand. It answers for a limited number of
 * products at once, so more of them are asked for in turn. Throws what the integration throws.
 */
export async function gatherAdvice(services: Needs, profile: Profile, payload: CreatePayload): Promise<LaunchAdvice> {
  const all = payload.products.map(p => p.asin)
  const sets = Array.from({ length: Math.ceil(all.length / MAX_ASINS) }, (_, i) =>
    all.slice(i * MAX_ASINS, (i + 1) * MAX_ASINS),
  )
  const ask = async <T>(suggest: Suggest<T>, keyOf: (one: T) => string): Promise<T[]> => {
    const lists: T[][] = []
    for (const asins of sets) lists.push(await suggest(services, profile, asins))
    return interleaved(lists, keyOf)
  }
  const matches = new Set(structureOf(payload).campaigns.flatMap(c => c.groups.map(g => g.match)))
  const uses = (...some: string[]) => [...matches].some(match => some.includes(match))
  const keywords = uses('BROAD', 'PHRASE', 'EXACT') ? await ask(suggestKeywords, k => `${k.matchType} ${k.text}`) : []
  const auto = uses('AUTO') ? await ask(suggestAutoTargets, a => a.group) : []
  const isApart = separatesBrands(payload)
  const categories = isApart || uses('CATEGORY') ? await ask(suggestCategories, c => c.id) : []
  const brands = isApart ? await gatherBrands(services, profile, all, categories) : null
  const themes = uses('PRODUCT_EXACT', 'PRODUCT_SIMILAR') ? await ask(suggestProducts, JSON.stringify) : []
  const products = [...new Map(themes.flatMap(t => t.products).map(p => [p.asin, p])).values()]
  // The marketplace leaves out the products of the request, but not the seller's other products.
  const { merchantId, marketplaceId } = profile
  const found = products.map(p => p.asin)
  const listed = found.length
    ? await services.db.reading(merchantId, tx => productsByAsin(tx, merchantId, marketplaceId, found))
    : []
  const own = new Set(listed.map(p => p.asin))
  return { keywords, auto, categories, products: products.map(p => ({ ...p, isOwn: own.has(p.asin) })), brands }
}
