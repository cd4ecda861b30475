import { type ChosenBid, explainBid, type Strategy } from '#features/recommendations/contract.ts'
import { type Micros, fromMicros, toMicros } from '#shared/money.ts'
import { worstCaseCpc } from '../plan/bid-caps.ts'
import { BUSY_DAY_FACTOR, bidsOf, expectedCpc, forecastOf } from './forecast.ts'
import { clicksADay } from './forecast.ts'
import type { LaunchPlan, PlannedAdGroup, PlannedCampaign, PlanProduct } from '../plan/launch-plan.ts'
import { nameAFew } from '../plan/launch-plan.ts'
import { isBrand, namesBrand } from '../plan/brand-terms.ts'
import { type Notice, noticesOf, type ReviewFacts } from './notices.ts'
import type { CreatePayload } from '../launch-schema.ts'
import type { LaunchPreview } from './preview-schema.ts'

type PreviewCampaign = LaunchPreview['campaigns'][number]

const amountOf = (micros: Micros | undefined): number | null => (micros === undefined ? null : fromMicros(micros))

function bidFields(bid: ChosenBid, campaign: PlannedCampaign, strategy: Strategy, currency: string) {
  return {
    bid: fromMicros(bid.micros),
    lowBid: amountOf(bid.suggested?.lowMicros),
    medianBid: amountOf(bid.suggested?.medianMicros),
    highBid: amountOf(bid.suggested?.highMicros),
    worstCaseCpc: fromMicros(worstCaseCpc(bid.micros, campaign)),
    why: explainBid(bid, strategy, currency),
  }
}

function previewAdGroup(
  group: PlannedAdGroup,
  campaign: PlannedCampaign,
  currency: string,
  products: readonly PlanProduct[],
): PreviewCampaign['adGroups'][number] {
  const isOwnBrand = namesBrand(products.map(p => p.brand))
  const fieldsOf = (bid: ChosenBid) => bidFields(bid, campaign, group.strategy, currency)
  return {
    name: group.name,
    phase: group.phase,
    match: group.match,
    defaultBid: fromMicros(group.defaultBid.micros),
    products: group.products.map(({ asin, sku }) => ({
      asin,
      sku,
      title: products.find(p => p.asin === asin)?.title ?? null,
    })),
    keywords: group.keywords.map(k => ({
      keyword: k.text,
      matchType: k.matchType,
      isOwnBrand: isOwnBrand(k.text),
      ...fieldsOf(k.bid),
    })),
    autoTargets: group.autoTargets.map(t => ({ group: t.group, ...fieldsOf(t.bid) })),
    targets: group.targets.map(t => ({ match: t.match, value: t.value, name: t.name, ...fieldsOf(t.bid) })),
    negativeKeywords: group.negativeKeywords,
    negativePhrases: group.negativePhrases,
  }
}

const worstOf = (campaign: PlannedCampaign): number =>
  fromMicros(Math.max(0, ...bidsOf(campaign).map(bid => worstCaseCpc(bid.micros, campaign))))

const count = (plan: LaunchPlan, of: (group: PlannedAdGroup) => unknown[]): number =>
  plan.campaigns.flatMap(c => c.adGroups).reduce((sum, g) => sum + of(g).length, 0)

// Where brand terms are to be kept apart the plan itself says which brand is not known.
function brandNotices(payload: CreatePayload, plan: LaunchPlan, products: readonly PlanProduct[]): Notice[] {
  const unknown = products.filter(p => !isBrand(p.brand)).map(p => p.asin)
  if (payload.separateBrandTerms || !unknown.length || !count(plan, g => g.keywords)) return []
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
  const notices = [...noticesOf(plan, facts), ...brandNotices(payload, plan, products)]
  const { currency } = plan
  const total = toMicros(payload.budget)
  const forecast = forecastOf(plan, products)
  const campaigns = plan.campaigns.map(campaign => ({
    name: campaign.name,
    phase: campaign.phase,
    targetingType: campaign.targetingType,
    budget: fromMicros(campaign.dailyBudgetMicros),
    clicksPerDay: clicksADay(campaign.dailyBudgetMicros, expectedCpc(campaign)),
    budgetShare: Math.round((campaign.dailyBudgetMicros / total) * 1000) / 10,
    busyDaySpend: fromMicros(campaign.dailyBudgetMicros * BUSY_DAY_FACTOR),
    biddingStrategy: campaign.biddingStrategy,
    topOfSearchPercent: campaign.topOfSearchPercent,
    worstCaseCpc: worstOf(campaign),
    adGroups: campaign.adGroups.map(g => previewAdGroup(g, campaign, currency, products)),
  }))
  return {
    currency,
    budget: payload.budget,
    busyDaySpend: fromMicros(total * BUSY_DAY_FACTOR),
    worstCaseCpc: Math.max(0, ...campaigns.map(c => c.worstCaseCpc)),
    targetAcos: payload.targetAcos,
    campaigns,
    totals: {
      campaigns: plan.campaigns.length,
      adGroups: plan.campaigns.flatMap(c => c.adGroups).length,
      productAds: count(plan, g => g.products),
      keywords: count(plan, g => g.keywords),
      targets: count(plan, g => g.targets) + count(plan, g => g.autoTargets),
      negativeKeywords: count(plan, g => [...g.negativeKeywords, ...g.negativePhrases]),
    },
    forecast: {
      spend: { low: fromMicros(forecast.spend.lowMicros), high: fromMicros(forecast.spend.highMicros) },
      clicks: forecast.clicks,
      orders: forecast.orders,
      source: forecast.source,
      caveat: forecast.caveat,
    },
    notices,
    warnings: [...new Set(notices.map(n => n.message))],
    breakEvenAcos: facts.breakEvenAcos,
    breakEvenKnownFor: facts.breakEvenKnownFor,
  }
}
