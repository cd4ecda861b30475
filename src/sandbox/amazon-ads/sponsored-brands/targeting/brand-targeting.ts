import type {
  BrandKeyword,
  BrandNegativeKeyword,
  BrandNegativeTarget,
  BrandTarget,
} from '../../../core/model/brands.ts'
import type { EntityId, Expression } from '../../../core/model/store.ts'
import type { AdsCaller } from '../../ads-caller.ts'
import { badEnum } from '../../ads-failure.ts'
import { type Entity, type Field, type Scope } from '../../entities/entity-kind.ts'
import {
  amount,
  enabledState,
  expressionKey,
  fixedWord,
  inAdGroup,
  keywordText,
  nativeLanguage,
  refuseSameExpression,
} from '../../entities/fields.ts'
import { type ItemError, itemError } from '../../entities/item-error.ts'
import { type Item, requiredText } from '../../entities/read-fields.ts'
import { type ArrayKind, splitList } from '../../entities/register-arrays.ts'
import { brandBidRange, type MoneyRange } from '../../limits/ad-limits.ts'
import { maxNegativeWords, refuseOtherTargeting } from '../../sponsored-products/keywords.ts'
import { olderSponsoredBrands } from '../family.ts'
import { expressionsToWire, negativeTargetTypes, readBrandExpression, targetTypes } from './brand-expression.ts'

/** What keywords and targets, negative or not, have in common. */
export interface BrandClause extends Entity {
  campaignId: EntityId
  adGroupId: EntityId
}

/** An update must name the clause's ad group (and campaign), and be right about it. */
const namesParents = (fields: readonly ('adGroupId' | 'campaignId')[]): Field<BrandClause> => ({
  read({ item, style, before }) {
    for (const field of before ? fields : [])
      if (style.readId(item, field) !== before?.[field])
        throw itemError('parentEntityError', 'PARENT_ENTITY_NOT_FOUND', {
          message: `The clause is not in this ${field}`,
          field,
          trigger: item[field],
        })
    return undefined
  },
})

function ofKind(others: 'brandKeywords' | 'brandTargets'): Field<BrandClause> {
  return {
    read({ caller, before, draft }) {
      if (!before) refuseOtherTargeting(caller.world.store[others].values(), draft.adGroupId)
      return undefined
    },
  }
}

/** Bids an ad group takes: by the campaign's cost type, and higher where it shows videos. */
function bidRange({ caller: { world, marketplace }, draft }: Scope<BrandClause>): MoneyRange {
  const { brandAds, brandCampaigns } = world.store
  const video = [...brandAds.values()].some(
    ad => ad.adGroupId === draft.adGroupId && ad.state !== 'ARCHIVED' && ad.format.endsWith('VIDEO'),
  )
  return brandBidRange(marketplace.key, brandCampaigns.get(draft.campaignId)?.costType ?? 'CPC', video)
}
const bid = amount<BrandClause>({ name: 'bid', column: 'bidMicros', range: bidRange })

const parents = [inAdGroup({ namesCampaign: true }), enabledState] as const
const namesBoth = namesParents(['adGroupId', 'campaignId'])

/** Whether the ad group shows only pictures or a video, as list filters name it. */
export function hasCreativeType({ world }: AdsCaller, adGroupId: EntityId, type: string | undefined): boolean {
  if (!type) return true
  for (const ad of world.store.brandAds.values())
    if (ad.adGroupId === adGroupId) return type === (ad.format.endsWith('VIDEO') ? 'video' : 'productCollection')
  return false
}

/** A refused keyword with the reason and the item's place. */
function describeError(problem: ItemError, item: Item, place: string): Record<string, unknown> {
  return {
    errors: [
      {
        KeywordError: {
          reason: problem.reason,
          message: problem.message,
          location: problem.detail.field ? `${place}.${problem.detail.field}` : place,
          ...(item.keywordText !== undefined && { keywordText: item.keywordText }),
          ...(item.matchType !== undefined && { matchType: item.matchType }),
          ...(item.bid !== undefined && { bid: JSON.stringify(item.bid) }),
        },
      },
    ],
  }
}

/** Filters that lists of keywords and of negatives share. */
function passesKeyword(
  keyword: BrandKeyword | BrandNegativeKeyword,
  query: Item,
  caller: AdsCaller,
  matchType: string,
) {
  const { keywordText: text, creativeType, matchTypeFilter } = query as Record<string, string | undefined>
  if (text && keyword.keywordText !== text) return false
  if (matchTypeFilter && !splitList(matchTypeFilter).includes(matchType)) return false
  return hasCreativeType(caller, keyword.adGroupId, creativeType)
}

/** Keywords of Sponsored Brands, still of version 3; a new one is enabled and has a bid of its own. */
export const brandKeywords: ArrayKind<BrandKeyword> = {
  product: olderSponsoredBrands,
  path: '/sb/keywords',
  types: {
    change: 'application/vnd.sbkeywordresponse.v3+json',
    one: 'application/vnd.sbkeyword.v3+json',
    list: 'application/vnd.sbkeyword.v3+json',
    others: ['application/vnd.sbkeyword.v3.2+json'],
  },
  collection: 'brandKeywords',
  id: 'keywordId',
  fields: [
    fixedWord('matchType', ['BROAD', 'PHRASE', 'EXACT']),
    namesBoth,
    ...parents,
    ofKind('brandTargets'),
    keywordText(() => 10, 'The keyword exists in this ad group already'),
    bid,
    nativeLanguage,
  ],
  describeError,
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
  read({ item, before }) {
    if (before) return undefined
    const word = requiredText(item, 'matchType')
    const [matchType] = Object.entries(wireMatchTypes).find(([, wire]) => wire === word) ?? []
    if (!matchType) throw badEnum(word, 'matchType', Object.values(wireMatchTypes))
    return { matchType }
  },
  write: ({ matchType }) => ({ matchType: wireMatchTypes[matchType] }),
}

export const brandNegativeKeywords: ArrayKind<BrandNegativeKeyword> = {
  product: olderSponsoredBrands,
  path: '/sb/negativeKeywords',
  types: {
    change: 'application/vnd.sbkeywordresponse.v3+json',
    one: 'application/vnd.sbnegativekeyword.v3+json',
    list: 'application/vnd.sbnegativekeyword.v3+json',
    others: ['application/vnd.sbnegativekeyword.v3.2+json'],
  },
  collection: 'brandNegativeKeywords',
  id: 'keywordId',
  fields: [
    negativeMatchType,
    namesBoth,
    ...parents,
    keywordText(maxNegativeWords, 'The negative keyword exists already'),
  ],
  describeError,
  passes: (negative, query, caller) => passesKeyword(negative, query, caller, wireMatchTypes[negative.matchType]),
}

const expressions = (
  types: readonly string[],
  isNegative: boolean,
): Field<BrandClause & { expression: Expression[] }> => ({
  read(scope) {
    if (scope.before) return undefined
    const expression = readBrandExpression(scope.item, types, isNegative)
    refuseSameExpression(scope, expression, {
      keyOf: expressionKey,
      field: 'expressions',
      message: 'The target exists in this ad group already',
    })
    return { expression }
  },
  write: (target, { caller }) => expressionsToWire(caller.world.store, target.expression),
})

/** Product and category targets of Sponsored Brands, of version 3. */
export const brandTargets: ArrayKind<BrandTarget> = {
  product: olderSponsoredBrands,
  path: '/sb/targets',
  types: {
    change: 'application/vnd.sbtargetresponse.v3+json',
    one: 'application/vnd.sbtarget.v3+json',
    list: 'application/vnd.sblisttargetsresponse.v3.2+json',
    others: ['application/vnd.sblisttargetsresponse.v3+json'],
  },
  collection: 'brandTargets',
  id: 'targetId',
  fields: [namesBoth, ...parents, ofKind('brandKeywords'), expressions(targetTypes, false), bid],
}

/** Negative targets of Sponsored Brands: brands and products, one each. */
export const brandNegativeTargets: ArrayKind<BrandNegativeTarget> = {
  product: olderSponsoredBrands,
  path: '/sb/negativeTargets',
  types: {
    change: 'application/vnd.sbnegativetarget.v3+json',
    one: 'application/vnd.sbnegativetarget.v3+json',
    list: 'application/vnd.sblistnegativetargetsresponse.v3.2+json',
    others: ['application/vnd.sblistnegativetargetsresponse.v3+json'],
  },
  collection: 'brandNegativeTargets',
  id: 'targetId',
  fields: [namesParents(['adGroupId']), ...parents, expressions(negativeTargetTypes, true)],
}
