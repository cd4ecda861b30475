import type { BiddingStrategy, Placement } from '#shared/campaign-rules.ts'

/** The strategies as the marketplace's own console calls them. */
export const strategyWords: Record<BiddingStrategy, { label: string; hint: string }> = {
  SALES_DOWN_ONLY: {
    label: 'Dynamic bids: down only',
    hint: 'Bids are lowered when a click is less likely to become a sale.',
  },
  SALES_UP_AND_DOWN: {
    label: 'Dynamic bids: up and down',
    hint: 'Bids are also raised, to at most double, when a sale is more likely.',
  },
  MANUAL: { label: 'Fixed bids', hint: 'Every bid is used as it stands.' },
  RULE_BASED: {
    label: 'By a rule',
    hint: 'A bidding rule in the marketplace’s advertising console sets the bids. Another choice ends this.',
  },
}
const others: Record<string, string> = { OTHER: 'Another strategy' }

/** What a strategy is called; those that cannot be chosen here too. */
export const strategyLabel = (strategy: string | null): string =>
  strategy === null ? '–' : (strategyWords[strategy as BiddingStrategy]?.label ?? others[strategy] ?? strategy)

/** Where an ad may stand, as the marketplace's own console calls it. */
export const placementWords: Record<Placement, string> = {
  TOP_OF_SEARCH: 'Top of search',
  PRODUCT_PAGE: 'Product pages',
  REST_OF_SEARCH: 'Rest of search',
  SITE_AMAZON_BUSINESS: 'Amazon Business',
}

/** What a placement is called; those that are not known here by the marketplace's own word. */
export const placementLabel = (placement: string): string => placementWords[placement as Placement] ?? placement
