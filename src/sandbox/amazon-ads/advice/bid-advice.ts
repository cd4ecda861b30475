import { fromMicros, roundToUnit } from '#shared/money.ts'
import type { Placement } from '../../core/model/store.ts'
import type { BidRange, Forecast } from '../../market/market.ts'
import type { AdsCaller } from '../ads-caller.ts'
import type { Call } from '../calls.ts'
import type { Item } from '../entities/read-fields.ts'
import { vendorType } from '../media-types.ts'
import { adviceFailure, readParts, subjectOf } from './advice-subject.ts'

interface SuggestedBids {
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
function impactMetricsOf({ world, profile }: AdsCaller, asins: string[], suggested: readonly SuggestedBids[]) {
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

function impressionsOf(prospects: readonly Forecast[]) {
  const { lower, upper } = rangeOf(sumOf(prospects, 'impressions'))
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
function bidAnalysesOf(caller: AdsCaller, asins: string[], bids: SuggestedBids): object {
  const { minBidMicros, maxBidMicros, currency } = caller.marketplace
  const analysed = eightBids(bids.range).map(([type, micros]) => {
    const bidMicros = Math.min(maxBidMicros, Math.max(minBidMicros, roundToUnit(micros, currency)))
    return { type, bidMicros, prospects: prospectsAt(caller, asins, bids, bidMicros) }
  })
  const analysesOf = (placement: Placement | null): object[] =>
    analysed.map(({ type, bidMicros, prospects }) => {
      const here = prospects.filter(one => placement === null || one.placement === placement)
      const estimatedImpressionAvg = Math.round(sumOf(here, 'impressions'))
      return { type, bid: fromMicros(bidMicros), impactMetrics: { ...impressionsOf(here), estimatedImpressionAvg } }
    })
  return {
    ALL: analysesOf(null),
    ...Object.fromEntries(placements.map(placement => [placement, analysesOf(placement)])),
  }
}

// In the order of versions, the first is 3. The vendor's guide says that version 3 ended on 2025-05-15; its specification still has it.
const versions = ['v3', 'v4', 'v5'].map(version => vendorType('spthemebasedbidrecommendation', version))
const laterTypes = ['PAT_ASIN', 'PAT_CATEGORY', 'PAT_CATEGORY_REFINEMENT', 'KEYWORD_GROUP']
const types = [
  'CLOSE_MATCH',
  'LOOSE_MATCH',
  'SUBSTITUTES',
  'COMPLEMENTS',
  'KEYWORD_BROAD_MATCH',
  'KEYWORD_PHRASE_MATCH',
  'KEYWORD_EXACT_MATCH',
  ...laterTypes,
]
const strategies = ['LEGACY_FOR_SALES', 'AUTO_FOR_SALES', 'MANUAL', 'RULE_BASED']
const subjects = ['BIDS_FOR_NEW_AD_GROUP', 'BIDS_FOR_EXISTING_AD_GROUP'] as const

function readExpressions(value: unknown, isVersionThree: boolean): { type: string; value?: string }[] {
  const parts = readParts(value, 'targetingExpressions', 100)
  if (parts.length === 0) throw adviceFailure(400, 'targetingExpressions must have 1 to 100 items')
  const unknown = parts.find(({ type }) => !types.includes(type))
  if (unknown) throw adviceFailure(400, `The type ${unknown.type} of a targeting expression is unknown`)
  const later = isVersionThree ? parts.find(({ type }) => laterTypes.includes(type)) : undefined
  if (later) throw adviceFailure(422, `Version 3 suggests no bids for ${later.type}`)
  return parts
}

function checkStrategy({ recommendationType, bidding }: Item): void {
  const { strategy } = (bidding ?? {}) as { strategy?: string }
  if (recommendationType === subjects[0] && (!strategy || !strategies.includes(strategy)))
    throw adviceFailure(400, `bidding.strategy must be one of ${strategies.join(', ')}`)
}

const toWire = ({ expression, range }: SuggestedBids) => ({
  targetingExpression: { type: expression.type, value: expression.value ?? null },
  bidValues: [range.lowMicros, range.medianMicros, range.highMicros].map(micros => ({
    suggestedBid: fromMicros(micros),
  })),
})

/** Version 5: estimated impressions, for existing ad groups in the United States only. */
function versionFive(
  caller: AdsCaller,
  asins: string[],
  suggested: readonly SuggestedBids[],
  { recommendationType, includeAnalysis = false }: Item,
): object {
  if (typeof includeAnalysis !== 'boolean') throw adviceFailure(400, 'includeAnalysis must be true or false')
  const hasImpact = recommendationType === subjects[1] && caller.profile.countryCode === 'US'
  return {
    bidRecommendationsForTargetingExpressions: suggested.map(bids => ({
      ...toWire(bids),
      suggestedBidImpactMetrics: hasImpact
        ? impressionsOf(prospectsAt(caller, asins, bids, bids.range.medianMicros))
        : null,
    })),
    ...(hasImpact &&
      includeAnalysis && {
        bidAnalysesForTargetingExpressions: suggested.map(bids => ({
          targetingExpression: toWire(bids).targetingExpression,
          bidAnalyses: bidAnalysesOf(caller, asins, bids),
        })),
      }),
  }
}

/**
 * Low, middle and high in major units; 422 when nothing can be suggested. Impact metrics are version 3's, which plain
 * JSON means too; version 5 has estimated impressions in their place.
 */
export const bidAdvice: Call = {
  path: '/sp/targets/bid/recommendations',
  media: { takes: versions, plain: 'always', refusal: 406 },
  answer(caller, body, { content, accept }) {
    const version = Math.max(0, versions.indexOf(accept ?? content ?? '')) + 3
    const expressions = readExpressions(body.targetingExpressions, content === versions[0])
    checkStrategy(body)
    const asins = subjectOf(caller, body, subjects)
    const suggested = expressions.flatMap(expression => {
      const range = caller.world.market().suggestBid(caller.profile.profileId, asins, expression)
      return range ? [{ expression, range }] : []
    })
    if (suggested.length === 0) throw adviceFailure(422, 'No bid can be suggested for these targeting expressions')
    const theme = {
      theme: 'CONVERSION_OPPORTUNITIES',
      ...(version === 3 && { impactMetrics: impactMetricsOf(caller, asins, suggested) }),
      bidRecommendationsForTargetingExpressions: suggested.map(toWire),
      ...(version === 5 && versionFive(caller, asins, suggested, body)),
    }
    return { bidRecommendations: [theme] }
  },
}
