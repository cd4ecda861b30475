import { relatedCategories } from '#features/recommendations/contract.ts'
import { toMicros } from '#shared/money.ts'
import { chosenCategories, chosenProductTargets, targetMatchOf } from '../chosen-terms.ts'
import type { CreatePayload } from '../launch-schema.ts'
import type { GroupMatch } from '../templates.ts'
import { type LaunchAdvice, nameAFew, type PlanInput, type PlannedTarget, type WantedBid } from './launch-plan.ts'

type PlacedTarget = Omit<PlannedTarget, 'bid'> & WantedBid

/** At most so many recommended targets of a type. */
const RECOMMENDED = { CATEGORY: 5, PRODUCT: 25 }

/** The user's own targets, and of the recommended ones the others, up to `most` in all. */
function withRecommended(
  match: PlacedTarget['match'],
  own: readonly { value: string; name: string | null; bid: number }[],
  recommended: readonly Pick<PlacedTarget, 'value' | 'name' | 'suggested'>[],
  most: number,
): PlacedTarget[] {
  const chosen = own.map(({ value, name, bid }) => {
    const suggested = recommended.find(r => r.value === value)?.suggested ?? null
    return { match, value, name, ownBidMicros: toMicros(bid), suggested }
  })
  const others = recommended.filter(r => !own.some(o => o.value === r.value))
  const more = others.slice(0, Math.max(0, most - own.length))
  return [...chosen, ...more.map(target => ({ match, ...target, ownBidMicros: null }))]
}

/** The categories or products that an ad group targets: the user's own, and in smart mode the recommended ones. */
export function placeTargets(payload: CreatePayload, match: GroupMatch, advice: LaunchAdvice): PlacedTarget[] {
  const isSmart = payload.setupMode === 'SMART'
  if (match === 'CATEGORY') {
    const own = chosenCategories(payload).map(({ id, name, bid }) => ({ value: id, name, bid }))
    const recommended = advice.categories.map(({ id, name, suggested }) => ({ value: id, name, suggested }))
    return withRecommended(match, own, recommended, isSmart ? RECOMMENDED.CATEGORY : 0)
  }
  if (match !== 'PRODUCT_EXACT' && match !== 'PRODUCT_SIMILAR') return []
  const own = chosenProductTargets(payload)
    .filter(target => targetMatchOf(target, payload) === match)
    .map(({ asin, bid }) => ({ value: asin, name: null, bid }))
  const recommended = advice.products.map(({ asin, suggested }) => ({ value: asin, name: null, suggested }))
  const isUsual = match === (payload.productMatchType ?? 'PRODUCT_EXACT')
  return withRecommended(match, own, recommended, isSmart && isUsual ? RECOMMENDED.PRODUCT : 0)
}

/**
 * The advice without what smart mode must not target: the products themselves, categories that have nothing to do with them, and
 * products of the seller's own. What is left out of the last two is said in `warnings`.
 */
export function usedAdvice({ payload, products, advice }: PlanInput, warnings: string[]): LaunchAdvice {
  if (payload.setupMode === 'GUIDED') return advice
  const ownCategories = products.map(p => p.category)
  const isRelated = relatedCategories(advice.categories, ownCategories)
  const unrelated = advice.categories.filter(c => !isRelated(c)).map(c => c.name)
  const own = advice.products.filter(p => p.isOwn).map(p => p.asin)
  const leftOut = (names: string[], why: string) => {
    if (names.length)
      warnings.push(`${nameAFew(names)} ${names.length === 1 ? 'is' : 'are'} left out: recommended, but ${why}`)
  }
  leftOut(unrelated, 'not related to the products’ own categories.')
  leftOut(own, 'your own. To defend your product pages against competitors, target them in guided mode.')
  const advertised = new Set(payload.products.map(p => p.asin))
  return {
    ...advice,
    categories: advice.categories.filter(isRelated),
    products: advice.products.filter(p => !p.isOwn && !advertised.has(p.asin)),
  }
}
