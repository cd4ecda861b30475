import type { BidOptimizationStrategy, BrandCampaign, BrandPlacement } from '../../core/model/brands.ts'
import { badEnum, invalidArgument } from '../ads-failure.ts'
import { itemError } from '../entities/item-error.ts'
import { type Item, objectAt, optionalEnum } from '../entities/read-fields.ts'

type Bidding = Pick<BrandCampaign, 'bidOptimization' | 'bidOptimizationStrategy' | 'placements'>

const placements: readonly BrandPlacement[] = ['HOME', 'DETAIL_PAGE', 'OTHER', 'TOP_OF_SEARCH']
const strategies: readonly BidOptimizationStrategy[] = ['MAXIMIZE_IMMEDIATE_SALES', 'MAXIMIZE_NEW_TO_BRAND_CUSTOMERS']
const [LEAST, MOST] = [-99, 900]

// The vendor's own examples send "true" and "false" as text, and it takes them.
function readFlag(value: unknown, fallback: boolean): boolean {
  if (value === undefined || value === null) return fallback
  if (value === true || value === 'true') return true
  if (value === false || value === 'false') return false
  throw invalidArgument('Expected a boolean at bidding.bidOptimization')
}

function readPlacements(value: unknown): Bidding['placements'] {
  if (!Array.isArray(value) || value.length > 3)
    throw invalidArgument('Expected a list of at most 3 at bidding.bidAdjustmentsByPlacement')
  return (value as Item[]).map(({ placement, percentage }, i) => {
    const field = `bidding.bidAdjustmentsByPlacement[${i}]`
    const found = placements.find(one => one === placement)
    if (!found) throw badEnum(placement, `${field}.placement`, placements)
    const share = Number(percentage)
    if (!Number.isInteger(percentage) || share < LEAST || share > MOST)
      throw itemError('biddingError', 'BID_INVALID_PLACEMENT', {
        message: `The percentage must be a whole number from ${LEAST} to ${MOST}`,
        field: `${field}.percentage`,
        trigger: percentage,
        more: { lowerLimit: String(LEAST), upperLimit: String(MOST) },
      })
    return { placement: found, percentage: share }
  })
}

/**
 * Bidding as an item changes it: omitted parts stay unchanged. With optimization on, manual adjustments are ignored,
 * and turning it on removes the existing ones.
 */
export function readBrandBidding(value: unknown, before: Bidding): Bidding {
  const bidding = objectAt(value, 'bidding')
  const { bidOptimization, bidAdjustmentsByPlacement } = bidding
  const strategy = optionalEnum(bidding, 'bidOptimizationStrategy', strategies) ?? before.bidOptimizationStrategy
  const optimized = readFlag(bidOptimization, before.bidOptimization)
  const adjustments = bidAdjustmentsByPlacement ?? null
  const adjusted = adjustments === null ? before.placements : readPlacements(adjustments)
  return {
    bidOptimization: optimized,
    ...(strategy && { bidOptimizationStrategy: strategy }),
    placements: optimized ? [] : adjusted,
  }
}

/** Bidding on the wire: with optimization on, it names the strategy. */
export function biddingToWire({ bidOptimization, bidOptimizationStrategy, placements: adjusted }: Bidding): object {
  const [standard] = strategies
  const strategy = bidOptimizationStrategy ?? (bidOptimization ? standard : undefined)
  return {
    bidOptimization,
    ...(strategy && { bidOptimizationStrategy: strategy }),
    ...(adjusted.length > 0 && { bidAdjustmentsByPlacement: adjusted }),
  }
}
