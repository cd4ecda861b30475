import type * as ads from '#integrations/amazon-ads/index.ts'
import type { MirrorRow } from '../sql/upsert-mirror.ts'

const json = (value: unknown): string => JSON.stringify(value)

/** What a target is called where people read it: its products or groups by name. */
const targetText = (target: Pick<ads.Target, 'expression' | 'resolvedExpression'>): string => {
  const shown = target.resolvedExpression.length ? target.resolvedExpression : target.expression
  return shown.map(part => (part.value === null ? part.type : `${part.type}: ${part.value}`)).join(', ')
}

/** The marketplace's entities as rows of the mirror. */
export const mirrorRows = {
  campaign: (c: ads.Campaign): MirrorRow => ({
    amazon_id: c.campaignId,
    name: c.name,
    targeting_type: c.targetingType,
    daily_budget_micros: c.dailyBudgetMicros,
    bidding_strategy: c.bidding.strategy,
    bidding: json(c.bidding),
    start_date: c.startDate || null,
    end_date: c.endDate,
    portfolio_amazon_id: c.portfolioId,
    state: c.state,
    serving_status: c.servingStatus,
  }),
  adGroup: (g: ads.AdGroup): MirrorRow => ({
    amazon_id: g.adGroupId,
    campaign: g.campaignId,
    name: g.name,
    default_bid_micros: g.defaultBidMicros,
    state: g.state,
    serving_status: g.servingStatus,
  }),
  productAd: (ad: ads.ProductAd): MirrorRow => ({
    amazon_id: ad.adId,
    ad_group: ad.adGroupId,
    asin: ad.asin,
    sku: ad.sku,
    state: ad.state,
    serving_status: ad.servingStatus,
  }),
  keyword: (k: ads.Keyword): MirrorRow => ({
    amazon_id: k.keywordId,
    ad_group: k.adGroupId,
    kind: 'KEYWORD',
    text: k.text,
    match_type: k.matchType,
    expression: null,
    bid_micros: k.bidMicros,
    state: k.state,
    serving_status: k.servingStatus,
  }),
  target: (t: ads.Target): MirrorRow => ({
    amazon_id: t.targetId,
    ad_group: t.adGroupId,
    kind: t.expressionType === 'AUTO' ? 'AUTO' : 'PRODUCT',
    text: targetText(t),
    match_type: null,
    expression: json(t.expression),
    bid_micros: t.bidMicros,
    state: t.state,
    serving_status: t.servingStatus,
  }),
  negativeKeyword: (n: ads.NegativeKeyword): MirrorRow => ({
    amazon_id: n.keywordId,
    campaign: n.campaignId,
    ad_group: n.adGroupId,
    kind: 'KEYWORD',
    text: n.text,
    match_type: n.matchType,
    expression: null,
    state: n.state,
    serving_status: n.servingStatus,
  }),
  negativeTarget: (n: ads.NegativeTarget): MirrorRow => ({
    amazon_id: n.targetId,
    campaign: n.campaignId,
    ad_group: n.adGroupId,
    kind: 'PRODUCT',
    text: targetText(n),
    match_type: null,
    expression: json(n.expression),
    state: n.state,
    serving_status: n.servingStatus,
  }),
}
