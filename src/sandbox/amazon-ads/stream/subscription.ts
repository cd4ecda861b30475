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

/** Where messages go. Firehose streams need no confirmation; here they end in the same queue, without envelopes. */
export type Destination =
  | { kind: 'sqs'; arn: string }
  | { kind: 'firehose'; arn: string; roles: [subscriber: string, subscription: string] }

export interface Subscription {
  subscriptionId: string
  profileId: number
  dataSetId: Dataset
  destination: Destination
  clientRequestToken: string
  notes: string
  status: 'PENDING_CONFIRMATION' | 'FAILED_CONFIRMATION' | 'ACTIVE' | 'ARCHIVED'
  createdAt: number
  updatedAt: number
  /** Hours before this are never emitted: there is no backfill. Epoch milliseconds. */
  since: number
  confirmToken: string
}
