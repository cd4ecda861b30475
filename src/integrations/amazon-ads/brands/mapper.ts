import type { z } from 'zod'
import { integerId } from '#server/http-client/lossless.ts'
import { type Micros, fromMicros, toMicros } from '#shared/money.ts'
import { stateOf } from '../arrays/wire-words.ts'
import type { MatchType, NegativeMatchType, Predicate } from '../structure/entities.ts'
import type {
  BrandAd,
  BrandAdGroup,
  BrandCampaign,
  BrandCampaignChange,
  BrandKeyword,
  BrandKeywordChange,
  BrandNegativeKeyword,
  BrandNegativeKeywordChange,
  BrandNegativeTarget,
  BrandNegativeTargetChange,
  BrandTarget,
  BrandTargetChange,
} from './entities.ts'
import type * as wires from './wire.ts'

type Wire<S extends z.ZodType> = z.output<S>

const dateOf = (at: string | number | null | undefined): Date | null => (at ? new Date(at) : null)
function observed(data: wires.BrandExtendedData) {
  return {
    servingStatus: data?.servingStatus ?? null,
    createdAt: dateOf(data?.creationDate),
    updatedAt: dateOf(data?.lastUpdateDate),
  }
}

export function fromCampaign(wire: Wire<typeof wires.campaignWire>): BrandCampaign {
  return {
    campaignId: wire.campaignId,
    name: wire.name,
    state: stateOf(wire.state),
    budgetMicros: toMicros(wire.budget),
    budgetType: wire.budgetType.toUpperCase() === 'LIFETIME' ? 'LIFETIME' : 'DAILY',
    costType: wire.costType?.toUpperCase() === 'VCPM' ? 'VCPM' : 'CPC',
    goal: wire.goal ?? null,
    brandEntityId: wire.brandEntityId ?? null,
    bidOptimization: wire.bidding?.bidOptimization ?? true,
    placements: wire.bidding?.bidAdjustmentsByPlacement ?? [],
    startDate: wire.startDate,
    endDate: wire.endDate ?? null,
    portfolioId: wire.portfolioId ?? null,
    tags: wire.tags ?? {},
    ...observed(wire.extendedData),
  }
}

export function toCampaignChange({ budgetMicros, ...rest }: BrandCampaignChange) {
  return {
    ...rest,
    ...(budgetMicros !== undefined && { budget: fromMicros(budgetMicros) }),
  }
}

export function fromAdGroup(wire: Wire<typeof wires.adGroupWire>): BrandAdGroup {
  return {
    adGroupId: wire.adGroupId,
    campaignId: wire.campaignId,
    name: wire.name,
    state: stateOf(wire.state),
    ...observed(wire.extendedData),
  }
}

export function fromAd(wire: Wire<typeof wires.adWire>): BrandAd {
  return {
    adId: wire.adId,
    adGroupId: wire.adGroupId,
    campaignId: wire.campaignId,
    name: wire.name ?? '',
    state: stateOf(wire.state),
    format: wire.creative?.type ?? null,
    headline: wire.creative?.headline ?? null,
    asins: wire.creative?.asins ?? [],
    landingPage: { type: wire.landingPage?.pageType ?? null, url: wire.landingPage?.url ?? null },
    ...observed(wire.extendedData),
  }
}

const matchTypes: Record<string, MatchType> = { EXACT: 'EXACT', PHRASE: 'PHRASE', BROAD: 'BROAD' }
const negativeMatchTypes: Record<string, NegativeMatchType> = {
  NEGATIVEEXACT: 'NEGATIVE_EXACT',
  NEGATIVEPHRASE: 'NEGATIVE_PHRASE',
}
const bidOf = (bid: number | null | undefined): number | null =>
  bid === null || bid === undefined ? null : toMicros(bid)

function clauseOf(wire: { adGroupId: string; campaignId: string; state: string }) {
  return {
    adGroupId: wire.adGroupId,
    campaignId: wire.campaignId,
    state: stateOf(wire.state),
  }
}

export function fromKeyword(wire: Wire<typeof wires.keywordWire>): BrandKeyword {
  return {
    keywordId: wire.keywordId,
    ...clauseOf(wire),
    text: wire.keywordText,
    matchType: matchTypes[wire.matchType.toUpperCase()] ?? 'BROAD',
    bidMicros: bidOf(wire.bid),
  }
}

export function fromNegativeKeyword(wire: Wire<typeof wires.negativeKeywordWire>): BrandNegativeKeyword {
  return {
    keywordId: wire.keywordId,
    ...clauseOf(wire),
    text: wire.keywordText,
    // Written negativeExact in these calls.
    matchType: negativeMatchTypes[wire.matchType.replaceAll('_', '').toUpperCase()] ?? 'NEGATIVE_BROAD',
  }
}

/** `asinSameAs` is ASIN_SAME_AS elsewhere. */
const upper = (type: string): string => (/[a-z]/.test(type) ? type.replace(/[A-Z]/g, '_$&').toUpperCase() : type)

type PredicateWire = { type: string; value?: string | number | null | undefined }
function predicatesOf(...lists: (PredicateWire[] | null | undefined)[]): Predicate[] {
  return (lists.find(list => list?.length) ?? []).map(({ type, value }) => ({
    type: upper(type),
    value: value === null || value === undefined ? null : String(value),
  }))
}

export function fromNegativeTarget(wire: Wire<typeof wires.negativeTargetWire>): BrandNegativeTarget {
  return {
    targetId: wire.targetId,
    ...clauseOf(wire),
    expression: predicatesOf(wire.expressions, wire.expression),
    resolvedExpression: predicatesOf(wire.resolvedExpressions, wire.resolvedExpression),
  }
}

export function fromTarget(wire: Wire<typeof wires.targetWire>): BrandTarget {
  return {
    ...fromNegativeTarget(wire),
    bidMicros: bidOf(wire.bid),
  }
}

function toClause(change: {
  adGroupId: string
  campaignId: string
  state?: string | undefined
  bidMicros?: Micros | undefined
}) {
  return {
    adGroupId: integerId(change.adGroupId),
    campaignId: integerId(change.campaignId),
    ...(change.state !== undefined && { state: change.state.toLowerCase() }),
    ...(change.bidMicros !== undefined && { bid: fromMicros(change.bidMicros) }),
  }
}

export function toKeywordChange(change: BrandKeywordChange | BrandNegativeKeywordChange) {
  return {
    keywordId: integerId(change.keywordId),
    ...toClause(change),
  }
}

export function toTargetChange(change: BrandTargetChange | BrandNegativeTargetChange) {
  return {
    targetId: integerId(change.targetId),
    ...toClause(change),
  }
}
