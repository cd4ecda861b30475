import { createHash } from 'node:crypto'
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
  return {
    dataset_id: dataset,
    marketplace_id: profile.marketplaceId,
    advertiser_id: profile.sellerId,
  }
}

/** Equal for the same change of the same hour, however often it is emitted. */
export function withIdempotencyId(record: StreamRecord, asOf: Date): StreamRecord {
  const hash = createHash('sha256').update(`${asOf.toISOString()}${JSON.stringify(record)}`)
  return { idempotency_id: hash.digest('hex').slice(0, 32), ...record }
}

/** A moment as the hourly datasets write it. */
export const hourText = (at: number): string => new Date(at).toISOString().replace('.000Z', 'Z')
