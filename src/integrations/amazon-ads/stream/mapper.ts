import type { z } from 'zod'
import { toMicros } from '#shared/money.ts'
import { type Cell, inWindow, placements, readTraffic, readWindows } from '../performance.ts'
import type { StreamRecord } from './vocabulary.ts'
import { type trafficWire, envelopeWire, streamRecordWire } from './wire.ts'
import { parseLossless } from '#server/http-client/lossless.ts'

function hourly(
  wire: Omit<
    z.output<typeof trafficWire>,
    'dataset_id' | 'keyword_text' | 'targeting_text' | 'match_type' | 'keyword_type'
  >,
) {
  return {
    idempotencyId: wire.idempotency_id,
    advertiserId: wire.advertiser_id,
    marketplaceId: wire.marketplace_id,
    campaignId: wire.campaign_id,
    adGroupId: wire.ad_group_id,
    adId: wire.ad_id,
    targetId: wire.keyword_id ?? wire.target_id ?? '',
    placement: placements[wire.placement ?? wire.placement_type ?? ''] ?? null,
    currency: wire.currency,
    hour: wire.time_window_start,
  }
}

// The schemas of the records check these fields, but their types do not name them.
const cell = (wire: object, field: string): Cell => (wire as Readonly<Record<string, Cell>>)[field]

export function fromStreamRecord(wire: z.output<typeof streamRecordWire>): StreamRecord {
  switch (wire.dataset_id) {
    case 'sp-traffic':
    case 'sb-traffic':
    case 'sd-traffic':
      return {
        dataset: wire.dataset_id,
        ...hourly(wire),
        keywordText: wire.keyword_text ?? wire.targeting_text ?? null,
        matchType: wire.match_type ?? wire.keyword_type ?? null,
        ...readTraffic(({ stream }) => cell(wire, stream ?? '')),
      }
    case 'sp-conversion':
    case 'sb-conversion':
    case 'sd-conversion':
      return {
        dataset: wire.dataset_id,
        ...hourly(wire),
        windows: readWindows(({ stream }, days) => cell(wire, inWindow(stream ?? '', days))),
      }
    case 'budget-usage':
      return {
        dataset: wire.dataset_id,
        advertiserId: wire.advertiser_id,
        marketplaceId: wire.marketplace_id,
        scopeId: wire.budget_scope_id,
        scopeType: wire.budget_scope_type,
        product: wire.advertising_product_type,
        budgetMicros: toMicros(wire.budget),
        usagePercent: wire.budget_usage_percentage,
        updatedAt: wire.usage_updated_timestamp,
      }
  }
}

export type Envelope = z.output<typeof envelopeWire>

function orReason<T>(read: () => T): T | { reason: string } {
  try {
    return read()
  } catch (error) {
    return { reason: error instanceof Error ? error.message.slice(0, 300) : 'unreadable' }
  }
}

/** The topic's envelope in a message's body, or the reason why it cannot be read. */
export const readEnvelope = (body: string): { envelope: Envelope } | { reason: string } =>
  orReason(() => ({ envelope: envelopeWire.parse(JSON.parse(body)) }))

/** The records inside an envelope, or the reason why they cannot be read. */
export function readRecords(message: string): { records: StreamRecord[] } | { reason: string } {
  return orReason(() => {
    const read = parseLossless(message)
    const records = (Array.isArray(read) ? read : [read]).map(record => streamRecordWire.parse(record))
    return { records: records.map(fromStreamRecord) }
  })
}
