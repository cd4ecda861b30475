import type { FastifyInstance } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import { fromMicros } from '#shared/money.ts'
import type { World } from '../../core/world.ts'
import { type AdsCaller, readCaller, readObject } from '../ads-caller.ts'
import { requireMedia } from '../media-types.ts'
import { bidAnalysesOf, impactMetricsOf, suggestedImpactOf, type SuggestedBids } from './bid-impact.ts'
import { adGroupAsins, adviceFailure, ownAsins, readParts, readTexts } from './advice-subject.ts'

// In the order of versions, the first is 3. The vendor's guide says that version 3 ended on 2025-05-15; its specification still has it.
const versions = [3, 4, 5].map(version => `application/vnd.spthemebasedbidrecommendation.v${version}+json`)
const types = [
  'CLOSE_MATCH',
  'LOOSE_MATCH',
  'SUBSTITUTES',
  'COMPLEMENTS',
  'KEYWORD_BROAD_MATCH',
  'KEYWORD_PHRASE_MATCH',
  'KEYWORD_EXACT_MATCH',
  'PAT_ASIN',
  'PAT_CATEGORY',
  'PAT_CATEGORY_REFINEMENT',
  'KEYWORD_GROUP',
]
const laterTypes = types.filter(type => type.startsWith('PAT_') || type === 'KEYWORD_GROUP')
const strategies = ['LEGACY_FOR_SALES', 'AUTO_FOR_SALES', 'MANUAL', 'RULE_BASED']

function subjectOf(caller: AdsCaller, body: Record<string, unknown>): string[] {
  if (body.recommendationType === 'BIDS_FOR_EXISTING_AD_GROUP')
    return adGroupAsins(caller, body.campaignId, body.adGroupId)
  if (body.recommendationType !== 'BIDS_FOR_NEW_AD_GROUP')
    throw adviceFailure(400, 'recommendationType must be BIDS_FOR_NEW_AD_GROUP or BIDS_FOR_EXISTING_AD_GROUP')
  const { strategy } = (body.bidding ?? {}) as { strategy?: string }
  if (!strategy || !strategies.includes(strategy))
    throw adviceFailure(400, `bidding.strategy must be one of ${strategies.join(', ')}`)
  return ownAsins(caller, readTexts(body.asins, 'asins', 50))
}

function readExpressions(value: unknown): { type: string; value?: string }[] {
  const parts = readParts(value, 'targetingExpressions', 100)
  if (parts.length === 0) throw adviceFailure(400, 'targetingExpressions must have 1 to 100 items')
  const unknown = parts.find(({ type }) => !types.includes(type))
  if (unknown) throw adviceFailure(400, `The type ${unknown.type} of a targeting expression is unknown`)
  return parts
}

function toWire({ expression, range }: SuggestedBids) {
  return {
    targetingExpression: { type: expression.type, value: expression.value ?? null },
    bidValues: [range.lowMicros, range.medianMicros, range.highMicros].map(micros => ({
      suggestedBid: fromMicros(micros),
    })),
  }
}

/** Version 5: estimated impressions, for existing ad groups in the United States only. */
function versionFive(
  caller: AdsCaller,
  asins: string[],
  suggested: readonly SuggestedBids[],
  { recommendationType, includeAnalysis = false }: Record<string, unknown>,
): object {
  if (typeof includeAnalysis !== 'boolean') throw adviceFailure(400, 'includeAnalysis must be true or false')
  const hasImpact = recommendationType === 'BIDS_FOR_EXISTING_AD_GROUP' && caller.profile.countryCode === 'US'
  return {
    bidRecommendationsForTargetingExpressions: suggested.map(bids => ({
      ...toWire(bids),
      suggestedBidImpactMetrics: hasImpact ? suggestedImpactOf(caller, asins, bids) : null,
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
 * `POST /sp/targets/bid/recommendations`: low, middle and high in major units; 422 when nothing can be suggested. Impact
 * metrics are version 3's, which plain JSON means too; version 5 has estimated impressions in their place.
 */
export function registerBidAdvice(app: FastifyInstance, world: World, region: RegionKey): void {
  app.post('/sp/targets/bid/recommendations', request => {
    const caller = readCaller(request, world, region)
    const { content, accept } = requireMedia(request, { takes: versions, plain: 'always', refusal: 406 })
    const version = Math.max(0, versions.indexOf(accept ?? content ?? '')) + 3
    const body = readObject(request)
    const expressions = readExpressions(body.targetingExpressions)
    const later = content === versions[0] ? expressions.find(({ type }) => laterTypes.includes(type)) : undefined
    if (later) throw adviceFailure(422, `Version 3 suggests no bids for ${later.type}`)
    const asins = subjectOf(caller, body)
    const suggested = expressions.flatMap(expression => {
      const range = world.market().suggestBid(caller.profile.profileId, asins, expression)
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
  })
}
