import {
  type AdType,
  type AdvertiserType,
  bidControls,
  type BiddingStrategy,
  maxNameLength,
  type Placement,
} from '#shared/campaign-rules.ts'

const adTypes = Object.values(bidControls)
/** Every strategy that a campaign of any mirrored ad type may have. */
export const biddingStrategies = adTypes.flatMap(one => one.strategies)
/** Every placement that any mirrored ad type can bid on higher. */
export const placements = adTypes.flatMap(one => one.placements)

const controlsOf = (adType: string) => (Object.hasOwn(bidControls, adType) ? bidControls[adType as AdType] : undefined)
const needsRule = (strategy: string): boolean => adTypes.some(one => one.needsRule.some(it => it === strategy))

/** The strategies that a change of a campaign of the ad type can set. */
export const settableStrategies = (adType: string): BiddingStrategy[] =>
  (controlsOf(adType)?.strategies ?? []).filter(one => !needsRule(one))

/** The placements that campaigns of the ad type can bid on higher. */
export const placementsOf = (adType: string): readonly Placement[] => controlsOf(adType)?.placements ?? []

/** Why a strategy cannot be set by a change of the campaign alone, and what is needed; null when it can. */
export const strategyProblem = (strategy: BiddingStrategy, adType: string): string | null => {
  if (settableStrategies(adType).includes(strategy)) return null
  if (controlsOf(adType)?.strategies.includes(strategy))
    return 'Bidding by a rule needs a rule first: create a bidding rule with a target return for this campaign in the marketplace’s advertising console. The campaign must have run for 10 days and have 10 conversions in the last 30 days.'
  return 'Campaigns of this ad type have no such bidding strategy.'
}

/** Percent on top of the bid, at most (marketplace's Sponsored Products specification). */
export const MAX_PLACEMENT_PERCENT = 900

/** Of ad groups (marketplace documentation, concepts/limits). */
export const MAX_AD_GROUP_NAME_LENGTH = 255

/** Why a name is too long for a campaign of the advertiser; null when it is not. */
export const nameLengthProblem = (name: string, advertiser: AdvertiserType): string | null =>
  name.length > maxNameLength[advertiser] ? `At most ${maxNameLength[advertiser]} characters` : null

/** Why a campaign cannot end on a day; null when it can. Null as the day means that it has no end. */
export const endDateProblem = (endDate: string | null, startDate: string | null, today: string): string | null => {
  if (endDate === null) return null
  if (endDate < today) return 'The last day must not lie in the past'
  return startDate !== null && endDate < startDate ? 'The last day must not come before the first' : null
}
