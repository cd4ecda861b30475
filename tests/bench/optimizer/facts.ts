import type {
  CampaignFacts,
  DayFigures,
  Facts,
  FamilyFacts,
  TargetFacts,
  TermFacts,
} from '#features/optimizer/engine/facts.ts'
import { learnShown } from '#features/optimizer/engine/lag.ts'
import type { Store } from '#sandbox/core/model/store.ts'
import type { Market } from '#sandbox/market/create-market.ts'
import type { MessyAccount } from '#sandbox/scenarios/messy-account.ts'
import { adLimits } from '#shared/ad-limits.ts'
import { type MarketplaceFacts, marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { noFigures, type ReportedDay, type Reports } from './reports.ts'

/** What the engine starts from until it has learnt how late orders come. */
const shown = learnShown([], { windowDays: 7 })
const categoryRate = 0.08
const windowDays = 76
const suggestionTypes: Record<string, string> = {
  BROAD: 'KEYWORD_BROAD_MATCH',
  PHRASE: 'KEYWORD_PHRASE_MATCH',
  EXACT: 'KEYWORD_EXACT_MATCH',
}

/** The budgets that held at the end of each day, by campaign. */
export type BudgetBook = Map<string, Map<string, number>>

interface Sources {
  account: MessyAccount
  store: Store
  market: Market
  reports: Reports
  budgets: BudgetBook
}

/** The facts of the account's Sponsored Products as the product would gather them at that moment. */
export function gatherFacts(sources: Sources, today: string, at: Date): Facts {
  const { account, store, market, reports } = sources
  const days = reports.last(today, windowDays)
  const families = familiesOf(account, store)
  const familyOf = new Map<string, string>()
  for (const { adGroupId, sku } of store.productAds.values()) {
    const product = store.products.get(`${account.profile.sellerId}|${account.profile.marketplaceId}|${sku}`)
    if (product) familyOf.set(adGroupId, product.categoryId)
  }
  const targets = targetsOf(sources, days, familyOf)
  return {
    currency: account.profile.currency,
    reportedAt: at.toISOString(),
    shown,
    account: days.map(one => one.account),
    categoryRate,
    families,
    campaigns: [...store.campaigns.values()].map((campaign): CampaignFacts => {
      const raise = campaign.placements.find(one => one.placement === 'PLACEMENT_TOP')?.percentage ?? 0
      const figures = (book: 'campaigns' | 'top' | 'other'): DayFigures[] =>
        days.map(one => one[book].get(campaign.campaignId) ?? noFigures(one.account.day))
      return {
        id: campaign.campaignId,
        budgetMicros: campaign.budgetMicros,
        spentTodayMicros: market.budgetUsage(campaign.campaignId, at).spentMicros,
        strategyRaise: campaign.strategy === 'AUTO_FOR_SALES' ? 1 : 0,
        topRaise: raise / 100,
        ruleRaise: 0,
        adType: 'SPONSORED_PRODUCTS',
        costType: 'CPC',
        rules: [],
        limits: limitsOf(account),
        days: figures('campaigns').map(one => ({
          ...one,
          budgetMicros: sources.budgets.get(one.day)?.get(campaign.campaignId) ?? campaign.budgetMicros,
        })),
        places: { top: figures('top'), other: figures('other') },
      }
    }),
    targets,
    terms: termsOf(store, days, targets),
  }
}

const marketOf = ({ profile }: MessyAccount): MarketplaceFacts =>
  marketplaceByAmazonId(profile.marketplaceId) as MarketplaceFacts
export const limitsOf = (account: MessyAccount) => adLimits(marketOf(account), { adType: 'SPONSORED_PRODUCTS' })

function familiesOf({ margin, margins, profile }: MessyAccount, store: Store): FamilyFacts[] {
  const products = [...store.products.values()].filter(one => one.sellerId === profile.sellerId)
  return [...Map.groupBy(products, one => one.categoryId)].map(([id, ofFamily]) => {
    const skus = new Set(ofFamily.map(one => one.sku))
    const groups = new Set([...store.productAds.values()].filter(ad => skus.has(ad.sku ?? '')).map(ad => ad.adGroupId))
    const keyword = [...store.keywords.values()].find(one => one.matchType === 'EXACT' && groups.has(one.adGroupId))
    const page = [...store.targets.values()].find(
      one => one.expression[0]?.type === 'ASIN_SAME_AS' && groups.has(one.adGroupId),
    )
    const home = (one: { campaignId: string; adGroupId: string } | undefined) =>
      one ? { campaignId: one.campaignId, adGroupId: one.adGroupId } : null
    return {
      id,
      priceMicros: ofFamily.reduce((sum, one) => sum + one.priceMicros, 0) / ofFamily.length,
      margin: ofFamily.reduce((sum, one) => sum + (margins.get(one.asin) ?? margin), 0) / ofFamily.length,
      coverDays: null,
      brandWords: [...new Set(ofFamily.map(one => one.brand.toLowerCase()))],
      keywordHome: home(keyword),
      productHome: home(page),
    }
  })
}

function byKey(days: readonly ReportedDay[], book: 'targets' | 'terms'): Map<string, DayFigures[]> {
  const all = new Map<string, DayFigures[]>()
  for (const one of days)
    for (const [key, figures] of one[book]) {
      const list = all.get(key)
      if (list) list.push(figures)
      else all.set(key, [figures])
    }
  return all
}

function targetsOf({ account, store, market }: Sources, days: readonly ReportedDay[], familyOf: Map<string, string>) {
  const figures = byKey(days, 'targets')
  const impressions = new Map<string, number>()
  for (const one of days)
    for (const [id, count] of one.impressions) impressions.set(id, (impressions.get(id) ?? 0) + count)
  const asinsOf = Map.groupBy(store.productAds.values(), ad => ad.adGroupId)
  const suggestedHigh = (adGroupId: string, type: string, value?: string): number | null => {
    const asins = (asinsOf.get(adGroupId) ?? []).map(ad => ad.asin)
    const expression = value === undefined ? { type } : { type, value }
    return market.suggestBid(account.profile.profileId, asins, expression)?.highMicros ?? null
  }
  const common = (one: { campaignId: string; adGroupId: string; state: string; bidMicros: number | null }) => ({
    campaignId: one.campaignId,
    adGroupId: one.adGroupId,
    familyId: familyOf.get(one.adGroupId) ?? '',
    bidMicros: one.bidMicros ?? store.adGroups.get(one.adGroupId)?.defaultBidMicros ?? 0,
    isEnabled: one.state === 'ENABLED' && store.campaigns.get(one.campaignId)?.state === 'ENABLED',
  })
  const keywords = [...store.keywords.values()].map(
    (one): TargetFacts => ({
      id: one.keywordId,
      ...common(one),
      kind: 'keyword',
      matchType: one.matchType,
      text: one.keywordText.toLowerCase(),
      suggestedHighMicros: suggestedHigh(one.adGroupId, suggestionTypes[one.matchType] ?? '', one.keywordText),
      impressions: impressions.get(one.keywordId) ?? 0,
      days: figures.get(one.keywordId) ?? [],
    }),
  )
  const others = [...store.targets.values()].map((one): TargetFacts => {
    const { type = '', value } = one.expression[0] ?? {}
    return {
      id: one.targetId,
      ...common(one),
      kind: type === 'ASIN_SAME_AS' ? 'product' : 'auto',
      matchType: null,
      text: value ?? '',
      suggestedHighMicros: suggestedHigh(one.adGroupId, type, value),
      impressions: impressions.get(one.targetId) ?? 0,
      days: figures.get(one.targetId) ?? [],
    }
  })
  return [...keywords, ...others]
}

function termsOf(store: Store, days: readonly ReportedDay[], targets: readonly TargetFacts[]): TermFacts[] {
  const byId = new Map(targets.map(one => [one.id, one]))
  const negated = new Set([
    ...[...store.negativeKeywords.values()].map(one => `${one.adGroupId} ${one.keywordText.toLowerCase()}`),
    ...[...store.negativeTargets.values()].map(one => `${one.adGroupId} ${one.expression[0]?.value?.toUpperCase()}`),
  ])
  const targeted = new Set(
    targets
      .filter(one => one.matchType === 'EXACT' || one.kind === 'product')
      .map(one => `${one.familyId} ${one.text}`),
  )
  return [...byKey(days, 'terms')].flatMap(([key, figures]): TermFacts[] => {
    const gap = key.indexOf(' ')
    const source = byId.get(key.slice(0, gap))
    if (!source) return []
    const typed = key.slice(gap + 1)
    const isAsin = /^b0[0-9a-z]{8}$/.test(typed)
    const text = isAsin ? typed.toUpperCase() : typed
    return [
      {
        text,
        isAsin,
        targetId: source.id,
        campaignId: source.campaignId,
        adGroupId: source.adGroupId,
        familyId: source.familyId,
        isNegated: negated.has(`${source.adGroupId} ${text}`),
        isTargeted: targeted.has(`${source.familyId} ${text}`),
        days: figures,
      },
    ]
  })
}
