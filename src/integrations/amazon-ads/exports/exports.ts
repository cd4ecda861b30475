import { z } from 'zod'
import type { HttpClient } from '#server/http-client/http-client.ts'
import { openDownload } from '#server/http-client/download/open-download.ts'
import { UpstreamMalformed } from '#server/http-client/upstream-errors.ts'
import type { AdsCall } from '../client.ts'
import { readReportFile } from '../reports/reports.ts'
import type { AdProduct } from '../reports/kinds.ts'
import type { EntityState } from '../entities/conversions.ts'
import { type ExportedRow, exportedSchema } from './exported-row.ts'

/** What one file holds, of all advertising products. */
export type ExportKind = 'campaigns' | 'adGroups' | 'ads' | 'targets'

export interface ExportState {
  exportId: string
  status: 'PROCESSING' | 'COMPLETED' | 'FAILED'
  /** Only when completed, and only until it expires; ask again for a fresh one. */
  url: string | null
  failureReason: string | null
}

/** An account's whole structure as files: for large accounts far fewer calls than lists, whose pages are counted. */
export interface Exports {
  /** Asks for a file of how things stand now; asking twice makes two. */
  request(
    kind: ExportKind,
    filter?: { products?: readonly AdProduct[]; states?: readonly EntityState[] },
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

const exportWire = z.object({
  exportId: z.string(),
  status: z.string(),
  url: z.string().nullish(),
  error: z.object({ errorCode: z.string().nullish(), message: z.string().nullish() }).nullish(),
})

function fromExport(wire: z.output<typeof exportWire>): ExportState {
  return {
    exportId: wire.exportId,
    status: wire.status === 'COMPLETED' || wire.status === 'FAILED' ? wire.status : 'PROCESSING',
    url: wire.url ?? null,
    failureReason: wire.error?.message ?? wire.error?.errorCode ?? null,
  }
}

export function createExports(call: AdsCall, http: HttpClient, apiUrl: string): Exports {
  return {
    request: async (kind, { products, states } = {}) =>
      fromExport(
        await call({
          operation: `export ${kind}`,
          method: 'POST',
          path: `/${kind}/export`,
          mediaType: mediaOf(kind),
          body: { ...(products && { adProductFilter: products }), ...(states && { stateFilter: states }) },
          // A second file does no harm, so asking again is allowed.
          effect: 'read',
          schema: exportWire,
        }),
      ),
    get: async (kind, exportId) =>
      fromExport(
        await call({
          operation: 'get export',
          method: 'GET',
          path: `/exports/${encodeURIComponent(exportId)}`,
          acceptType: mediaOf(kind),
          effect: 'read',
          schema: exportWire,
        }),
      ),
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
