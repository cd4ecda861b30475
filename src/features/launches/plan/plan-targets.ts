import type { TargetMatch } from '../templates.ts'
import { type Micros, toMicros } from '#shared/money.ts'
import { relatedCategories, type SuggestedBids } from '#features/recommendations/contract.ts'
import type { LaunchAdvice, PlanInput } from './launch-plan.ts'
import type { CreatePayload } from '../launch-schema.ts'
import { chosenCategories, chosenProductTargets } from '../chosen-terms.ts'
import { nameAFew } from './launch-plan.ts'
import type { GroupShape } from './plan-structure.ts'

export interface PlacedTarget {
  match: TargetMatch
  value: string
  name: string | null
  ownBidMicros: Micros | null
  suggested: SuggestedBids | null
}

/** At most so many recommended targets of a type. */
const RECOMMENDED = { CATEGORY: 5, PRODUCT: 25 }

function categoryTargets(payload: CreatePayload, advice: LaunchAdvice): PlacedTarget[] {
  const own = chosenCategories(payload).map(({ id, name, bid }) => ({
    match: 'CATEGORY' as const,
    value: id,
    name,
    ownBidMicros: toMicros(bid),
    suggested: advice.categories.find(c => c.id === id)?.suggested ?? null,
  }))
  if (payload.setupMode === 'GUIDED') return own
  const more = advice.categories
    .filter(c => !own.some(o => o.value === c.id))
    .slice(0, Math.max(0, RECOMMENDED.CATEGORY - own.length))
    .map(c => ({ match: 'CATEGORY' as const, value: c.id, name: c.name, ownBidMicros: null, suggested: c.suggested }))
  return [...own, ...more]
}

function productTargets(
  payload: CreatePayload,
  match: 'PRODUCT_EXACT' | 'PRODUCT_SIMILAR',
  advice: LaunchAdvice,
): PlacedTarget[] {
  const usual = payload.productMatchType ?? 'PRODUCT_EXACT'
  const own = chosenProductTargets(payload)
    .filter(t => (t.matchType ?? usual) === match)
    .map(({ asin, bid }) => ({
      match,
      value: asin,
      name: null,
      ownBidMicros: toMicros(bid),
      suggested: advice.products.find(p => p.asin === asin)?.suggested ?? null,
    }))
  if (payload.setupMode === 'GUIDED' || match !== usual) return own
  const advertised = new Set(payload.products.map(p => p.asin))
  const more = advice.products
    .filter(p => !advertised.has(p.asin) && !own.some(o => o.value === p.asin))
    .slice(0, Math.max(0, RECOMMENDED.PRODUCT - own.length))
    .map(p => ({ match, value: p.asin, name: null, ownBidMicros: null, suggested: p.suggested }))
  return [...own, ...more]
}

/**
 * The advice without what smart mode must not target: categories that have nothing to do with the products, and products of the
 * seller's own. What is left out is said in `warnings`.
 */
export function usedAdvice({ payload, products, advice }: PlanInput, warnings: string[]): LaunchAdvice {
  if (payload.setupMode === 'GUIDED') return advice
  const isRelated = relatedCategories(
    advice.categories,
    products.map(p => p.category),
  )
  const unrelated = advice.categories.filter(c => !isRelated(c))
  const own = advice.products.filter(p => p.isOwn)
  if (unrelated.length)
    warnings.push(
      `${nameAFew(unrelated.map(c => c.name))} ${unrelated.length === 1 ? 'is' : 'are'} left out: recommended, but not related to the products’ own categories.`,
    )
  if (own.length)
    warnings.push(
      `${nameAFew(own.map(p => p.asin))} ${own.length === 1 ? 'is' : 'are'} left out: recommended, but your own. To defend your product pages against competitors, target them in guided mode.`,
    )
  return {
    ...advice,
    categories: advice.categories.filter(isRelated),
    products: advice.products.filter(p => !p.isOwn),
  }
}

/** The categories or products that an ad group targets: the user's own, and in smart mode the recommended ones. */
export function placeTargets(payload: CreatePayload, group: GroupShape, advice: LaunchAdvice): PlacedTarget[] {
  switch (group.match) {
    case 'CATEGORY':
      return categoryTargets(payload, advice)
    case 'PRODUCT_EXACT':
    case 'PRODUCT_SIMILAR':
      return productTargets(payload, group.match, advice)
    default:
      return []
  }
}
