import { setTimeout as sleep } from 'node:timers/promises'
import type { Profile } from '#features/accounts/server/public.ts'
import type { SalesAndTraffic, SellerReports } from '#integrations/selling-partner/index.ts'
import type { Services } from '#server/context.ts'
import { addDays, startOfDayIn } from '#shared/time.ts'
import { noteTrade } from '../sql/metrics-state.ts'
import { noteProductTradePull } from '../sql/product-trade-pulls.ts'
import { replaceProductTrade, replaceTradeDays } from '../sql/replace-trade.ts'

const pollsMs = [500, 1000, 2000, 3000, 5000, 10_000, 20_000, 30_000, 60_000]

/** The sales report is still being made; the job is tried again. */
export class TradeNotReady extends Error {
  constructor(from: string, to: string) {
    super(`The sales report of ${from} to ${to} is not ready yet.`)
    this.name = 'TradeNotReady'
  }
}

/**
 * Pulls the seller's whole trade of these days, advertised or not, and replaces them. Does nothing while the seller
 * account itself is not connected, and for vendors, who have no such report.
 */
export const importTrade = async (
  services: Services,
  profile: Profile,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<void> => {
  const sales = await salesOf(services, profile, from, to, signal)
  if (!sales) return
  const { db, clock } = services
  await db.tenant(profile.merchantId, async tx => {
    const days = sales.byDay.map(({ orderItems, ...day }) => ({ ...day, orders: orderItems }))
    await replaceTradeDays(tx, profile, days)
    await noteTrade(tx, profile, clock.now())
  })
}

/** Pulls what each product sold on one day and replaces it. The report tells products only by its whole range. */
export const importProductTrade = async (
  services: Services,
  profile: Profile,
  day: string,
  signal: AbortSignal,
): Promise<void> => {
  const sales = await salesOf(services, profile, day, day, signal)
  if (!sales && !hasTrade(profile)) return
  const rows = (sales?.byAsin ?? []).flatMap(row => (row.asin === null ? [] : [{ ...row, asin: row.asin, date: day }]))
  await services.db.tenant(profile.merchantId, async tx => {
    await replaceProductTrade(tx, profile, day, rows)
    await noteProductTradePull(tx, profile, day, services.clock.now())
  })
}

/** True of sellers whose account itself is connected. */
export const hasTrade = (profile: Profile): boolean =>
  profile.accountType === 'seller' && profile.sellerId !== null && profile.sellingPartnerConnectionId !== null

const salesOf = async (
  services: Services,
  profile: Profile,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<SalesAndTraffic | null> => {
  const { sellerId, sellingPartnerConnectionId: connectionId, region, timezone, marketplaceAmazonId } = profile
  if (!sellerId || connectionId === null || !hasTrade(profile)) return null
  const { reports } = services.integrations.sellingPartner.forSeller({ connectionId, region, sellerId })
  const { reportId } = await reports.request({
    type: 'GET_SALES_AND_TRAFFIC_REPORT',
    marketplaceIds: [marketplaceAmazonId],
    from: startOfDayIn(from, timezone),
    to: new Date(startOfDayIn(addDays(to, 1), timezone).getTime() - 1000),
    options: { dateGranularity: 'DAY', asinGranularity: 'CHILD' },
  })
  const documentId = await readyDocument(reports, reportId, signal)
  if (documentId === undefined) throw new TradeNotReady(from, to)
  return documentId === null ? null : reports.salesAndTraffic(documentId, marketplaceAmazonId)
}

/** The document of a report, null when there is nothing to report, undefined when it is not ready. */
const readyDocument = async (
  reports: SellerReports,
  reportId: string,
  signal: AbortSignal,
): Promise<string | null | undefined> => {
  for (const wait of pollsMs) {
    const state = await reports.get(reportId)
    if (state.status === 'DONE') return state.documentId
    if (state.status === 'CANCELLED') return null
    if (state.status === 'FATAL') throw new Error('The marketplace could not make the sales report.')
    await sleep(wait, undefined, { signal })
  }
  return undefined
}
