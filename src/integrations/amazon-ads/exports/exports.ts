import * as as from '../entities/wire-fields.ts'
import { z } from 'zod'
import type { HttpClient } from '#server/http-client/http-client.ts'
import { openDownload } from '#server/http-client/download.ts'
import { UpstreamMalformed } from '#server/http-client/upstream-errors.ts'
import type { AdsCall } from '../client.ts'
import { readReportFile } from '../reports/report-file.ts'
import type { AdProduct } from '../reports/kinds.ts'

const amountAt = (...wire: string[]) => ({ wire, from: as.bid.from })

// One entity in the model that all advertising products share; what its kind does not have is null.
const fields = {
  adProduct: { from: as.oneOf('OTHER', 'SPONSORED_PRODUCTS', 'SPONSORED_BRANDS', 'SPONSORED_DISPLAY') },
  campaignId: as.maybeId,
  adGroupId: as.maybeId,
  adId: as.maybeId,
  targetId: as.maybeId,
  name: as.maybeText,
  state: as.state,
  /** Empty while it serves. */
  deliveryReasons: { from: as.listOf(z.string()) },
  portfolioId: as.maybeId,
  startDate: as.maybeText,
  endDate: as.maybeText,
  budgetMicros: amountAt('budgetCaps.budgetValue.monetaryBudget.amount'),
  budgetPeriod: {
    wire: 'budgetCaps',
    from: z
      .object({ recurrenceTimePeriod: z.string().nullish() })
      .nullish()
      .transform(caps => (caps ? (caps.recurrenceTimePeriod === 'LIFETIME' ? 'LIFETIME' : 'DAILY') : null)),
  },
  targetingType: { wire: 'targetingSettings', ...as.maybeText },
  /** An ad group's default bid or a target's own. */
  bidMicros: amountAt('bid.defaultBid', 'bid.bid'),
  isNegative: { wire: 'negative', from: as.flag.transform(flag => flag ?? false) },
  targetType: as.maybeText,
  matchType: { wire: 'targetDetails.matchType', ...as.maybeText },
  /** A keyword's text or a target's ASIN, category or brand. */
  targetValue: {
    wire: ['keyword', 'asin', 'productCategoryId', 'productBrand'].map(name => `targetDetails.${name}`),
    ...as.maybeId,
  },
  /** Skus and ASINs that an ad shows. */
  products: {
    wire: 'creative.products',
    from: as.listOf(
      z
        .object({ productIdType: z.string(), productId: z.string() })
        .transform(({ productIdType: type, productId: id }) => ({ type, id })),
    ),
  },
} as const

const exportedSchema = as.schemaOf({ fields })
export type ExportedRow = z.output<typeof exportedSchema>

/** What one file holds, of all advertising products. */
type ExportKind = 'campaigns' | 'adGroups' | 'ads' | 'targets'

const exportState = as.schemaOf({
  fields: {
    exportId: as.text,
    status: { from: as.oneOf('PROCESSING', 'COMPLETED', 'FAILED') },
    /** Only when completed, and only until it expires; ask again for a fresh one. */
    url: as.maybeText,
    failureReason: { wire: ['error.message', 'error.errorCode'], ...as.maybeText },
  },
})
type ExportState = z.output<typeof exportState>

/** An account's whole structure as files: for large accounts far fewer calls than lists, whose pages are counted. */
export interface Exports {
  /** Asks for a file of how things stand now; asking twice makes two. */
  request(
    kind: ExportKind,
    filter?: { products?: readonly AdProduct[]; states?: readonly as.EntityState[] },
  ): Promise<ExportState>
  get(kind: ExportKind, exportId: string): Promise<ExportState>
  /**
   * The rows of a completed file as they stream in. Throws UpstreamMalformed when the file is broken or broke off and
   * UpstreamUnavailable when the link has expired. Keep nothing of a file that threw.
   */
  rows(url: string): AsyncGenerator<ExportedRow, void, undefined>
}

const upstream = 'amazon-ads'
const mediaOf = (kind: ExportKind) => `application/vnd.${kind.toLowerCase()}export.v1+json`

export function createExports(call: AdsCall, http: HttpClient, apiUrl: string): Exports {
  return {
    request: (kind, { products, states } = {}) =>
      call({
        operation: `export ${kind}`,
        method: 'POST',
        path: `/${kind}/export`,
        mediaType: mediaOf(kind),
        body: { ...(products && { adProductFilter: products }), ...(states && { stateFilter: states }) },
        // A second file does no harm, so asking again is allowed.
        effect: 'read',
        schema: exportState,
      }),
    get: (kind, exportId) =>
      call({
        operation: 'get export',
        method: 'GET',
        path: `/exports/${encodeURIComponent(exportId)}`,
        acceptType: mediaOf(kind),
        effect: 'read',
        schema: exportState,
      }),
    async *rows(url) {
      const operation = 'download export'
      for await (const record of readReportFile(await openDownload(http, url, { apiUrl, upstream, operation }))) {
        const row = exportedSchema.safeParse(record)
        if (!row.success) throw new UpstreamMalformed('a row is not as documented', { upstream, operation })
        yield row.data
      }
    },
  }
}
