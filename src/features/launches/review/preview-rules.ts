import { type ChosenBid, presentBid } from '#features/recommendations/contract.ts'
import { fromMicros, toMicros, type Micros } from '#shared/money.ts'
import type { CreatePayload } from '../launch-schema.ts'
import { worstCaseCpc } from '../plan/bid-caps.ts'
import { isBrand, namesBrand } from '../plan/brand-terms.ts'
import {
  type LaunchPlan,
  nameAFew,
  type PlannedAdGroup,
  type PlannedCampaign,
  type PlanProduct,
} from '../plan/launch-plan.ts'
import { BUSY_DAY_FACTOR, bidsOf, clicksADay, expectedCpc, forecastOf } from './forecast.ts'
import { type Notice, noticesOf, type ReviewFacts } from './notices.ts'
import type { LaunchPreview } from './preview-schema.ts'

type PreviewCampaign = LaunchPreview['campaigns'][number]

function previewAdGroup(
  group: PlannedAdGroup,
  campaign: PlannedCampaign,
  currency: string,
  products: readonly PlanProduct[],
): PreviewCampaign['adGroups'][number] {
  const { name, phase, match, strategy, negativeKeywords, negativePhrases } = group
  const isOwnBrand = namesBrand(products.map(p => p.brand))
  const fieldsOf = (bid: ChosenBid) => ({
    ...presentBid(bid, strategy, currency),
    worstCaseCpc: fromMicros(worstCaseCpc(bid.micros, campaign)),
  })
  return {
    name,
    phase,
    match,
    defaultBid: fromMicros(group.defaultBid.micros),
    products: group.products.map(p => ({ ...p, title: products.find(({ asin }) => asin === p.asin)?.title ?? null })),
    keywords: group.keywords.map(({ text, matchType, bid }) => ({
      keyword: text,
      matchType,
      isOwnBrand: isOwnBrand(text),
      ...fieldsOf(bid),
    })),
    autoTargets: group.autoTargets.map(({ bid, ...target }) => ({ ...target, ...fieldsOf(bid) })),
    targets: group.targets.map(({ bid, ...target }) => ({ ...target, ...fieldsOf(bid) })),
    negativeKeywords,
    negativePhrases,
  }
}

// Where brand terms are to be kept apart the plan itself says which brand is not known.
function brandNotices(payload: CreatePayload, groups: PlannedAdGroup[], products: readonly PlanProduct[]): Notice[] {
  const unknown = products.filter(p => !isBrand(p.brand)).map(p => p.asin)
  if (payload.separateBrandTerms || !unknown.length || !groups.some(g => g.keywords.length)) return []
  const message = `Brand unknown for ${nameAFew(unknown)}: terms of its own brand cannot be distinguished from generic ones.`
  return [{ kind: 'PLAN', message, details: [] }]
}

/** A plan as people read it: decimal money, why each bid is what it is, and what it may cost at worst. */
export function previewOf(
  payload: CreatePayload,
  plan: LaunchPlan,
  products: readonly PlanProduct[],
  facts: ReviewFacts,
): LaunchPreview {
  const { currency } = plan
  const groups = plan.campaigns.flatMap(c => c.adGroups)
  const notices = [...noticesOf(plan, facts), ...brandNotices(payload, groups, products)]
  const count = (of: (group: PlannedAdGroup) => unknown[]) => groups.flatMap(of).length
  const total = toMicros(payload.budget)
  const { spend, ...forecast } = forecastOf(plan, products)
  const campaigns = plan.campaigns.map((campaign): PreviewCampaign => {
    const { name, phase, targetingType, biddingStrategy, topOfSearchPercent, dailyBudgetMicros } = campaign
    const worst = Math.max(0, ...bidsOf(campaign).map(bid => worstCaseCpc(bid.micros, campaign)))
    return {
      name,
      phase,
      targetingType,
      budget: fromMicros(dailyBudgetMicros),
      clicksPerDay: clicksADay(dailyBudgetMicros, expectedCpc(campaign)),
      budgetShare: Math.round((dailyBudgetMicros / total) * 1000) / 10,
      busyDaySpend: fromMicros(dailyBudgetMicros * BUSY_DAY_FACTOR),
      biddingStrategy,
      topOfSearchPercent,
      worstCaseCpc: fromMicros(worst),
      adGroups: campaign.adGroups.map(g => previewAdGroup(g, campaign, currency, products)),
    }
  })
  return {
    currency,
    budget: payload.budget,
    busyDaySpend: fromMicros(total * BUSY_DAY_FACTOR),
    worstCaseCpc: Math.max(0, ...campaigns.map(c => c.worstCaseCpc)),
    targetAcos: payload.targetAcos,
    campaigns,
    totals: {
      campaigns: campaigns.length,
      adGroups: groups.length,
      productAds: count(g => g.products),
      keywords: count(g => g.keywords),
      targets: count(g => [...g.targets, ...g.autoTargets]),
      negativeKeywords: count(g => [...g.negativeKeywords, ...g.negativePhrases]),
    },
    forecast: { ...forecast, spend: { low: fromMicros(spend.lowMicros), high: fromMicros(spend.highMicros) } },
    notices,
    warnings: [...new Set(notices.map(n => n.message))],
    breakEvenAcos: facts.breakEvenAcos,
    breakEvenKnownFor: facts.breakEvenKnownFor,
  }
}

interface BreakEven {
  /** Percent: with a higher ACOS an average sale through ads loses money; 0 where it does so without ads. */
  acos: number | null
  unknownBecause: string | null
}

const unknown = (unknownBecause: string): BreakEven => ({ acos: null, unknownBecause })

type UnitEconomics = Record<'priceMicros' | 'cogsMicros' | 'feesMicros', Micros | null>

/**
 * Break-even ACOS of one piece of a product = (price − COGS − fees, as the marketplace estimates them) ÷ price; null, with the
 * reason, while one of them is not known.
 */
export function breakEvenOf({ priceMicros, cogsMicros, feesMicros }: UnitEconomics): BreakEven {
  if (!priceMicros) return unknown('The price is not known.')
  if (cogsMicros === null) return unknown('COGS is missing: enter it in the inventory.')
  if (feesMicros === null) return unknown('The marketplace’s fees are not known yet.')
  const margin = (priceMicros - cogsMicros - feesMicros) / priceMicros
  return { acos: Math.max(0, Math.floor(margin * 1000) / 10), unknownBecause: null }
}

/** Of several products the one with least to spare decides; null while none is known. */
export function lowestBreakEven(all: readonly BreakEven[]): number | null {
  const figures = all.flatMap(one => one.acos ?? [])
  return figures.length ? Math.min(...figures) : null
}

/** What the figure leaves out. */
export const BREAK_EVEN_CAVEAT =
  'Price less COGS and the marketplace’s own estimate of its fees. Taxes included in the price, returns and overheads are not deducted.'
