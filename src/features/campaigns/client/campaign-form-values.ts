import * as v from 'valibot'
import { ApiError } from '#client/api/api-error.ts'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { campaignChange, type Campaign, type CampaignChange } from '../contract.ts'
import { biddingStrategies, budgetProblem } from '../rules.ts'

/** What the form holds; the budget is null while its field is empty. */
export interface CampaignDraft extends Record<string, unknown> {
  name: string
  state: 'ENABLED' | 'PAUSED'
  budget: number | null
  biddingStrategy: string
}
export interface CampaignValues {
  name: string
  state: 'ENABLED' | 'PAUSED'
  budget: number
  biddingStrategy: string
}

/** A campaign as the form shows it at first. */
export const valuesOf = ({ name, state, budget, biddingStrategy }: Campaign): CampaignDraft => ({
  name,
  state: state === 'ENABLED' ? 'ENABLED' : 'PAUSED',
  budget,
  biddingStrategy: biddingStrategy ?? '',
})

/** The rules of the call, with those of the marketplace for the budget. */
export const campaignFormSchema = (market: MarketplaceFacts | undefined) =>
  v.object({
    name: v.unwrap(campaignChange.entries.name),
    state: v.picklist(['ENABLED', 'PAUSED']),
    budget: v.pipe(
      v.number('Valid budget amount is required'),
      v.rawCheck(({ dataset, addIssue }) => {
        const problem = dataset.typed && market ? budgetProblem(dataset.value, market) : null
        if (problem) addIssue({ message: problem })
      }),
    ),
    biddingStrategy: v.string(),
  })

/** Only what differs from the campaign, so that nothing else is overwritten. */
export const changesOf = (from: Campaign, values: CampaignValues): Omit<CampaignChange, 'campaignId'> => {
  const strategy = biddingStrategies.find(one => one === values.biddingStrategy)
  return {
    ...(values.name !== from.name && { name: values.name }),
    ...(values.state !== from.state && { state: values.state }),
    ...(values.budget !== from.budget && { budget: values.budget }),
    ...(strategy && strategy !== from.biddingStrategy && { biddingStrategy: strategy }),
  }
}

const fields = v.record(v.string(), v.string())

/** The server's message for each field at fault; null when the refusal is about something else. */
export const fieldsRefused = (error: unknown): Record<string, string> | null => {
  if (!(error instanceof ApiError) || error.code !== 'VALIDATION_FAILED') return null
  const parsed = v.safeParse(fields, error.extra.fields)
  return parsed.success ? parsed.output : null
}
