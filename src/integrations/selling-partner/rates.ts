import type { Rate } from '#server/http-client/token-buckets.ts'

/**
 * Calls a second and at once, per seller and operation, as the models' usage plans say. The header with the true rate
 * is best effort and never comes with a 429, so these are kept by the caller. Source: selling-partner-api-models.
 */
export const rates = {
  getMarketplaceParticipations: { rate: 0.016, burst: 15 },
  getInventorySummaries: { rate: 2, burst: 2 },
  searchListingsItems: { rate: 5, burst: 5 },
  getListingsItem: { rate: 5, burst: 10 },
  searchCatalogItems: { rate: 2, burst: 2 },
  getCatalogItem: { rate: 2, burst: 2 },
  createReport: { rate: 0.0167, burst: 15 },
  getReports: { rate: 0.0222, burst: 10 },
  getReport: { rate: 2, burst: 15 },
  getReportDocument: { rate: 0.0167, burst: 15 },
  cancelReport: { rate: 0.0222, burst: 10 },
  getOrderMetrics: { rate: 0.5, burst: 15 },
  getMyFeesEstimates: { rate: 0.5, burst: 1 },
} as const satisfies Record<string, Rate>

export type Operation = keyof typeof rates
