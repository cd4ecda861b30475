export const adTypes = ['SPONSORED_PRODUCTS', 'SPONSORED_BRANDS', 'SPONSORED_DISPLAY'] as const
export type AdType = (typeof adTypes)[number]

/** Who advertises: the marketplace has other limits for vendors. */
export type AdvertiserType = 'seller' | 'vendor'

/** The most characters of a campaign's name (marketplace documentation, concepts/limits). */
export const maxNameLength = { seller: 128, vendor: 116 } as const satisfies Record<AdvertiserType, number>

/** Whether a target ACOS (percent) can be set: above 0, at most 100, in steps of 0.1. */
export const isTargetAcos = (percent: number): boolean =>
  percent > 0 && percent <= 100 && Number(percent.toFixed(1)) === percent

/**
 * How campaigns bid, by ad type: every strategy and placement that the marketplace has for it. Those of `needsRule` are
 * set by a bidding rule of the marketplace and never by a change of the campaign alone; with those of `automatic` the
 * marketplace chooses the placements by itself. Schemas, forms and the translation to the marketplace's own words follow
 * this table. Sources: the marketplace's specifications of Sponsored Products (version 3), Brands (version 4) and Display.
 */
export const bidControls = {
  SPONSORED_PRODUCTS: {
    strategies: ['SALES_DOWN_ONLY', 'SALES_UP_AND_DOWN', 'MANUAL', 'RULE_BASED'],
    needsRule: ['RULE_BASED'],
    automatic: [],
    placements: ['TOP_OF_SEARCH', 'PRODUCT_PAGE', 'REST_OF_SEARCH', 'SITE_AMAZON_BUSINESS'],
    mostPlacements: 4,
    percent: { least: 0, most: 900 },
  },
  SPONSORED_BRANDS: {
    strategies: ['AUTOMATIC_SALES', 'AUTOMATIC_NEW_TO_BRAND', 'MANUAL'],
    needsRule: [],
    automatic: ['AUTOMATIC_SALES', 'AUTOMATIC_NEW_TO_BRAND'],
    placements: ['TOP_OF_SEARCH', 'PRODUCT_PAGE', 'HOME_PAGE', 'OTHER_PLACEMENTS'],
    mostPlacements: 3,
    percent: { least: -99, most: 900 },
  },
  SPONSORED_DISPLAY: {
    strategies: [],
    needsRule: [],
    automatic: [],
    placements: [],
    mostPlacements: 0,
    percent: { least: 0, most: 0 },
  },
} as const satisfies Record<AdType, object>
export type BiddingStrategy<T extends AdType = AdType> = (typeof bidControls)[T]['strategies'][number]
export type Placement<T extends AdType = AdType> = (typeof bidControls)[T]['placements'][number]

interface BidControls {
  strategies: readonly BiddingStrategy[]
  needsRule: readonly BiddingStrategy[]
  automatic: readonly BiddingStrategy[]
  placements: readonly Placement[]
  mostPlacements: number
  percent: { least: number; most: number }
}
const controls: readonly BidControls[] = Object.values(bidControls)
/** Every strategy that a campaign of any ad type may have. */
export const biddingStrategies = [...new Set(controls.flatMap(one => one.strategies))]
/** Every placement for which any ad type can adjust its bids. */
export const placements = [...new Set(controls.flatMap(one => one.placements))]

const controlsOf = (adType: string): BidControls | undefined =>
  Object.hasOwn(bidControls, adType) ? bidControls[adType as AdType] : undefined
const needsRule = (strategy: BiddingStrategy): boolean => controls.some(one => one.needsRule.includes(strategy))

/** By how many percent campaigns of the ad type may change their bids at a placement. */
export const placementRange = (adType: string): { least: number; most: number } =>
  controlsOf(adType)?.percent ?? bidControls.SPONSORED_DISPLAY.percent

/** Whether the marketplace chooses the placements by itself, so that none can be adjusted. */
export const choosesPlacements = (strategy: string | null): boolean =>
  controls.flatMap(one => one.automatic).some(name => name === strategy)

/** Why a campaign of the ad type that bids by `strategy` cannot have these adjustments; null when it can. */
export function placementsProblem(
  adjusted: readonly { placement: Placement; percentage: number }[],
  adType: string,
  strategy: string | null,
): string | null {
  if (adjusted.some(one => !placementsOf(adType).includes(one.placement)))
    return 'This ad type does not have this placement'
  const raised = adjusted.filter(one => one.percentage !== 0)
  const { least, most } = placementRange(adType)
  if (raised.some(one => one.percentage < least || one.percentage > most))
    return `Must be a whole number from ${least} to ${most}`
  const count = controlsOf(adType)?.mostPlacements ?? 0
  if (raised.length > count) return `At most ${count} placements can be adjusted`
  return raised.length && choosesPlacements(strategy)
    ? 'The marketplace chooses the placements with this bidding strategy'
    : null
}

/** The strategies that a change of a campaign of the ad type can set. */
export const settableStrategies = (adType: string): BiddingStrategy[] =>
  (controlsOf(adType)?.strategies ?? []).filter(strategy => !needsRule(strategy))

/** The placements for which campaigns of the ad type can adjust their bids. */
export const placementsOf = (adType: string): readonly Placement[] => controlsOf(adType)?.placements ?? []

/** Why a change of the campaign alone cannot set a strategy, and what is needed; null when it can. */
export function strategyProblem(strategy: BiddingStrategy, adType: string): string | null {
  if (settableStrategies(adType).includes(strategy)) return null
  if (controlsOf(adType)?.strategies.includes(strategy))
    return 'Bidding by a rule needs a rule first: create a bidding rule with a target return for this campaign in the marketplace’s advertising console. The campaign must have run for 10 days and have 10 conversions in the last 30 days.'
  return 'This ad type does not have this bidding strategy.'
}

/** The highest bid adjustment of a placement in percent, of every ad type that has any. */
export const MAX_PLACEMENT_PERCENT = 900
/** The lowest one: only Sponsored Brands can bid less at a placement. */
export const MIN_PLACEMENT_PERCENT = -99

/** The most characters of an ad group's name (marketplace documentation, concepts/limits). */
export const MAX_AD_GROUP_NAME_LENGTH = 255

/** Why a name is too long for a campaign of the advertiser; null when it is not. */
export const nameLengthProblem = (name: string, advertiser: AdvertiserType): string | null =>
  name.length > maxNameLength[advertiser] ? `At most ${maxNameLength[advertiser]} characters` : null

/** Whether the first day of a campaign may still be changed: until it has come, and of Sponsored Products alone. */
export const isStartEditable = (campaign: { adType: string; startDate: string | null }, today: string): boolean =>
  campaign.adType === 'SPONSORED_PRODUCTS' && campaign.startDate !== null && campaign.startDate > today

/** Why a campaign cannot start on another day than so far; null when it can. */
export function startDateProblem(
  startDate: string,
  campaign: { adType: string; startDate: string | null },
  endDate: string | null,
  today: string,
): string | null {
  if (campaign.adType !== 'SPONSORED_PRODUCTS') return 'The first day of this ad type cannot be changed'
  if (!isStartEditable(campaign, today)) return 'The campaign has started, so its first day stays'
  if (startDate < today) return 'The first day must not lie in the past'
  return endDate !== null && startDate > endDate ? 'The first day must not come after the last' : null
}

/** What bids of Sponsored Display may be optimized for: views where the campaign pays for views, else what clicks bring. */
export const optimizationsLike = (current: string | null): readonly string[] =>
  current === 'REACH' ? ['REACH'] : ['CLICKS', 'CONVERSIONS']

/** Why a campaign cannot end on a day; null when it can. Null as the day means that it has no end. */
export function endDateProblem(endDate: string | null, startDate: string | null, today: string): string | null {
  if (endDate === null) return null
  if (endDate < today) return 'The last day must not lie in the past'
  return startDate !== null && endDate < startDate ? 'The last day must not come before the first' : null
}

/** A day may cost this many times the daily budget, as long as the month stays within its days' budgets. */
export const BUSY_DAY_FACTOR = 2

/** A strategy that raises bids at most doubles them. */
const raisingStrategies: readonly string[] = [
  'SALES_UP_AND_DOWN',
  'RULE_BASED',
  'AUTOMATIC_SALES',
  'AUTOMATIC_NEW_TO_BRAND',
]

/**
 * The most that a click may cost: the bid with the highest adjustment of a placement, doubled where the strategy raises
 * bids. Schedules that were set in the marketplace's console come on top.
 */
export function worstCaseClick(
  bid: number,
  bidding: { biddingStrategy: string | null; placements: readonly { percentage: number }[] },
): number {
  const highest = Math.max(0, ...bidding.placements.map(({ percentage }) => percentage))
  const raised = bidding.biddingStrategy !== null && raisingStrategies.includes(bidding.biddingStrategy)
  return bid * (1 + highest / 100) * (raised ? 2 : 1)
}
