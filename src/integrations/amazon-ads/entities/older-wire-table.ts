import * as clauses from './clauses.ts'
import type { BrandTargetEntity, ListedEntity } from './older-collections.ts'
import * as as from './wire-fields.ts'
import { defaultBidMicros, keyword, negativeKeyword, parents } from './wire-table.ts'

// The entities that older calls carry: what Sponsored Brands aims at, and Sponsored Display.

const display = (name: string) => ({ path: `/sd/${name}`, extendedPath: `/sd/${name}/extended` })

// The calls demand the names of what a clause is in along with its own.
const brandKeyword = {
  fields: { keywordId: as.integer, adGroupId: as.integer, campaignId: as.integer, state: as.olderState },
  key: ['keywordId', 'adGroupId', 'campaignId'],
} as const
const brandTarget = {
  fields: {
    targetId: as.integer,
    adGroupId: as.integer,
    campaignId: as.integer,
    state: as.olderState,
    expression: { wire: ['expressions', 'expression'], ...clauses.olderPredicates },
    resolvedExpression: { wire: ['resolvedExpressions', 'resolvedExpression'], ...clauses.olderPredicates },
  },
  key: ['targetId', 'adGroupId', 'campaignId'],
} as const

/** What ads of Sponsored Brands aim at. */
export const brandKeywords = {
  keywords: {
    path: '/sb/keywords',
    ...brandKeyword,
    fields: { ...brandKeyword.fields, ...keyword, matchType: clauses.olderMatchType, bidMicros: as.bid },
    change: ['state', 'bidMicros'],
    create: ['adGroupId', 'campaignId', 'text', 'matchType', 'bidMicros'],
  },
  negativeKeywords: {
    path: '/sb/negativeKeywords',
    ...brandKeyword,
    fields: { ...brandKeyword.fields, ...negativeKeyword, matchType: clauses.olderNegativeMatchType },
    change: ['state'],
    create: ['adGroupId', 'campaignId', 'text', 'matchType'],
  },
} as const satisfies Record<string, ListedEntity>
export const brandTargets = {
  targets: {
    path: '/sb/targets',
    listKey: 'targets',
    ...brandTarget,
    fields: { ...brandTarget.fields, bidMicros: as.bid },
    change: ['state', 'bidMicros'],
    create: ['adGroupId', 'campaignId', 'expression', 'bidMicros'],
  },
  negativeTargets: {
    path: '/sb/negativeTargets',
    listKey: 'negativeTargets',
    ...brandTarget,
    change: ['state'],
    create: ['adGroupId', 'campaignId', 'expression'],
  },
} as const satisfies Record<string, BrandTargetEntity>

// The specification gives negative targets no campaign, nor names in place of ids.
const displayTarget = {
  targetId: as.integer,
  adGroupId: as.id,
  expression: clauses.displayPredicates,
  resolvedExpression: clauses.displayPredicates,
  state: as.olderState,
  ...as.olderObserved,
}

/** Sponsored Display as it stands; it is made in the marketplace's own console. */
export const sponsoredDisplay = {
  campaigns: {
    ...display('campaigns'),
    fields: {
      campaignId: as.integer,
      name: as.text,
      state: as.olderState,
      tactic: as.tactic,
      costType: as.costType,
      dailyBudgetMicros: { wire: 'budget', ...as.amount },
      startDate: as.compactDay,
      endDate: as.maybeCompactDay,
      portfolioId: as.maybeInteger,
      ...as.olderObserved,
    },
    key: ['campaignId'],
    change: ['name', 'state', 'dailyBudgetMicros', 'endDate', 'portfolioId'],
  },
  adGroups: {
    ...display('adGroups'),
    fields: {
      adGroupId: as.integer,
      campaignId: as.id,
      name: as.text,
      state: as.olderState,
      defaultBidMicros,
      bidOptimization: as.bidOptimization,
      ...as.olderObserved,
    },
    key: ['adGroupId'],
    change: ['name', 'state', 'defaultBidMicros', 'bidOptimization'],
  },
  ads: {
    ...display('productAds'),
    fields: {
      ...parents,
      adId: as.integer,
      asin: as.maybeText,
      sku: as.maybeText,
      name: { wire: 'adName', ...as.maybeText },
      state: as.olderState,
      ...as.olderObserved,
    },
    key: ['adId'],
    change: ['state'],
  },
  targets: {
    ...display('targets'),
    fields: { ...displayTarget, campaignId: as.id, bidMicros: as.bid },
    key: ['targetId'],
    change: ['state', 'bidMicros'],
  },
  negativeTargets: { ...display('negativeTargets'), fields: displayTarget, key: ['targetId'], change: ['state'] },
} as const satisfies Record<string, ListedEntity>
