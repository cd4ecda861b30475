import { z } from 'zod'
import type { Bidding, WritableState } from '#integrations/amazon-ads/index.ts'
import { defineJob } from '#server/jobs/define-job.ts'
import type { PendingRow } from '../sql/pending.ts'
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
  end_date: string | null
}
interface WantedAdGroup {
  name: string
  state: WritableState
  default_bid_micros: number
}
interface WantedAd {
  state: WritableState
}
interface WantedTarget {
  state: WritableState
  bid_micros: number
}

// Archiving is a call of its own, and leaves nothing else to change.
const isArchived = ({ wanted }: PendingRow): boolean => wanted.state === 'ARCHIVED'

const queue = { data, policy: 'stately', retryLimit: 8, concurrency: 4 } as const

/** Sends the waiting changes of a campaign. A change of the strategy sends the bidding whole, placements and all. */
export const pushCampaignJob = defineJob<PushedRow>({
  ...queue,
  name: 'push-campaign',
  run: (services, pushed, job) =>
    pushChange(services, 'campaign', pushed, job, (ads, row, columns) => {
      if (isArchived(row)) return ads.campaigns.archive([row.amazonId])
      const wanted = row.wanted as unknown as WantedCampaign
      const bidding = columns.includes('bidding') || columns.includes('bidding_strategy')
      return ads.campaigns.update([
        {
          campaignId: row.amazonId,
          ...(columns.includes('name') && { name: wanted.name }),
          ...(columns.includes('state') && { state: wanted.state }),
          ...(columns.includes('daily_budget_micros') && { dailyBudgetMicros: wanted.daily_budget_micros }),
          ...(bidding && { bidding: wanted.bidding }),
          ...(columns.includes('end_date') && { endDate: wanted.end_date }),
        },
      ])
    }),
})

/** Sends the waiting changes of an ad group. */
export const pushAdGroupJob = defineJob<PushedRow>({
  ...queue,
  name: 'push-ad-group',
  run: (services, pushed, job) =>
    pushChange(services, 'ad_group', pushed, job, (ads, row, columns) => {
      if (isArchived(row)) return ads.adGroups.archive([row.amazonId])
      const wanted = row.wanted as unknown as WantedAdGroup
      return ads.adGroups.update([
        {
          adGroupId: row.amazonId,
          ...(columns.includes('name') && { name: wanted.name }),
          ...(columns.includes('state') && { state: wanted.state }),
          ...(columns.includes('default_bid_micros') && { defaultBidMicros: wanted.default_bid_micros }),
        },
      ])
    }),
})

/** Sends the waiting state of a product's ad. */
export const pushAdJob = defineJob<PushedRow>({
  ...queue,
  name: 'push-product-ad',
  run: (services, pushed, job) =>
    pushChange(services, 'product_ad', pushed, job, (ads, row) =>
      ads.productAds.update([{ adId: row.amazonId, state: (row.wanted as unknown as WantedAd).state }]),
    ),
})

/** Sends the waiting changes of a keyword, product target or automatic group. */
export const pushTargetJob = defineJob<PushedRow>({
  ...queue,
  name: 'push-target',
  run: (services, pushed, job) =>
    pushChange(services, 'target', pushed, job, (ads, row, columns) => {
      if (isArchived(row))
        return row.kind === 'KEYWORD' ? ads.keywords.archive([row.amazonId]) : ads.targets.archive([row.amazonId])
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
