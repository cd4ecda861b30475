import * as v from 'valibot'
import { ApiError } from '#client/api/api-error.ts'
import { type AdvertiserType, dailyBudgetProblem, type Placement } from '#shared/campaign-rules.ts'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import {
  campaignFields,
  type Campaign,
  type Changes as RowChanges,
  placementPercent,
} from '#features/structure/contract.ts'
import { endDateProblem, nameLengthProblem, placements, settableStrategies } from '#shared/campaign-rules.ts'

type Percentages<N> = Record<Placement, N>

/** What the form holds; a number is null while its field is empty, the last day empty for none. */
export interface CampaignDraft extends Percentages<number | null>, Record<string, unknown> {
  name: string
  state: 'ENABLED' | 'PAUSED'
  budget: number | null
  targetAcos: number | null
  biddingStrategy: string
  endDate: string
}
export interface CampaignValues extends Percentages<number> {
  name: string
  state: 'ENABLED' | 'PAUSED'
  budget: number
  targetAcos: number | null
  biddingStrategy: string
  endDate: string
}

const percentOf = (campaign: Pick<Campaign, 'placements'>, placement: Placement): number =>
  campaign.placements.find(one => one.placement === placement)?.percentage ?? 0

/** A campaign as the form shows it at first. */
export const valuesOf = (campaign: Campaign): CampaignDraft => ({
  name: campaign.name,
  state: campaign.state === 'ENABLED' ? 'ENABLED' : 'PAUSED',
  budget: campaign.budget,
  targetAcos: campaign.targetAcos,
  biddingStrategy: campaign.biddingStrategy ?? '',
  endDate: campaign.endDate ?? '',
  TOP_OF_SEARCH: percentOf(campaign, 'TOP_OF_SEARCH'),
  PRODUCT_PAGE: percentOf(campaign, 'PRODUCT_PAGE'),
  REST_OF_SEARCH: percentOf(campaign, 'REST_OF_SEARCH'),
  SITE_AMAZON_BUSINESS: percentOf(campaign, 'SITE_AMAZON_BUSINESS'),
})

/** The rules of the call, with those of the marketplace for name and budget and of the day for the end. */
export const campaignFormSchema = (
  market: MarketplaceFacts | undefined,
  { name, startDate, endDate }: Pick<Campaign, 'name' | 'startDate' | 'endDate'>,
  { today, advertiser }: { today: string; advertiser: AdvertiserType },
) =>
  v.object({
    name: v.pipe(
      campaignFields.name.edit,
      v.rawCheck(({ dataset, addIssue }) => {
        const untouched = dataset.typed && dataset.value === name
        const problem = dataset.typed && !untouched ? nameLengthProblem(dataset.value, advertiser) : null
        if (problem) addIssue({ message: problem })
      }),
    ),
    state: v.picklist(['ENABLED', 'PAUSED']),
    budget: v.pipe(
      v.number('Valid budget amount is required'),
      v.rawCheck(({ dataset, addIssue }) => {
        const problem = dataset.typed && market ? dailyBudgetProblem(dataset.value, market) : null
        if (problem) addIssue({ message: problem })
      }),
    ),
    targetAcos: campaignFields.targetAcos.edit,
    biddingStrategy: v.string(),
    endDate: v.pipe(
      v.string(),
      v.rawCheck(({ dataset, addIssue }) => {
        const untouched = dataset.typed && dataset.value === (endDate ?? '')
        const problem = dataset.typed && !untouched ? endDateProblem(dataset.value || null, startDate, today) : null
        if (problem) addIssue({ message: problem })
      }),
    ),
    TOP_OF_SEARCH: placementPercent,
    PRODUCT_PAGE: placementPercent,
    REST_OF_SEARCH: placementPercent,
    SITE_AMAZON_BUSINESS: placementPercent,
  })

type Changes = RowChanges['campaign']

/** Only what differs from the campaign, so that nothing else is overwritten. */
export const changesOf = (from: Campaign, values: CampaignValues): Changes => {
  const strategy = settableStrategies(from.adType).find(one => one === values.biddingStrategy)
  const endDate = values.endDate || null
  return {
    ...(values.name !== from.name && { name: values.name }),
    ...(values.state !== from.state && { state: values.state }),
    ...(values.budget !== from.budget && { budget: values.budget }),
    ...(values.targetAcos !== from.targetAcos && { targetAcos: values.targetAcos }),
    ...(strategy && strategy !== from.biddingStrategy && { biddingStrategy: strategy }),
    ...(endDate !== from.endDate && { endDate }),
    ...(placements.some(one => values[one] !== percentOf(from, one)) && {
      placements: placements.flatMap(placement =>
        values[placement] > 0 ? [{ placement, percentage: values[placement] }] : [],
      ),
    }),
  }
}

/** What the fields of a change held before, to take it back by. */
export const beforeOf = (from: Campaign, change: Changes): Changes => {
  const before: Changes = {
    ...(from.state !== 'ARCHIVED' && from.state !== 'PROPOSED' && { state: from.state }),
    ...(from.budget !== null && { budget: from.budget }),
    name: from.name,
    targetAcos: from.targetAcos,
    biddingStrategy: settableStrategies(from.adType).find(one => one === from.biddingStrategy),
    endDate: from.endDate,
    placements: placements.flatMap(placement => {
      const percentage = percentOf(from, placement)
      return percentage > 0 ? [{ placement, percentage }] : []
    }),
  }
  return Object.fromEntries(Object.entries(before).filter(([field, value]) => field in change && value !== undefined))
}

const fields = v.record(v.string(), v.string())

/** The server's message for each field at fault; null when the refusal is about something else. */
export const fieldsRefused = (error: unknown): Record<string, string> | null => {
  if (!(error instanceof ApiError) || error.code !== 'VALIDATION_FAILED') return null
  const parsed = v.safeParse(fields, error.extra.fields)
  if (!parsed.success) return null
  // All placements are refused as one; the first field speaks for them.
  const { placements: refused, ...others } = parsed.output
  return refused ? { ...others, TOP_OF_SEARCH: refused } : others
}
