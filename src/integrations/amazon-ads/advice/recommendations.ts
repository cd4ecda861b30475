import { UpstreamRejected } from '#server/http-client/upstream-errors.ts'
import type { AdsCall } from '../client.ts'
import { bidding as biddingWire } from '../entities/conversions.ts'
import { chunks } from '../entities/outcome.ts'
import { fromBidAdvice, fromCategoryAdvice, fromKeywordAdvice, toBidExpression } from './mapper.ts'
import type {
  AdviceSubject,
  BidAdvice,
  BidQuestion,
  CategoryAdvice,
  KeywordAdvice,
  KeywordQuestion,
  ProductAdvice,
  ProductTheme,
} from './vocabulary.ts'
import * as wire from './wire.ts'

const media = (name: string) => `application/vnd.${name}+json`

// The marketplace has nothing to say on some products; that is an empty answer, not a failure.
async function orNothing<T>(answer: Promise<T[]>): Promise<T[]> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof UpstreamRejected && error.status === 422) return []
    throw error
  }
}

export function recommendKeywords(call: AdsCall, question: KeywordQuestion): Promise<KeywordAdvice[]> {
  const { subject, currency, max = 200, sort = 'DEFAULT', locale, strategy } = question
  const reply = call({
    operation: 'recommend keywords',
    method: 'POST',
    path: '/sp/targets/keywords/recommendations',
    mediaType: media('spkeywordsrecommendation.v5'),
    body: {
      ...keywordSubject(subject),
      maxRecommendations: max,
      sortDimension: sort,
      ...(locale && { locale }),
      ...(strategy && {
        biddingStrategy: biddingWire.to({ strategy, placements: [], audiences: [] }).strategy,
      }),
    },
    effect: 'read',
    schema: wire.keywordAdviceWire,
  })
  return orNothing(reply.then(body => fromKeywordAdvice(body, currency)))
}

export function recommendCategories(
  call: AdsCall,
  asins: readonly string[],
  locale?: string,
): Promise<CategoryAdvice[]> {
  const reply = call({
    operation: 'recommend categories',
    method: 'POST',
    path: `/sp/targets/categories/recommendations${locale ? `?locale=${encodeURIComponent(locale)}` : ''}`,
    mediaType: media('spproducttargeting.v3'),
    acceptType: media('spproducttargetingresponse.v5'),
    body: { asins, includeAncestor: false },
    effect: 'read',
    schema: wire.categoryAdviceWire,
  })
  return orNothing(reply.then(fromCategoryAdvice))
}

const idsIn = (nodes: readonly wire.CategoryNode[]): string[] =>
  nodes.flatMap(node => [...(node.ta === false ? [] : [String(node.id)]), ...idsIn(node.ch ?? [])])

/** The ids of all categories of the marketplace that can be targeted. */
export async function readCategoryIds(call: AdsCall): Promise<string[]> {
  const reply = await call({
    operation: 'read categories',
    method: 'GET',
    path: '/sp/targets/categories',
    acceptType: media('spproducttargetingresponse.v5'),
    effect: 'read',
    schema: wire.categoryTreeWire,
  })
  return idsIn(wire.categoryNodes.parse(JSON.parse(reply.categoryTree)))
}

/** The names of the brands in a category; empty where the marketplace does not know the category. */
export function readCategoryBrands(call: AdsCall, categoryId: string): Promise<string[]> {
  const reply = call({
    operation: 'read brands of a category',
    method: 'GET',
    path: `/sp/targets/category/${encodeURIComponent(categoryId)}/refinements`,
    acceptType: media('spproducttargetingresponse.v3'),
    effect: 'read',
    schema: wire.categoryRefinementsWire,
  })
  return orNothing(reply.then(({ brands }) => (brands ?? []).flatMap(({ name }) => (name?.trim() ? [name] : []))))
}

const productPath = '/sp/targets/products/recommendations'

export function recommendProducts(
  call: AdsCall,
  asins: readonly string[],
  max = 50,
  locale?: string,
): Promise<ProductAdvice[]> {
  const reply = call({
    operation: 'recommend products',
    method: 'POST',
    path: productPath,
    mediaType: media('spproductrecommendation.v3'),
    acceptType: media('spproductrecommendationresponse.asins.v3'),
    body: { adAsins: asins, count: max, ...(locale && { locale }) },
    effect: 'read',
    schema: wire.productAdviceWire,
  })
  return orNothing(
    reply.then(({ recommendations }) =>
      (recommendations ?? []).map(r => ({ asin: r.recommendedAsin, themes: r.themes ?? [] })),
    ),
  )
}

export function recommendThemes(call: AdsCall, asins: readonly string[], locale?: string): Promise<ProductTheme[]> {
  const reply = call({
    operation: 'recommend product themes',
    method: 'POST',
    path: productPath,
    mediaType: media('spproductrecommendation.v3'),
    acceptType: media('spproductrecommendationresponse.themes.v3'),
    body: { adAsins: asins, ...(locale && { locale }) },
    effect: 'read',
    schema: wire.themeAdviceWire,
  })
  return orNothing(
    reply.then(({ recommendations }) =>
      (recommendations ?? []).map(({ theme, description, recommendedAsins }) => ({
        theme,
        description: description ?? null,
        asins: recommendedAsins ?? [],
      })),
    ),
  )
}

/** At most a hundred targeting expressions a call. */
export async function recommendBids(call: AdsCall, { subject, bidding, bids }: BidQuestion): Promise<BidAdvice[]> {
  const found: BidAdvice[] = []
  for (const chunk of chunks(bids, 100)) {
    const reply = call({
      operation: 'recommend bids',
      method: 'POST',
      path: '/sp/targets/bid/recommendations',
      mediaType: media('spthemebasedbidrecommendation.v5'),
      body: { ...bidSubject(subject, bidding), targetingExpressions: chunk.map(toBidExpression) },
      effect: 'read',
      schema: wire.bidAdviceWire,
    })
    found.push(...(await orNothing(reply.then(fromBidAdvice))))
  }
  return found
}

function keywordSubject(subject: AdviceSubject) {
  return 'asins' in subject
    ? { recommendationType: 'KEYWORDS_FOR_ASINS', asins: subject.asins }
    : { recommendationType: 'KEYWORDS_FOR_ADGROUP', ...subject }
}

function bidSubject(subject: AdviceSubject, bidding: BidQuestion['bidding']) {
  if (!('asins' in subject)) return { recommendationType: 'BIDS_FOR_EXISTING_AD_GROUP', ...subject }
  const { strategy, placementBidding } = biddingWire.to({
    strategy: 'SALES_DOWN_ONLY',
    placements: [],
    ...bidding,
    audiences: [],
  })
  const adjustments = placementBidding.map(({ placement, percentage }) => ({ predicate: placement, percentage }))
  return { recommendationType: 'BIDS_FOR_NEW_AD_GROUP', asins: subject.asins, bidding: { strategy, adjustments } }
}
