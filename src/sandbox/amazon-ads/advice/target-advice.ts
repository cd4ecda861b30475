import { plainText } from '../ads-failure.ts'
import type { Call } from '../calls.ts'
import { isAbsent, type Item } from '../entities/read-fields.ts'
import { vendorType } from '../media-types.ts'
import { adviceFailure, ownAsins, readTexts, readObjects, subjectOf } from './advice-subject.ts'
import { about, categoryReplies, categoryRequest } from './categories.ts'
import { randomUUID } from 'node:crypto'
import { smallestUnitMicros } from '#shared/money.ts'
import type { AdsCaller } from '../ads-caller.ts'

const versions = ['v3', 'v4', 'v5'].map(version => vendorType('spkeywordsrecommendation', version))
const matchTypes = ['BROAD', 'PHRASE', 'EXACT'] as const
type MatchType = (typeof matchTypes)[number]

interface KeywordIdea {
  keyword: string
  chosen: MatchType | null
  rank: number
}

function ideasOf(caller: AdsCaller, asins: string[], { maxRecommendations = 200, targets }: Item): KeywordIdea[] {
  const most = Number(maxRecommendations)
  if (!Number.isInteger(most) || most < 0 || most > 200)
    throw adviceFailure(400, 'maxRecommendations must be a whole number from 0 to 200')
  const chosen = readObjects(targets, 'targets', 100).map(({ keyword, matchType = 'BROAD' }, i): KeywordIdea => {
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
  const expression = { type: `KEYWORD_${matchType}_MATCH`, value: keyword }
  const range = world.market().suggestBid(profile.profileId, asins, expression)
  if (!range) return { matchType, rank, bid: null, suggestedBid: null }
  const [rangeStart, rangeMedian, rangeEnd] = [range.lowMicros, range.medianMicros, range.highMicros].map(micros =>
    Math.round(micros / smallestUnitMicros(profile.currency)),
  )
  return { matchType, rank, bid: rangeMedian, suggestedBid: { rangeStart, rangeMedian, rangeEnd } }
}

function rowsOf(caller: AdsCaller, asins: string[], ideas: readonly KeywordIdea[], version: number) {
  const { world, profile } = caller
  const texts = ideas.map(idea => idea.keyword)
  const ranks = world.market().searchTermRanks(profile.profileId, texts, world.clock.now())
  return ideas.map(({ keyword, chosen, rank }, i) => ({
    keyword,
    bidInfo: (chosen ? [chosen] : matchTypes).map(type => ({
      ...bidInfo(caller, asins, keyword, type, rank),
      ...(version === 5 && { theme: 'CONVERSION_OPPORTUNITIES' }),
    })),
    translation: null,
    userSelectedKeyword: chosen !== null,
    searchTermImpressionRank: ranks[i]?.rank ?? null,
    searchTermImpressionShare: ranks[i] ? Math.round(ranks[i].share * 10_000) / 100 : null,
    recId: randomUUID(),
  }))
}

const keywordAdvice: Call = {
  path: '/sp/targets/keywords/recommendations',
  media: { takes: versions },
  answer(caller, body, { reply, content, accept }) {
    const asins = subjectOf(caller, body, ['KEYWORDS_FOR_ASINS', 'KEYWORDS_FOR_ADGROUP'])
    const type = content ?? accept ?? ''
    const version = versions.indexOf(type) + 3
    const rows = rowsOf(caller, asins, ideasOf(caller, asins, body), version)
    void reply.type(type)
    if (version > 3) return { keywordTargetList: rows }
    return rows.flatMap(({ keyword, bidInfo: infos, userSelectedKeyword }) =>
      infos.map(({ matchType, bid }) => ({ keyword, matchType, bid, userSelectedKeyword })),
    )
  },
}

/** Categories worth targeting; the answer's form follows the Accept header. */
const categoryAdvice: Call = {
  path: '/sp/targets/categories/recommendations',
  media: { takes: [categoryRequest], gives: categoryReplies },
  answer(caller, { asins }, { reply, accept }) {
    const own = ownAsins(caller, readTexts(asins, 'asins', 10_000))
    const version = Math.max(3, categoryReplies.indexOf(accept ?? '') + 3)
    const categories = caller.world.market().suggestCategories(caller.profile.profileId, own)
    void reply.type(categoryReplies[version - 3] ?? '')
    return {
      categories: categories.map(({ categoryId, name, path, asinCount }) =>
        version === 3
          ? { id: categoryId, name, parent: '-1', canBeTargeted: true, path }
          : {
              id: categoryId,
              name,
              parentCategoryId: '-1',
              categoryPath: path,
              asinCounts: about(asinCount),
              ...(version === 5 && { translatedName: name, translatedCategoryPath: path }),
            },
      ),
    }
  },
}

const byAsin = vendorType('spproductrecommendationresponse.asins', 'v3')
const byTheme = vendorType('spproductrecommendationresponse.themes', 'v3')

const cursorOf = (offset: number): string => Buffer.from(`at:${offset}`).toString('base64url')
function offsetOf(cursor: unknown): number {
  if (isAbsent(cursor) || cursor === '') return 0
  const match = /^at:(\d+)$/.exec(Buffer.from(plainText(cursor), 'base64url').toString())
  if (!match) throw adviceFailure(400, 'The cursor is invalid')
  return Number(match[1])
}

/** Products worth targeting, each with its themes, or each theme with its products, as the Accept header says. */
const productAdvice: Call = {
  path: '/sp/targets/products/recommendations',
  media: { takes: [vendorType('spproductrecommendation', 'v3')], gives: [byAsin, byTheme] },
  answer(caller, { adAsins, count = 50, cursor }, { reply, accept }) {
    const own = ownAsins(caller, readTexts(adAsins, 'adAsins', 50))
    const size = Number(count)
    if (!Number.isInteger(size) || size < 1) throw adviceFailure(400, 'count must be a positive whole number')
    const ideas = caller.world.market().suggestProducts(caller.profile.profileId, own, 200)
    void reply.type(accept ?? byAsin)
    const pairs = ideas.flatMap(({ theme, asins }) => asins.map(asin => ({ theme, asin })))
    const all: object[] =
      accept === byTheme
        ? ideas.map(({ theme, description, asins }) => ({ theme, description, recommendedAsins: asins }))
        : [...Map.groupBy(pairs, pair => pair.asin)].map(([recommendedAsin, ofAsin]) => ({
            recommendedAsin,
            themes: ofAsin.map(pair => pair.theme),
          }))
    const at = offsetOf(cursor)
    return {
      recommendations: all.slice(at, at + size),
      nextCursor: at + size < all.length ? cursorOf(at + size) : null,
      previousCursor: at > 0 ? cursorOf(Math.max(0, at - size)) : null,
    }
  },
}

export const targetAdvice: readonly Call[] = [keywordAdvice, categoryAdvice, productAdvice]
