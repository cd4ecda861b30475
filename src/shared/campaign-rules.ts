/** Who advertises: the marketplace has other limits for vendors. */
export type AdvertiserType = 'seller' | 'vendor'

/** The most characters of a campaign's name (marketplace documentation, concepts/limits). */
export const maxNameLength = { seller: 128, vendor: 116 } as const satisfies Record<AdvertiserType, number>

/** Whether a target ACOS (percent) can be set: above 0, at most 100, in steps of 0.1. */
export const isTargetAcos = (percent: number): boolean =>
  percent > 0 && percent <= 100 && Number(percent.toFixed(1)) === percent

/**
 * How campaigns bid, by mirrored ad type: every strategy and placement that the marketplace knows for it. Those of
 * `needsRule` are set by a bidding rule of the marketplace and never by a change of the campaign alone. Schemas, forms and
 * the translation to the marketplace's own words all follow this table; an ad type that is mirrored next gets its row here.
 */
export const bidControls = {
  SPONSORED_PRODUCTS: {
    strategies: ['SALES_DOWN_ONLY', 'SALES_UP_AND_DOWN', 'MANUAL', 'RULE_BASED'],
    needsRule: ['RULE_BASED'],
    placements: ['TOP_OF_SEARCH', 'PRODUCT_PAGE', 'REST_OF_SEARCH', 'SITE_AMAZON_BUSINESS'],
  },
} as const
export type AdType = keyof typeof bidControls
export type BiddingStrategy<T extends AdType = AdType> = (typeof bidControls)[T]['strategies'][number]
export type Placement<T extends AdType = AdType> = (typeof bidControls)[T]['placements'][number]
