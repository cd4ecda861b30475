export const datasets = [
  'sp-traffic',
  'sp-conversion',
  'sb-traffic',
  'sb-conversion',
  'sb-clickstream',
  'sb-rich-media',
  'sd-traffic',
  'sd-conversion',
  'budget-usage',
  'sp-budget-recommendations',
  'campaigns',
  'adgroups',
  'ads',
  'targets',
  'sponsored-ads-campaign-diagnostics-recommendations',
] as const
export type Dataset = (typeof datasets)[number]

export interface Subscription {
  subscriptionId: string
  profileId: number
  dataSetId: Dataset
  destinationArn: string
  clientRequestToken: string
  notes: string
  status: 'PENDING_CONFIRMATION' | 'ACTIVE' | 'ARCHIVED'
  createdAt: number
  updatedAt: number
  /** Hours before this are never told: there is no backfill. Epoch milliseconds. */
  since: number
  confirmToken: string
}
