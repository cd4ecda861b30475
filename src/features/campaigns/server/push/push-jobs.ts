import { z } from 'zod'
import type { Bidding, WritableState } from '#integrations/amazon-ads/index.ts'
import { defineJob } from '#server/jobs/define-job.ts'
import { pushChange, type PushedRow } from './push-change.ts'

const data = z.object({ merchantId: z.number(), id: z.number() })

/** One row has one job waiting and one at work at most. */
export const pushKey = ({ merchantId, id }: PushedRow): string => `${merchantId}:${id}`

// The row as jsonb, which the edit wrote; the port's own types say what each column holds.
interface WantedCampaign {
  name: string
  state: WritableState
  daily_budget_micros: number
  bidding: Bidding
}
interface WantedTarget {
  state: WritableState
  bid_micros: number
}

const queue = { data, policy: 'stately', retryLimit: 8, concurrency: 4 } as const

/** Sends the waiting changes of a campaign. A change of the strategy sends the bidding whole, placements and all. */
export const pushCampaignJob = defineJob<PushedRow>({
  ...queue,
  name: 'push-campaign',
  run: (services, pushed, job) =>
    pushChange(services, 'campaign', pushed, job, (ads, row, columns) => {
      const wanted = row.wanted as unknown as WantedCampaign
      const bidding = columns.includes('bidding') || columns.includes('bidding_strategy')
      return ads.campaigns.update([
        {
          campaignId: row.amazonId,
          ...(columns.includes('name') && { name: wanted.name }),
          ...(columns.includes('state') && { state: wanted.state }),
          ...(columns.includes('daily_budget_micros') && { dailyBudgetMicros: wanted.daily_budget_micros }),
          ...(bidding && { bidding: wanted.bidding }),
        },
      ])
    }),
})

/** Sends the waiting changes of a keyword, product target or automatic group. */
export const pushTargetJob = defineJob<PushedRow>({
  ...queue,
  name: 'push-target',
  run: (services, pushed, job) =>
    pushChange(services, 'target', pushed, job, (ads, row, columns) => {
      const wanted = row.wanted as unknown as WantedTarget
      const change = {
        ...(columns.includes('state') && { state: wanted.state }),
        ...(columns.includes('bid_micros') && { bidMicros: wanted.bid_micros }),
      }
      return row.kind === 'KEYWORD'
        ? ads.keywords.update([{ keywordId: row.amazonId, ...change }])
        : ads.targets.update([{ targetId: row.amazonId, ...change }])
    }),
})
