import type { BrandKeyword, BrandNegativeKeyword, BrandNegativeTarget, BrandTarget } from '../../core/model/brands.ts'
import type { EntityId, Expression } from '../../core/model/store.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { badEnum, invalidArgument } from '../ads-failure.ts'
import type { Entity, Field, Scope } from '../entities/entity-kind.ts'
import {
  amount,
  enabledState,
  expressionKey,
  fixedWord,
  inAdGroup,
  keywordText,
  nativeLanguage,
  refuseSameExpression,
} from '../entities/fields.ts'
import { type ItemError, itemError } from '../entities/item-error.ts'
import { type Item, objectsAt, required, requiredText } from '../entities/read-fields.ts'
import { arrayCalls, type ArrayKind, splitList } from '../entities/array-calls.ts'
import { type MoneyRange, rangeIn } from '#shared/ad-limits.ts'
import { vendorType } from '../media-types.ts'
import { maxNegativeWords, refuseOtherTargeting } from '../sponsored-products/clauses.ts'
import { negativeTypes, readExpression, resolveExpression } from '../sponsored-products/expressions.ts'
import { olderSponsoredBrands } from './family.ts'
import { envelopeCalls, type EnvelopeKind, hasCreativeType } from './envelope-calls.ts'

interface BrandClause extends Entity {
  campaignId: EntityId
  adGroupId: EntityId
}

/** An update must name the clause's ad group (and campaign), and be right about it. */
const namesParents = (...fields: ('adGroupId' | 'campaignId')[]): Field<BrandClause> => ({
  read({ item, style, before }) {
    for (const field of before ? fields : [])
      if (style.readId(item, field) !== before?.[field])
        throw itemError('PARENT_ENTITY_NOT_FOUND', `The clause is not in this ${field}`, { [field]: item[field] })
    return undefined
  },
})

const isOnlyOf = (others: 'brandKeywords' | 'brandTargets'): Field => ({
  once: true,
  read({ caller, draft }) {
    refuseOtherTargeting(caller.world.store[others], draft)
    return undefined
  },
})

/** Bids an ad group takes: by the campaign's cost type, and higher where it shows videos. */
function bidRange({ caller: { world, marketplace }, draft }: Scope<BrandClause>): MoneyRange {
  const { brandAds, brandCampaigns } = world.store
  const video = [...brandAds.values()].some(
    ad => ad.adGroupId === draft.adGroupId && ad.state !== 'ARCHIVED' && ad.format.endsWith('VIDEO'),
  )
  const costType = brandCampaigns.get(draft.campaignId)?.costType ?? 'CPC'
  return rangeIn(marketplace.key, `brand${video ? 'Video' : 'Image'}${costType}`)
}
const bid = amount<BrandClause>({ name: 'bid', column: 'bidMicros', range: bidRange })

const parents = [inAdGroup({ namesCampaign: true }), enabledState] as const
const namesBoth = namesParents('adGroupId', 'campaignId')

const keywordKind = (path: string, type: string) => ({
  product: olderSponsoredBrands,
  path,
  types: {
    change: vendorType('sbkeywordresponse', 'v3'),
    one: vendorType(type, 'v3'),
    list: vendorType(type, 'v3'),
    others: [vendorType(type, 'v3.2')],
  },
  id: 'keywordId',
  describeError(
    { reason, message, field }: ItemError,
    { keywordText: text, matchType, bid: amountSent }: Item,
    place: string,
  ) {
    const location = field ? `${place}.${field}` : place
    const sent = { keywordText: text, matchType, bid: JSON.stringify(amountSent) }
    return { errors: [{ KeywordError: { reason, message, location, ...sent } }] }
  },
})

function passesKeyword(
  keyword: BrandKeyword | BrandNegativeKeyword,
  { keywordText: text, creativeType, matchTypeFilter }: Record<string, string | undefined>,
  caller: AdsCaller,
  matchType: string,
): boolean {
  if (text && keyword.keywordText !== text) return false
  if (matchTypeFilter && !splitList(matchTypeFilter).includes(matchType)) return false
  return hasCreativeType(caller, keyword, creativeType)
}

/** Keywords of Sponsored Brands, still of version 3; a new one is enabled and has a bid of its own. */
const brandKeywords: ArrayKind<BrandKeyword> = {
  ...keywordKind('/sb/keywords', 'sbkeyword'),
  collection: 'brandKeywords',
  fields: [
    fixedWord('matchType', ['BROAD', 'PHRASE', 'EXACT']),
    namesBoth,
    ...parents,
    isOnlyOf('brandTargets'),
    keywordText(() => 10, 'The keyword exists in this ad group already'),
    bid,
    nativeLanguage,
  ],
  passes(keyword, query, caller) {
    if (!passesKeyword(keyword, query, caller, keyword.matchType.toLowerCase())) return false
    // As seen at the real one: without a filter of campaigns, it misses some. Here: all but a campaign's first ad group.
    if (query.campaignIdFilter) return true
    const groups = [...caller.world.store.brandAdGroups.values()]
    return groups.find(adGroup => adGroup.campaignId === keyword.campaignId)?.adGroupId === keyword.adGroupId
  },
}

const wireMatchTypes = { NEGATIVE_EXACT: 'negativeExact', NEGATIVE_PHRASE: 'negativePhrase' } as const

const negativeMatchType: Field<BrandNegativeKeyword> = {
  once: true,
  read({ item }) {
    const word = requiredText(item, 'matchType')
    const [matchType] = Object.entries(wireMatchTypes).find(([, wire]) => wire === word) ?? []
    if (!matchType) throw badEnum(word, 'matchType', Object.values(wireMatchTypes))
    return { matchType }
  },
  write: ({ matchType }) => ({ matchType: wireMatchTypes[matchType] }),
}

const brandNegativeKeywords: ArrayKind<BrandNegativeKeyword> = {
  ...keywordKind('/sb/negativeKeywords', 'sbnegativekeyword'),
  collection: 'brandNegativeKeywords',
  fields: [
    negativeMatchType,
    namesBoth,
    ...parents,
    keywordText(maxNegativeWords, 'The negative keyword exists already'),
  ],
  passes: (negative, query, caller) => passesKeyword(negative, query, caller, wireMatchTypes[negative.matchType]),
}

// The store has types as Sponsored Products writes them; these calls write asinSameAs.
const upper = (type: string): string => type.replace(/[A-Z]/g, letter => `_${letter}`).toUpperCase()
const camel = (type: string): string =>
  type.toLowerCase().replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())
const onWire = (expression: readonly Expression[]): Expression[] =>
  expression.map(one => ({ ...one, type: camel(one.type) }))

const targetTypes = [
  'ASIN_CATEGORY_SAME_AS',
  'ASIN_BRAND_SAME_AS',
  'ASIN_PRICE_LESS_THAN',
  'ASIN_PRICE_BETWEEN',
  'ASIN_PRICE_GREATER_THAN',
  'ASIN_REVIEW_RATING_LESS_THAN',
  'ASIN_REVIEW_RATING_BETWEEN',
  'ASIN_REVIEW_RATING_GREATER_THAN',
  'ASIN_SAME_AS',
]

const expressions = (
  types: readonly string[],
  isNegative: boolean,
): Field<BrandClause & { expression: Expression[] }> => ({
  once: true,
  read(scope) {
    const field = 'expressions'
    const sent = required(scope.item.expressions, field)
    if (!Array.isArray(sent)) throw invalidArgument('Expected a list at expressions')
    const parts = objectsAt(sent, field).map(one => ({ ...one, type: upper(String(one.type)) }))
    const expression = readExpression(parts, types, { isNegative, field })
    const message = 'The target exists in this ad group already'
    refuseSameExpression(scope, expression, { keyOf: expressionKey, field, message })
    return { expression }
  },
  write: ({ expression }, { caller }) => ({
    expressions: onWire(expression),
    resolvedExpressions: onWire(resolveExpression(caller.world.store, expression)),
  }),
})

function targetKind(key: 'targets' | 'negativeTargets', change: string, create: string) {
  const name = key.toLowerCase()
  const list = `sblist${name}response`
  return {
    product: olderSponsoredBrands,
    path: `/sb/${key}`,
    key,
    types: {
      change: vendorType(change, 'v3'),
      one: vendorType(`sb${name.replace(/s$/, '')}`, 'v3'),
      list: vendorType(list, 'v3.2'),
      others: [vendorType(list, 'v3')],
      create: vendorType(create, 'v3'),
      update: vendorType(`update${name}response`, 'v3'),
    },
    id: 'targetId',
  }
}

/** Product and category targets of Sponsored Brands, of version 3. */
const brandTargets: EnvelopeKind<BrandTarget> = {
  ...targetKind('targets', 'sbtargetresponse', 'sbcreatetargetsresponse'),
  collection: 'brandTargets',
  fields: [namesBoth, ...parents, isOnlyOf('brandKeywords'), expressions(targetTypes, false), bid],
}

/** Negative targets of Sponsored Brands: brands and products, one each. */
const brandNegativeTargets: EnvelopeKind<BrandNegativeTarget> = {
  // A request's name for a reply's type: so it is in the specification.
  ...targetKind('negativeTargets', 'sbnegativetarget', 'sbcreatenegativetargetsrequest'),
  collection: 'brandNegativeTargets',
  fields: [namesParents('adGroupId'), ...parents, expressions(negativeTypes, true)],
}

export const brandClauseCalls = [
  ...[brandKeywords, brandNegativeKeywords].flatMap(arrayCalls),
  ...[brandTargets, brandNegativeTargets].flatMap(envelopeCalls),
]
