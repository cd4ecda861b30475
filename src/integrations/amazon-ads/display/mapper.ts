import type { z } from 'zod'
import { integerId } from '#server/http-client/lossless.ts'
import { fromMicros, toMicros } from '#shared/money.ts'
import { dayOf, observedOf, stateOf, toCompactDay } from '../arrays/wire-words.ts'
import type {
  DisplayAd,
  DisplayAdChange,
  DisplayAdGroup,
  DisplayAdGroupChange,
  DisplayCampaign,
  DisplayCampaignChange,
  DisplayNegativeTarget,
  DisplayNegativeTargetChange,
  DisplayTarget,
  DisplayTargetChange,
} from './entities.ts'
import type { adGroupWire, adWire, campaignWire, negativeTargetWire, targetWire } from './wire.ts'

const word = (state: string | undefined) => (state === undefined ? {} : { state: state.toLowerCase() })

export function fromCampaign(wire: z.output<typeof campaignWire>): DisplayCampaign {
  return {
    campaignId: wire.campaignId,
    name: wire.name,
    state: stateOf(wire.state),
    tactic: wire.tactic,
    costType: wire.costType?.toUpperCase() === 'VCPM' ? 'VCPM' : 'CPC',
    dailyBudgetMicros: toMicros(wire.budget),
    startDate: dayOf(wire.startDate),
    endDate: wire.endDate ? dayOf(wire.endDate) : null,
    portfolioId: wire.portfolioId ?? null,
    ...observedOf(wire),
  }
}

export function toCampaignChange({ campaignId, name, state, dailyBudgetMicros, endDate }: DisplayCampaignChange) {
  return {
    campaignId: integerId(campaignId),
    ...(name !== undefined && { name }),
    ...word(state),
    ...(dailyBudgetMicros !== undefined && { budget: fromMicros(dailyBudgetMicros) }),
    ...(endDate !== undefined && { endDate: endDate === null ? null : toCompactDay(endDate) }),
  }
}

const optimizations: Record<string, DisplayAdGroup['bidOptimization']> = {
  REACH: 'REACH',
  CLICKS: 'CLICKS',
  CONVERSIONS: 'CONVERSIONS',
}

export function fromAdGroup(wire: z.output<typeof adGroupWire>): DisplayAdGroup {
  return {
    adGroupId: wire.adGroupId,
    campaignId: wire.campaignId,
    name: wire.name,
    state: stateOf(wire.state),
    defaultBidMicros: toMicros(wire.defaultBid),
    bidOptimization: optimizations[wire.bidOptimization?.toUpperCase() ?? ''] ?? 'CLICKS',
    ...observedOf(wire),
  }
}

export function toAdGroupChange({ adGroupId, name, state, defaultBidMicros }: DisplayAdGroupChange) {
  return {
    adGroupId: integerId(adGroupId),
    ...(name !== undefined && { name }),
    ...word(state),
    ...(defaultBidMicros !== undefined && { defaultBid: fromMicros(defaultBidMicros) }),
  }
}

export function fromAd(wire: z.output<typeof adWire>): DisplayAd {
  return {
    adId: wire.adId,
    adGroupId: wire.adGroupId,
    campaignId: wire.campaignId,
    asin: wire.asin ?? null,
    sku: wire.sku ?? null,
    name: wire.adName ?? null,
    state: stateOf(wire.state),
    ...observedOf(wire),
  }
}

export const toAdChange = ({ adId, state }: DisplayAdChange) => ({ adId: integerId(adId), ...word(state) })

export function fromNegativeTarget(wire: z.output<typeof negativeTargetWire>): DisplayNegativeTarget {
  return {
    targetId: wire.targetId,
    adGroupId: wire.adGroupId,
    expression: wire.expression ?? [],
    resolvedExpression: wire.resolvedExpression ?? [],
    state: stateOf(wire.state),
    ...observedOf(wire),
  }
}

export function fromTarget(wire: z.output<typeof targetWire>): DisplayTarget {
  return {
    ...fromNegativeTarget(wire),
    campaignId: wire.campaignId,
    bidMicros: wire.bid === null || wire.bid === undefined ? null : toMicros(wire.bid),
  }
}

export function toTargetChange({
  targetId,
  state,
  bidMicros,
}: DisplayTargetChange | (DisplayNegativeTargetChange & { bidMicros?: undefined })) {
  return {
    targetId: integerId(targetId),
    ...word(state),
    ...(bidMicros !== undefined && { bid: fromMicros(bidMicros) }),
  }
}
