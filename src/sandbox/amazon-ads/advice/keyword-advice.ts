import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import { smallestUnitMicros } from '#shared/money.ts'
import type { World } from '../../core/world.ts'
import { type AdsCaller, readCaller, readObject } from '../ads-caller.ts'
import { requireMedia } from '../media-types.ts'
import { adGroupAsins, adviceFailure, ownAsins, readObjects, readTexts } from './advice-subject.ts'

const versions = [3, 4, 5].map(version => `application/vnd.spkeywordsrecommendation.v${version}+json`)
const matchTypes = ['BROAD', 'PHRASE', 'EXACT'] as const
type MatchType = (typeof matchTypes)[number]

interface KeywordIdea {
  keyword: string
  chosen: MatchType | null
  rank: number
}

function subjectOf(caller: AdsCaller, body: Record<string, unknown>): string[] {
  if (body.recommendationType === 'KEYWORDS_FOR_ASINS') return ownAsins(caller, readTexts(body.asins, 'asins', 50))
  if (body.recommendationType === 'KEYWORDS_FOR_ADGROUP') return adGroupAsins(caller, body.campaignId, body.adGroupId)
  throw adviceFailure(400, 'recommendationType must be KEYWORDS_FOR_ASINS or KEYWORDS_FOR_ADGROUP')
}

function ideasOf(caller: AdsCaller, asins: string[], body: Record<string, unknown>): KeywordIdea[] {
  const { maxRecommendations = 200 } = body
  const most = Number(maxRecommendations)
  if (!Number.isInteger(most) || most < 0 || most > 200)
    throw adviceFailure(400, 'maxRecommendations must be a whole number from 0 to 200')
  const chosen = readObjects(body.targets, 'targets', 100).map(({ keyword, matchType = 'BROAD' }, i): KeywordIdea => {
    const type = matchTypes.find(one => one === matchType)
    if (typeof keyword !== 'string' || !type)
      throw adviceFailure(400, `targets need a keyword and a matchType of ${matchTypes.join(', ')}`)
    return { keyword, chosen: type, rank: i + 1 }
  })
  const found = most === 0 ? [] : caller.world.market().suggestKeywords(caller.profile.profileId, asins, most)
  return [...chosen, ...found.map(({ text }, i): KeywordIdea => ({ keyword: text, chosen: null, rank: i + 1 }))]
}

/** Bids of this family alone come in the currency's smallest unit: 311 is 3.11 dollars. */
function bidInfo({ world, profile }: AdsCaller, asins: string[], keyword: string, matchType: MatchType, rank: number) {
  const range = world
    .market()
    .suggestBid(profile.profileId, asins, { type: `KEYWORD_${matchType}_MATCH`, value: keyword })
  const minor = (micros: number): number => Math.round(micros / smallestUnitMicros(profile.currency))
  return range
    ? {
        matchType,
        rank,
        bid: minor(range.medianMicros),
        suggestedBid: {
          rangeStart: minor(range.lowMicros),
          rangeMedian: minor(range.medianMicros),
          rangeEnd: minor(range.highMicros),
        },
      }
    : { matchType, rank, bid: null, suggestedBid: null }
}

const percentOf = (share: number): number => Math.round(share * 10_000) / 100

function rowsOf(caller: AdsCaller, asins: string[], ideas: readonly KeywordIdea[], version: number) {
  const { world, profile } = caller
  const texts = ideas.map(idea => idea.keyword)
  const standings = world.market().searchTermRanks(profile.profileId, texts, world.clock.now())
  return ideas.map(({ keyword, chosen, rank }, i) => ({
    keyword,
    bidInfo: (chosen ? [chosen] : matchTypes).map(type => ({
      ...bidInfo(caller, asins, keyword, type, rank),
      ...(version === 5 && { theme: 'CONVERSION_OPPORTUNITIES' }),
    })),
    translation: null,
    userSelectedKeyword: chosen !== null,
    searchTermImpressionRank: standings[i]?.rank ?? null,
    searchTermImpressionShare: standings[i] ? percentOf(standings[i].share) : null,
    recId: randomUUID(),
  }))
}

/** `POST /sp/targets/keywords/recommendations` in versions 3 (a bare list), 4 and 5. */
export function registerKeywordAdvice(app: FastifyInstance, world: World, region: RegionKey): void {
  app.post('/sp/targets/keywords/recommendations', (request, reply) => {
    const caller = readCaller(request, world, region)
    const { content, accept } = requireMedia(request, { takes: versions })
    const body = readObject(request)
    const asins = subjectOf(caller, body)
    const type = content ?? accept ?? ''
    const version = versions.indexOf(type) + 3
    const rows = rowsOf(caller, asins, ideasOf(caller, asins, body), version)
    void reply.type(type)
    if (version > 3) return JSON.stringify({ keywordTargetList: rows })
    return JSON.stringify(
      rows.flatMap(({ keyword, bidInfo: infos, userSelectedKeyword }) =>
        infos.map(({ matchType, bid }) => ({ keyword, matchType, bid, userSelectedKeyword })),
      ),
    )
  })
}
