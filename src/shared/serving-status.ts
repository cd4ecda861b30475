/**
 * Why something serves or does not, as the marketplace's serving status says. RUNS: it can be shown. OFF: a person paused
 * or archived it, or it is not its time. MONEY: a budget or payment stops it. PRODUCT: the product cannot be advertised
 * now. REVIEW: the marketplace looks at it. REJECTED: the marketplace does not allow it. SETUP: something is missing.
 */
export const servingKinds = ['RUNS', 'OFF', 'MONEY', 'PRODUCT', 'REVIEW', 'REJECTED', 'SETUP', 'UNKNOWN'] as const
export type ServingKind = (typeof servingKinds)[number]

export interface Serving {
  kind: ServingKind
  /** In a seller's words, a whole sentence; empty where it runs. */
  reason: string
}

// A status is a level and a reason: CAMPAIGN_OUT_OF_BUDGET. Without a level it is the entity's own.
const levels: readonly (readonly [prefix: string, words: string])[] = [
  ['ADVERTISER_ACCOUNT_', 'The advertising account'],
  ['ADVERTISER_', 'The advertising account'],
  ['ACCOUNT_', 'The advertising account'],
  ['PORTFOLIO_', 'Its portfolio'],
  ['CAMPAIGN_', 'The campaign'],
  ['AD_GROUP_', 'The ad group'],
  ['TARGETING_CLAUSE_', 'The keyword or target'],
  ['SECURITY_SCAN_', 'A security scan of the ad'],
  ['AD_', 'The ad'],
]

const reasons: Readonly<Record<string, readonly [ServingKind, (who: string) => string]>> = {
  STATUS_ENABLED: ['RUNS', () => ''],
  STATUS_LIVE: ['RUNS', () => ''],
  ELIGIBLE: ['RUNS', () => ''],
  PAUSED: ['OFF', who => `${who} is paused.`],
  ARCHIVED: ['OFF', who => `${who} is archived.`],
  ENDED: ['OFF', who => `${who} has ended: its last day is over.`],
  PENDING_START_DATE: ['OFF', who => `${who} has not started yet.`],
  OUT_OF_BUDGET: ['MONEY', who => `${who} has used up its budget. It continues when the budget resets or is raised.`],
  EXCEED_SPENDS_LIMIT: ['MONEY', who => `${who} has reached its spending limit.`],
  PAYMENT_FAILURE: ['MONEY', () => 'A payment to the marketplace failed. Check the payment method there.'],
  PENDING_REVIEW: ['REVIEW', who => `${who} is being reviewed by the marketplace.`],
  POLICING_PENDING_REVIEW: ['REVIEW', who => `${who} is being reviewed by the marketplace.`],
  POLICING_SUSPENDED: ['REJECTED', who => `${who} was suspended by the marketplace.`],
  POLICING_CREATIVE_REJECTED: ['REJECTED', () => 'The marketplace rejected the creative of the ad group.'],
  REJECTED: ['REJECTED', who => `${who} was rejected by the marketplace.`],
  BLOCKED: ['REJECTED', who => `${who} is blocked by the marketplace.`],
  INCOMPLETE: ['SETUP', who => `${who} is incomplete: it needs an ad, and a keyword or target.`],
  LOW_BID: ['SETUP', who => `The bid of ${lower(who)} is too low to win an auction.`],
  ADS_NOT_DELIVERING: ['SETUP', who => `No ad of ${lower(who)} can be shown.`],
  CREATION_FAILED: ['SETUP', () => 'The marketplace could not create the ad.'],
  CREATION_OFFLINE_FAILED: ['SETUP', () => 'The marketplace could not create the ad.'],
  CREATION_OFFLINE_IN_PROGRESS: ['REVIEW', () => 'The marketplace is creating the ad.'],
  CREATION_OFFLINE_PENDING: ['REVIEW', () => 'The marketplace is creating the ad.'],
  INELIGIBLE: ['PRODUCT', () => 'The product cannot be advertised now.'],
  PIR_RULE_EXCLUDED: ['PRODUCT', () => 'A rule of the marketplace excludes the product from ads.'],
  NOT_BUYABLE: ['PRODUCT', () => 'The product cannot be bought now.'],
  NOT_IN_BUYBOX: ['PRODUCT', () => 'Another seller has the featured offer, so the ad is not shown.'],
  NO_PURCHASABLE_OFFER: ['PRODUCT', () => 'The product has no offer that can be bought.'],
  NO_INVENTORY: ['PRODUCT', () => 'The product is out of stock.'],
  OUT_OF_STOCK: ['PRODUCT', () => 'The product is out of stock.'],
  MISSING_IMAGE: ['PRODUCT', () => 'The product has no image.'],
  MISSING_DECORATION: ['PRODUCT', () => 'The product’s listing is incomplete, so the ad cannot be drawn.'],
  LANDING_PAGE_NOT_AVAILABLE: ['PRODUCT', () => 'The product’s page is not available.'],
}

const lower = (who: string): string => who[0]?.toLowerCase() + who.slice(1)

/**
 * The meaning of a serving status of any ad type; null where the marketplace gave none. A status that it added since is
 * UNKNOWN and shown as its own words. Source: the marketplace's CampaignServingStatus, AdGroupServingStatus,
 * AdServingStatus and KeywordServingStatus.
 */
export function servingOf(status: string | null | undefined, own = 'This'): Serving | null {
  if (!status) return null
  const whole = reasons[status]
  if (whole) return { kind: whole[0], reason: whole[1](own) }
  for (const [prefix, who] of levels) {
    const found = status.startsWith(prefix) && reasons[status.slice(prefix.length)]
    if (found) return { kind: found[0], reason: found[1](who) }
  }
  return { kind: 'UNKNOWN', reason: `The marketplace says: ${status.toLowerCase().replaceAll('_', ' ')}.` }
}

/** Every status that `servingOf` gives this kind; those that are UNKNOWN cannot be listed. */
export function statusesOf(kind: Exclude<ServingKind, 'UNKNOWN'>): string[] {
  return Object.entries(reasons).flatMap(([reason, [of]]) =>
    of === kind ? [reason, ...levels.map(([prefix]) => prefix + reason)] : [],
  )
}
