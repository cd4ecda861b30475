import { fromMicros, roundToUnit } from '#shared/money.ts'
import type { Placement } from '../../core/model/store.ts'
import type { BidRange, Forecast } from '../../market/market.ts'
import type { AdsCaller } from '../ads-caller.ts'

/** An expression with the bids suggested for it. */
export interface SuggestedBids {
  expression: { type: string; value?: string }
  range: BidRange
}

/** The fewest keywords of an ad group that get clicks and orders; automatic targets need not be so many. */
const FEWEST_KEYWORDS = 5
const placements = ['PLACEMENT_TOP', 'PLACEMENT_REST_OF_SEARCH', 'PLACEMENT_PRODUCT_PAGE'] as const

const rangeOf = (mean: number) => ({ lower: Math.floor(mean * 0.86), upper: Math.ceil(mean * 1.14) })

const sumOf = (prospects: readonly Forecast[], figure: 'impressions' | 'clicks' | 'orders'): number =>
  prospects.reduce((sum, prospect) => sum + prospect[figure], 0)

/**
 * Weekly clicks and orders of similar products at the low, middle and high bids of a whole ad group. Null for keywords
 * that are too few.
 */
export function impactMetricsOf(
  { world, profile }: AdsCaller,
  asins: string[],
  suggested: readonly SuggestedBids[],
): object | null {
  const keywords = suggested.filter(({ expression }) => expression.type.startsWith('KEYWORD_')).length
  if (keywords > 0 && keywords < FEWEST_KEYWORDS) return null
  const levels = (['lowMicros', 'medianMicros', 'highMicros'] as const).map(level =>
    world.market().forecast(
      profile.profileId,
      asins,
      suggested.map(({ expression, range }) => ({ expression, bidMicros: range[level] })),
    ),
  )
  return {
    clicks: { values: levels.map(prospects => rangeOf(sumOf(prospects, 'clicks'))) },
    orders: { values: levels.map(prospects => rangeOf(sumOf(prospects, 'orders'))) },
  }
}

const prospectsAt = (caller: AdsCaller, asins: string[], { expression }: SuggestedBids, bidMicros: number) =>
  caller.world.market().forecast(caller.profile.profileId, asins, [{ expression, bidMicros }])

/** Impressions to be expected in a week at the suggested bid of one expression. */
export function suggestedImpactOf(caller: AdsCaller, asins: string[], bids: SuggestedBids): object {
  const { lower, upper } = rangeOf(sumOf(prospectsAt(caller, asins, bids, bids.range.medianMicros), 'impressions'))
  return { estimatedImpressionLower: lower, estimatedImpressionUpper: upper }
}

/** Eight bids around the suggested ones, lowest first. */
function eightBids({ lowMicros, medianMicros, highMicros }: BidRange): [type: string, micros: number][] {
  return [
    ['ALTERNATIVE', lowMicros * 0.8],
    ['SUGGESTED_LOWER', lowMicros],
    ['ALTERNATIVE', (lowMicros * 2 + medianMicros) / 3],
    ['ALTERNATIVE', (lowMicros + medianMicros * 2) / 3],
    ['SUGGESTED', medianMicros],
    ['ALTERNATIVE', (medianMicros + highMicros) / 2],
    ['SUGGESTED_UPPER', highMicros],
    ['ALTERNATIVE', highMicros * 1.2],
  ]
}

/** Impressions to be expected in a week at eight bids for one expression, everywhere and by placement. */
export function bidAnalysesOf(caller: AdsCaller, asins: string[], bids: SuggestedBids): object {
  const { minBidMicros, maxBidMicros, currency } = caller.marketplace
  const analysed = eightBids(bids.range).map(([type, micros]) => {
    const bidMicros = Math.min(maxBidMicros, Math.max(minBidMicros, roundToUnit(micros, currency)))
    return { type, bidMicros, prospects: prospectsAt(caller, asins, bids, bidMicros) }
  })
  const analysesOf = (placement: Placement | null): object[] =>
    analysed.map(({ type, bidMicros, prospects }) => {
      const mean = sumOf(
        prospects.filter(one => placement === null || one.placement === placement),
        'impressions',
      )
      const { lower, upper } = rangeOf(mean)
      return {
        type,
        bid: fromMicros(bidMicros),
        impactMetrics: {
          estimatedImpressionLower: lower,
          estimatedImpressionAvg: Math.round(mean),
          estimatedImpressionUpper: upper,
        },
      }
    })
  return {
    ALL: analysesOf(null),
    ...Object.fromEntries(placements.map(placement => [placement, analysesOf(placement)])),
  }
}
