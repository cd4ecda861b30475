import { z } from 'zod'
import { parseLossless } from '#server/http-client/lossless.ts'
import { amount, entityId, maybeText } from '../entities/wire-fields.ts'
import {
  attributedSources,
  inWindow,
  placements,
  metricCells,
  readTraffic,
  readWindows,
  trafficSources,
  windowDays,
} from '../performance.ts'

const moment = z.string().transform((text, ctx) => {
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) ctx.addIssue({ code: 'custom', message: 'no date' })
  return at
})

const hourly = {
  idempotency_id: z.string(),
  marketplace_id: z.string(),
  advertiser_id: z.string(),
  campaign_id: entityId,
  ad_group_id: entityId,
  ad_id: entityId,
  // Products and Brands name the keyword or target the one way, Display the other; so with the placement.
  keyword_id: entityId.nullish(),
  target_id: entityId.nullish(),
  placement: z.string().nullish(),
  placement_type: z.string().nullish(),
  currency: z.string(),
  time_window_start: moment,
}
const hourlyWire = z.object(hourly)

// The figures are read by the names in the list of sources, which the schemas' types do not have.
const fieldsOf = <S extends z.ZodType>(names: readonly string[], schema: S): Record<string, S> =>
  Object.fromEntries(names.filter(Boolean).map(name => [name, schema]))
const cells = metricCells(({ stream, streamWithViews }, days) => (days === '14' ? [streamWithViews, stream] : [stream]))

function hourOf(wire: z.output<typeof hourlyWire>) {
  return {
    /** Repeated deliveries have the same one; count each once. */
    idempotencyId: wire.idempotency_id,
    advertiserId: wire.advertiser_id,
    marketplaceId: wire.marketplace_id,
    campaignId: wire.campaign_id,
    adGroupId: wire.ad_group_id,
    adId: wire.ad_id,
    /** The keyword's or target's id. */
    targetId: wire.keyword_id ?? wire.target_id ?? '',
    placement: placements[wire.placement ?? wire.placement_type ?? ''] ?? null,
    currency: wire.currency,
    /** The beginning of the hour that the figures belong to. */
    hour: wire.time_window_start,
  }
}

/** A change of an hour's figures; corrections are negative. The hour's figures are the sum of its deltas. */
const trafficRecord = z
  .object({
    dataset_id: z.enum(['sp-traffic', 'sb-traffic', 'sd-traffic']),
    ...hourly,
    keyword_text: maybeText.from,
    targeting_text: maybeText.from,
    match_type: maybeText.from,
    keyword_type: maybeText.from,
    ...fieldsOf(
      trafficSources.map(({ stream }) => stream ?? ''),
      z.number(),
    ),
  })
  .transform(wire => ({
    dataset: wire.dataset_id,
    ...hourOf(wire),
    keywordText: wire.keyword_text ?? wire.targeting_text,
    matchType: wire.match_type ?? wire.keyword_type,
    ...readTraffic(cells, wire),
  }))

/** The same of attributed figures. Brands report 14 days only; theirs and those of Display count what followed a view too. */
const conversionRecord = z
  .object({
    dataset_id: z.enum(['sp-conversion', 'sb-conversion', 'sd-conversion']),
    ...hourly,
    ...fieldsOf(
      attributedSources.flatMap(({ stream, streamWithViews = '' }) => [
        ...windowDays.map(days => inWindow(stream ?? '', days)),
        streamWithViews,
      ]),
      z.number().nullish(),
    ),
  })
  .transform(wire => ({
    dataset: wire.dataset_id,
    ...hourOf(wire),
    windows: readWindows(cells, wire),
  }))

const budgetUsageRecord = z
  .object({
    dataset_id: z.literal('budget-usage'),
    advertiser_id: z.string(),
    marketplace_id: z.string(),
    budget_scope_id: entityId,
    budget_scope_type: z.string(),
    advertising_product_type: z.string(),
    budget: amount.from,
    budget_usage_percentage: z.number(),
    usage_updated_timestamp: moment,
  })
  .transform(wire => ({
    dataset: wire.dataset_id,
    advertiserId: wire.advertiser_id,
    marketplaceId: wire.marketplace_id,
    /** The campaign's or portfolio's id. */
    scopeId: wire.budget_scope_id,
    scopeType: wire.budget_scope_type,
    product: wire.advertising_product_type,
    budgetMicros: wire.budget,
    usagePercent: wire.budget_usage_percentage,
    updatedAt: wire.usage_updated_timestamp,
  }))

const streamRecord = z.discriminatedUnion('dataset_id', [trafficRecord, conversionRecord, budgetUsageRecord])
export type StreamRecord = z.output<typeof streamRecord>
export type StreamDataset = StreamRecord['dataset']

/** The records inside an envelope, or the reason why they cannot be read. */
export const readRecords = (message: string): { records: StreamRecord[] } | { reason: string } =>
  orReason(() => ({ records: [parseLossless(message)].flat().map(record => streamRecord.parse(record)) }))

/** What it returns, or why it throws. */
export function orReason<T>(read: () => T): T | { reason: string } {
  try {
    return read()
  } catch (error) {
    return { reason: error instanceof Error ? error.message.slice(0, 300) : 'unreadable' }
  }
}
