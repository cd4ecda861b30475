import { z } from 'zod'
import { bidding, brandBidding } from './bidding.ts'
import * as clauses from './clauses.ts'
import type { BatchEntity } from './collection.ts'
import * as as from './wire-fields.ts'

// Every entity of every ad type: where it lives at the marketplace, and by our names what carries each field there.

/** The names of a resource by the usual rule. Exceptions follow no rule: two of the negatives answer with one id name and take another. */
function named(entity: string) {
  return { listKey: `${entity}s`, successId: `${entity}Id`, successEntity: entity, idFilter: `${entity}IdFilter` }
}
/** [Sponsored Products v3 specification]. */
function product(entity: string, path = `${entity}s`) {
  const type = `${entity[0]?.toUpperCase()}${entity.slice(1)}`
  return { path: `/sp/${path}`, mediaType: `application/vnd.sp${type}.v3+json`, ...named(entity) }
}
/** Ten items a call; a larger page than a hundred is refused, not cut [Sponsored Brands version 4]. */
function brand(entity: string) {
  const mediaType = `application/vnd.sb${entity.toLowerCase()}resource.v4+json`
  return { path: `/sb/v4/${entity}s`, mediaType, ...named(entity), batch: 10, page: 100 }
}

export const parents = { adGroupId: as.id, campaignId: as.id }
export const defaultBidMicros = { wire: 'defaultBid', ...as.amount }
export const keyword = { text: { wire: 'keywordText', ...as.text }, matchType: clauses.matchType }
export const negativeKeyword = { ...keyword, matchType: clauses.negativeMatchType }
/** `resolvedExpression` has names in place of ids, for people. */
const expressions = { expression: clauses.predicates, resolvedExpression: clauses.predicates }
// Null on negatives of a whole campaign.
const maybeGroup = { adGroupId: as.maybeId, campaignId: as.id }
const productNegativeKeyword = {
  fields: { keywordId: as.id, ...maybeGroup, ...negativeKeyword, state: as.state, ...as.observed },
  key: ['keywordId'],
  change: ['state'],
} as const
const productNegativeTarget = {
  fields: { targetId: as.id, ...maybeGroup, ...expressions, state: as.state, ...as.observed },
  key: ['targetId'],
  change: ['state'],
} as const

export const sponsoredProducts = {
  campaigns: {
    ...product('campaign'),
    fields: {
      campaignId: as.id,
      name: as.text,
      state: as.state,
      targetingType: { from: as.oneOf('MANUAL', 'AUTO') },
      dailyBudgetMicros: as.dailyBudget,
      bidding: bidding,
      startDate: as.text,
      endDate: as.maybeText,
      portfolioId: as.portfolioId,
      tags: as.tags,
      ...as.observed,
    },
    key: ['campaignId'],
    change: ['name', 'state', 'dailyBudgetMicros', 'bidding', 'startDate', 'endDate', 'portfolioId', 'tags'],
    create: ['name', 'state', 'targetingType', 'dailyBudgetMicros', 'bidding'],
    createOptional: ['startDate', 'endDate', 'portfolioId', 'tags'],
  },
  adGroups: {
    ...product('adGroup'),
    fields: { ...parents, name: as.text, state: as.state, defaultBidMicros, ...as.observed },
    key: ['adGroupId'],
    change: ['name', 'state', 'defaultBidMicros'],
    create: ['campaignId', 'name', 'state', 'defaultBidMicros'],
  },
  /** Sellers advertise a sku, vendors an asin. */
  productAds: {
    ...product('productAd'),
    successId: 'adId',
    idFilter: 'adIdFilter',
    fields: { adId: as.id, ...parents, asin: as.maybeText, sku: as.maybeText, state: as.state, ...as.observed },
    key: ['adId'],
    change: ['state'],
    create: ['adGroupId', 'campaignId', 'state'],
    createOptional: ['asin', 'sku'],
  },
  keywords: {
    ...product('keyword'),
    fields: { keywordId: as.id, ...parents, ...keyword, state: as.state, bidMicros: as.bid, ...as.observed },
    key: ['keywordId'],
    change: ['state', 'bidMicros'],
    create: ['adGroupId', 'campaignId', 'text', 'matchType', 'state'],
    createOptional: ['bidMicros'],
  },
  negativeKeywords: {
    ...product('negativeKeyword'),
    ...productNegativeKeyword,
    create: ['adGroupId', 'campaignId', 'text', 'matchType', 'state'],
  },
  campaignNegativeKeywords: {
    ...product('campaignNegativeKeyword'),
    ...productNegativeKeyword,
    create: ['campaignId', 'text', 'matchType', 'state'],
  },
  /** The four automatic targets of an AUTO ad group appear by themselves; they can be changed, not made or archived. */
  targets: {
    ...product('targetingClause', 'targets'),
    successId: 'targetId',
    idFilter: 'targetIdFilter',
    fields: {
      targetId: as.id,
      ...parents,
      expressionType: { from: as.oneOf('MANUAL', 'AUTO') },
      ...expressions,
      state: as.state,
      bidMicros: as.bid,
      ...as.observed,
    },
    key: ['targetId'],
    change: ['state', 'bidMicros'],
    create: ['adGroupId', 'campaignId', 'expression', 'state'],
    createOptional: ['bidMicros'],
    createWith: { expressionType: 'MANUAL' },
  },
  negativeTargets: {
    ...product('negativeTargetingClause', 'negativeTargets'),
    successId: 'targetId',
    idFilter: 'negativeTargetIdFilter',
    ...productNegativeTarget,
    create: ['adGroupId', 'campaignId', 'expression', 'state'],
  },
  campaignNegativeTargets: {
    ...product('campaignNegativeTargetingClause', 'campaignNegativeTargets'),
    successEntity: 'campaignNegativeTargetingClauses',
    idFilter: 'campaignNegativeTargetIdFilter',
    ...productNegativeTarget,
    create: ['campaignId', 'expression', 'state'],
  },
} as const satisfies Record<string, BatchEntity>

/** Sponsored Brands as it stands; its pictures and videos are made in the marketplace's own console. */
export const sponsoredBrands = {
  campaigns: {
    ...brand('campaign'),
    fields: {
      campaignId: as.id,
      name: as.text,
      state: as.state,
      /** One of the two is null: a budget is for a day or for the whole run. */
      dailyBudgetMicros: as.budgetOf('DAILY'),
      lifetimeBudgetMicros: as.budgetOf('LIFETIME'),
      costType: as.costType,
      goal: as.maybeText,
      brandEntityId: as.maybeText,
      bidding: brandBidding,
      startDate: as.text,
      endDate: as.maybeText,
      portfolioId: as.portfolioId,
      tags: as.tags,
      ...as.observed,
    },
    key: ['campaignId'],
    change: ['name', 'state', 'dailyBudgetMicros', 'lifetimeBudgetMicros', 'bidding', 'endDate', 'portfolioId'],
  },
  adGroups: {
    ...brand('adGroup'),
    fields: { ...parents, name: as.text, state: as.state, ...as.observed },
    key: ['adGroupId'],
    change: ['name', 'state'],
  },
  ads: {
    ...brand('ad'),
    fields: {
      adId: as.id,
      ...parents,
      name: { from: as.maybeText.from.transform(name => name ?? '') },
      state: as.state,
      /** PRODUCT_COLLECTION, STORE_SPOTLIGHT, VIDEO, BRAND_VIDEO; null where it is missing. */
      format: { wire: 'creative.type', ...as.maybeText },
      headline: { wire: 'creative.headline', ...as.maybeText },
      /** The products it shows. */
      asins: { wire: 'creative.asins', from: as.listOf(z.string()) },
      landingPage: as.landingPage,
      ...as.observed,
    },
    key: ['adId'],
    change: ['name', 'state'],
  },
} as const satisfies Record<string, BatchEntity>
