import { campaignsListing, exportFigures, keywordsListing } from '#features/campaigns/server/public.ts'
import { exportPerformance } from '#features/home/server/public.ts'
import { exportAsins } from '#features/insights/server/public.ts'
import { exportSearchTerms } from '#features/search-terms/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { FileAnswer } from '#shared/define-endpoint.ts'
import type { ExportFormat } from '#shared/export-file.ts'
import type { ReportKind } from '../contract.ts'

const byCost = { sortBy: 'cost', sortDir: 'desc' } as const
const all = { state: 'ALL' } as const

/**
 * A report as one table with every row, as the screen of its figures exports it: that is why the two agree to the cent. Rows
 * are read in parts while the file is made.
 */
export function tableOfReport(
  ctx: Ctx,
  kind: ReportKind,
  { format, asins, ...days }: { format: ExportFormat; asins: string[] | null; dateFrom: string; dateTo: string },
): Promise<FileAnswer> {
  const request = { ...days, ...byCost, format }
  switch (kind) {
    case 'ACCOUNT':
      return exportPerformance(ctx, { ...days, format, granularity: 'DAY' })
    case 'CAMPAIGNS':
      return exportFigures(ctx, 'campaigns', request, campaignsListing(all, ctx.clock.now()))
    case 'KEYWORDS':
      return exportFigures(ctx, 'keywords', request, keywordsListing(all))
    case 'ASIN':
      return exportAsins(ctx, { ...request, asins: asins ?? undefined })
    case 'SEARCH_TERMS':
      return exportSearchTerms(ctx, request)
  }
}
