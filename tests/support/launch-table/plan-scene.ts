import * as v from 'valibot'
import { createPayload, type CreatePayloadInput } from '#features/launches/launch-schema.ts'
import {
  type LaunchAdvice,
  type LaunchPlan,
  type PlanMarket,
  type PlanProduct,
} from '#features/launches/plan/launch-plan.ts'
import { planLaunch } from '#features/launches/plan/plan-launch.ts'
import { marketplaceByKey } from '#shared/marketplaces.ts'
import { fromMicros, toMicros } from '#shared/money.ts'

/** The facts of a market, as a launch is planned in it. */
export function marketOf(key: string, extra: Partial<PlanMarket> = {}): PlanMarket {
  const facts = marketplaceByKey(key)
  if (!facts) throw new Error(`no marketplace ${key}`)
  return { ...facts, accountType: 'seller', campaignPrefix: 'TL', ...extra }
}
/** The market of the United States. */
export const us = marketOf('US')

function range(low: number, median: number, high: number) {
  return {
    lowMicros: toMicros(low),
    medianMicros: toMicros(median),
    highMicros: toMicros(high),
  }
}
/** Advice of a marketplace that recommends nothing. */
export const noAdvice: Readonly<LaunchAdvice> = { keywords: [], auto: [], categories: [], products: [], brands: null }

/** Search terms that have nothing to do with each other. */
export const words = (n: number) => Array.from({ length: n }, (_, i) => `yoga mat ${i + 1}`)
/** What the marketplace advises for so many terms; bids are scaled. */
export function adviceOf(n: number, scale = 1): LaunchAdvice {
  return {
    keywords: words(n).flatMap(text => [
      { text, matchType: 'EXACT' as const, suggested: range(0.5 * scale, scale, 1.5 * scale) },
      { text, matchType: 'PHRASE' as const, suggested: range(0.4 * scale, 0.8 * scale, 1.2 * scale) },
      { text, matchType: 'BROAD' as const, suggested: range(0.3 * scale, 0.6 * scale, 0.9 * scale) },
    ]),
    auto: [
      { group: 'CLOSE_MATCH', suggested: range(0.4 * scale, 0.7 * scale, scale) },
      { group: 'LOOSE_MATCH', suggested: range(0.2 * scale, 0.3 * scale, 0.5 * scale) },
    ],
    categories: [{ id: '11', name: 'Mats', path: null, suggested: range(0.2 * scale, 0.4 * scale, 0.6 * scale) }],
    products: ['B0RIVAL001', 'B0RIVAL002'].map(asin => ({ asin, isOwn: false, suggested: null })),
    brands: null,
  }
}
/** A product of which nothing is known yet. */
export function product(extra: Partial<PlanProduct> = {}): PlanProduct {
  return {
    asin: 'B0TESTASIN',
    sku: 'MAT-1',
    title: 'Mat',
    category: null,
    brand: null,
    orderValueMicros: null,
    conversionRate: null,
    ...extra,
  }
}

/** A launch of one product, as the server reads it. */
export function payloadOf(input: Partial<CreatePayloadInput> = {}) {
  return v.parse(createPayload, {
    campaignName: 'Mats',
    budget: 100,
    targetAcos: 30,
    setupMode: 'SMART',
    template: 'SINGLE_PRODUCT_CAMPAIGN_FUNNEL',
    strategy: 'NORMAL',
    products: [{ asin: 'B0TESTASIN', sku: 'MAT-1' }],
    ...input,
  })
}
/** The plan of such a launch. */
export function plan(
  input: Partial<CreatePayloadInput> = {},
  { advice = adviceOf(80), market = us, products = [product()] } = {},
): LaunchPlan {
  return planLaunch({ payload: payloadOf(input), market, products, advice })
}

/** Every ad group of a plan. */
export const groupsOf = (p: LaunchPlan) => p.campaigns.flatMap(c => c.adGroups)
/** The ad group of a key. */
export function groupOf(p: LaunchPlan, key: string) {
  const group = groupsOf(p).find(g => g.key === key)
  if (!group) throw new Error(`no ad group ${key}`)
  return group
}
/** The keywords of an ad group. */
export const textsOf = (p: LaunchPlan, key: string) => groupOf(p, key).keywords.map(k => k.text)
/** The daily budgets, in the account’s currency. */
export const budgetsOf = (p: LaunchPlan) => p.campaigns.map(c => fromMicros(c.dailyBudgetMicros))
