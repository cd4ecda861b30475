import { z } from 'zod'
import type { AdsCall } from './client.ts'
import { listOf } from './entities/wire-fields.ts'

/** A rule of the marketplace's own that is on, or will be, for a campaign of Sponsored Products. */
export interface CampaignRule {
  campaignId: string
  /** BUDGET: raises the daily budget by dates or results. SCHEDULE: raises bids in some hours. */
  kind: 'BUDGET' | 'SCHEDULE'
  /** By which part it raises at most. */
  raise: number
}

export interface Rules {
  /** The rules of some campaigns: two calls where the account has none, else one more for each budget rule or campaign. */
  ofCampaigns(campaignIds: readonly string[]): Promise<CampaignRule[]>
}

const percent = z.coerce.number()
const budgetRule = z
  .object({
    ruleId: z.string(),
    ruleState: z.string(),
    ruleStatus: z.string().nullish(),
    ruleDetails: z.object({ budgetIncreaseBy: z.object({ value: percent }).nullish() }),
  })
  .transform(({ ruleId, ruleState, ruleStatus, ruleDetails }) => ({
    ruleId,
    isOn: ruleState === 'ACTIVE' && ruleStatus !== 'EXPIRED',
    raise: (ruleDetails.budgetIncreaseBy?.value ?? 0) / 100,
  }))
const budgetRules = z.object({
  budgetRulesForAdvertiserResponse: listOf(budgetRule),
  nextToken: z.string().nullish(),
})
const ruleCampaigns = z.object({
  associatedCampaigns: listOf(z.object({ campaignId: z.string() })),
  nextToken: z.string().nullish(),
})
const bidRule = z
  .object({
    status: z.string(),
    action: z.object({ actionDetails: z.object({ value: percent }) }),
  })
  .transform(({ status, action }) => ({
    isOn: status === 'ENABLED' || status === 'SCHEDULED',
    raise: action.actionDetails.value / 100,
  }))
const bidRules = z.object({ optimizationRules: listOf(bidRule), nextToken: z.string().nullish() })

const PAGE = 30
const MOST_FOUND = 100

export function createRules(call: AdsCall): Rules {
  const schedules = async (campaignId?: string) => {
    const found: z.output<typeof bidRule>[] = []
    let nextToken: string | null | undefined
    do {
      const reply = await call({
        operation: 'find bid rules',
        method: 'POST',
        path: '/sp/rules/optimization/search',
        mediaType: 'application/vnd.spoptimizationrules.v1+json',
        body: {
          ...(campaignId && { campaignFilter: { campaignId: { values: [campaignId] } } }),
          pageSize: MOST_FOUND,
          ...(nextToken && { nextToken }),
        },
        effect: 'read',
        schema: bidRules,
      })
      found.push(...reply.optimizationRules.filter(one => one.isOn))
      nextToken = reply.nextToken === nextToken ? null : reply.nextToken
    } while (nextToken)
    return found
  }
  const pages = async function* <S extends z.ZodType<{ nextToken?: string | null | undefined }>>(
    path: string,
    schema: S,
  ) {
    let nextToken: string | null | undefined
    do {
      const query = new URLSearchParams({ pageSize: String(PAGE), ...(nextToken && { nextToken }) })
      const reply = await call({
        operation: 'list budget rules',
        method: 'GET',
        path: `${path}?${query}`,
        effect: 'read',
        schema,
      })
      yield reply
      nextToken = reply.nextToken === nextToken ? null : reply.nextToken
    } while (nextToken)
  }
  return {
    async ofCampaigns(campaignIds) {
      const ownCampaigns = new Set(campaignIds)
      const rules: CampaignRule[] = []
      for await (const { budgetRulesForAdvertiserResponse: some } of pages('/sp/budgetRules', budgetRules))
        for (const { ruleId, raise } of some.filter(one => one.isOn))
          for await (const { associatedCampaigns } of pages(`/sp/budgetRules/${ruleId}/campaigns`, ruleCampaigns))
            for (const { campaignId } of associatedCampaigns)
              if (ownCampaigns.has(campaignId)) rules.push({ campaignId, kind: 'BUDGET', raise })
      // A rule does not say which campaigns it is for, so that each is asked about; most accounts have none at all.
      if ((await schedules()).length)
        for (const campaignId of ownCampaigns)
          for (const { raise } of await schedules(campaignId)) rules.push({ campaignId, kind: 'SCHEDULE', raise })
      return rules
    },
  }
}
