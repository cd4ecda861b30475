import type { FastifyInstance } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import { fromMicros } from '#shared/money.ts'
import type { World } from '../../core/world.ts'
import { type AdsCaller, readCaller, readObject } from '../ads-caller.ts'
import { requireMedia } from '../media-types.ts'
import { adGroupAsins, adviceFailure, ownAsins, readParts, readTexts } from './advice-subject.ts'

// Version 3 ended on 2025-05-15; `application/json` is what older callers send and still works.
const versions = [4, 5].map(version => `application/vnd.spthemebasedbidrecommendation.v${version}+json`)
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
const strategies = ['LEGACY_FOR_SALES', 'AUTO_FOR_SALES', 'MANUAL', 'RULE_BASED']

const subjectOf = (caller: AdsCaller, body: Record<string, unknown>): string[] => {
  if (body.recommendationType === 'BIDS_FOR_EXISTING_AD_GROUP')
    return adGroupAsins(caller, body.campaignId, body.adGroupId)
  if (body.recommendationType !== 'BIDS_FOR_NEW_AD_GROUP')
    throw adviceFailure(400, 'recommendationType must be BIDS_FOR_NEW_AD_GROUP or BIDS_FOR_EXISTING_AD_GROUP')
  const { strategy } = (body.bidding ?? {}) as { strategy?: string }
  if (!strategy || !strategies.includes(strategy))
    throw adviceFailure(400, `bidding.strategy must be one of ${strategies.join(', ')}`)
  return ownAsins(caller, readTexts(body.asins, 'asins', 50))
}

const readExpressions = (value: unknown): { type: string; value?: string }[] => {
  const parts = readParts(value, 'targetingExpressions', 100)
  if (parts.length === 0) throw adviceFailure(400, 'targetingExpressions must have 1 to 100 items')
  const unknown = parts.find(({ type }) => !types.includes(type))
  if (unknown) throw adviceFailure(400, `The type ${unknown.type} of a targeting expression is unknown`)
  return parts
}

/** `POST /sp/targets/bid/recommendations`: low, middle and high in major units; 422 when nothing can be suggested. */
export const registerBidAdvice = (app: FastifyInstance, world: World, region: RegionKey): void => {
  app.post('/sp/targets/bid/recommendations', request => {
    const caller = readCaller(request, world, region)
    requireMedia(request, { takes: versions, plain: 'always', refusal: 406 })
    const body = readObject(request)
    const expressions = readExpressions(body.targetingExpressions)
    const asins = subjectOf(caller, body)
    const rows = expressions.flatMap(expression => {
      const range = world.market().suggestedBid(caller.profile.profileId, asins, expression)
      if (!range) return []
      const bids = [range.lowMicros, range.medianMicros, range.highMicros]
      return [
        {
          targetingExpression: { type: expression.type, value: expression.value ?? null },
          bidValues: bids.map(micros => ({ suggestedBid: fromMicros(micros) })),
        },
      ]
    })
    if (rows.length === 0) throw adviceFailure(422, 'No bid can be suggested for these targeting expressions')
    return {
      bidRecommendations: [{ theme: 'CONVERSION_OPPORTUNITIES', bidRecommendationsForTargetingExpressions: rows }],
    }
  })
}
