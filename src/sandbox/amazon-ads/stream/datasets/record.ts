import type { Profile } from '../../../core/model/store.ts'

/** A record of a dataset, in the vendor's fields; the names and types are those of the published datasets. */
export interface StreamRecord {
  dataset_id: string
  /** Only hourly changes have one. */
  idempotency_id?: string
  [field: string]: unknown
}

/** The profile's fields, which every record has. */
export function recordOf(dataset: string, profile: Profile): StreamRecord {
  return { dataset_id: dataset, marketplace_id: profile.marketplaceId, advertiser_id: profile.sellerId }
}
