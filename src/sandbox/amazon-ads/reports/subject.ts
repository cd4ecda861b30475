import { type AnyEntity, type EntityOf, findEntity } from '../../core/model/ad-products.ts'
import type { DisplayExpression } from '../../core/model/display.ts'
import type { Store } from '../../core/model/store.ts'
import type { AdProduct, Fact } from '../../market/market.ts'
import { upperType } from '../sponsored-products/expressions.ts'
import { getOrMake } from '../../market/get-or-make.ts'

export interface Subject {
  adProduct: AdProduct
  campaign: EntityOf<'campaigns'>
  adGroup: EntityOf<'adGroups'> | undefined
  ad: EntityOf<'ads'> | undefined
  isVideo: boolean
  target: AnyEntity | undefined
  /** What it targets, as reports and the stream write it: a keyword's text, `close-match`, `asin="B0..."`. */
  targetText: string | undefined
  /** BROAD, PHRASE, EXACT, or which kind of target. */
  targetType: string | undefined
}

const autoNames: Record<string, string> = {
  QUERY_HIGH_REL_MATCHES: 'close-match',
  QUERY_BROAD_REL_MATCHES: 'loose-match',
  ASIN_SUBSTITUTE_RELATED: 'substitutes',
  ASIN_ACCESSORY_RELATED: 'complements',
  SIMILAR_PRODUCT: 'similar-product',
}
const expressionNames: Record<string, string> = {
  ASIN_SAME_AS: 'asin',
  ASIN_EXPANDED_FROM: 'asin-expanded',
  ASIN_CATEGORY_SAME_AS: 'category',
  ASIN_BRAND_SAME_AS: 'brand',
  KEYWORD_GROUP_SAME_AS: 'keyword-group',
}

/** An expression in one line, categories by their names. */
export const expressionText = (store: Store, expression: readonly DisplayExpression[]): string =>
  expression.map(part => partText(store, part)).join(' ')

function partText(store: Store, { type, value = '' }: DisplayExpression): string {
  const word = upperType(type)
  const auto = autoNames[word]
  if (auto) return auto
  if (Array.isArray(value)) return `${type}=(${expressionText(store, value)})`
  const category =
    word === 'ASIN_CATEGORY_SAME_AS' && [...store.products.values()].find(one => one.categoryId === value)
  return `${expressionNames[word] ?? type.toLowerCase()}="${category ? category.categoryName : value}"`
}

function targetOf(store: Store, id: string): Pick<Subject, 'target' | 'targetText' | 'targetType'> {
  const keyword = findEntity(store, 'keywords', id)?.entity
  if (keyword) return { target: keyword, targetText: keyword.keywordText, targetType: keyword.matchType }
  const target = findEntity(store, 'targets', id)?.entity
  const isAuto = target?.expressionType === 'AUTO'
  return {
    target,
    targetText: target && expressionText(store, target.expression),
    targetType: target && (isAuto ? 'TARGETING_EXPRESSION_PREDEFINED' : 'TARGETING_EXPRESSION'),
  }
}

/** Looks up what facts are about in the current store; null only when it has no such campaign (any more). */
export function createSubjects(store: Store): (ids: Fact) => Subject | null {
  const cached = new Map<string, Subject | null>()
  const find = ({ campaignId, adGroupId, adId, targetId }: Fact): Subject | null => {
    const found = findEntity(store, 'campaigns', campaignId)
    if (!found) return null
    const adGroup = findEntity(store, 'adGroups', adGroupId)?.entity
    const ad = findEntity(store, 'ads', adId)?.entity
    const isVideo = ad?.format === 'VIDEO' || ad?.format === 'BRAND_VIDEO' || adGroup?.creativeType === 'VIDEO'
    const { adProduct, entity: campaign } = found
    return { adProduct, campaign, adGroup, ad, isVideo, ...targetOf(store, targetId) }
  }
  return fact => getOrMake(cached, `${fact.adId}|${fact.targetId}`, () => find(fact))
}
