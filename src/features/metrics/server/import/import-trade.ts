import { setTimeout as sleep } from 'node:timers/promises'
import type { Profile } from '#features/accounts/server/public.ts'
import type { SalesAndTraffic, SellerReports } from '#integrations/selling-partner/index.ts'
import type { Services } from '#server/context.ts'
import { addDays, startOfDayIn } from '#shared/time.ts'
import { noteTrade } from '../sql/metrics-state.ts'
import { noteProductTradePull } from '../sql/replace-trade.ts'
import { mergeTradeDays, replaceProductTrade, replaceTradeDays, type TradeDay } from '../sql/replace-trade.ts'
import { rollUpProducts } from '../sql/read-products.ts'
import { closeRequest, openRequest, setAmazonReport } from '../sql/report-requests.ts'

/** Longer than any report takes; the marketplace deletes the files after three days. */
const stuckAfterMs = 6 * 3_600_000
const pollsMs = [500, 1000, 2000, 3000, 5000, 10_000, 20_000, 30_000, 60_000]

/** The sales report is not ready within one run; the job is retried. */
export class TradeNotReady extends Error {
  constructor(from: string, to: string) {
    super(`The sales report of ${from} to ${to} is not ready yet.`)
    this.name = 'TradeNotReady'
  }
}

/** The marketplace could not make the sales report of these days; those of other days may succeed. */
export class TradeNotMade extends Error {
  constructor(from: string, to: string) {
    super(`The marketplace could not make the sales report of ${from} to ${to}.`)
    this.name = 'TradeNotMade'
  }
}

/**
 * Imports the seller's total sales of these days, advertised or not, and replaces them. Days whose sales by product were
 * imported stay unchanged, since both are replaced together; where the sales differ by now, they are marked to be imported
 * again. May be stopped and run again: it resumes a report that was requested, since the marketplace makes few of them.
 * Does nothing while the seller account itself is not connected, and for vendors, who have no such report.
 */
export async function importTrade(
  services: Services,
  profile: Profile,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<void> {
  const report = await readSales(services, profile, { kind: 'TRADE', from, to }, signal)
  if (!report) return
  const { sales, requestId, requestedAt } = report
  const { db, clock } = services
  await db.tenant(profile.merchantId, async tx => {
    await closeRequest(tx, profile.merchantId, requestId, clock.now())
    if (!sales) return
    await mergeTradeDays(tx, profile, sales.byDay.map(toTradeDay))
    await noteTrade(tx, profile, requestedAt)
  })
}

/**
 * Imports what was sold on one day, by product and in total, and replaces both in one transaction, so that they never
 * disagree. The report breaks down by product only for its whole range.
 */
export async function importProductTrade(
  services: Services,
  profile: Profile,
  day: string,
  signal: AbortSignal,
): Promise<void> {
  const report = await readSales(services, profile, { kind: 'PRODUCT_TRADE', from: day, to: day }, signal)
  if (!report) return
  const rows = (report.sales?.byAsin ?? []).flatMap(row =>
    row.asin === null ? [] : [{ ...row, asin: row.asin, date: day }],
  )
  const total = report.sales?.byDay.find(row => row.date === day)
  await services.db.tenant(profile.merchantId, async tx => {
    await closeRequest(tx, profile.merchantId, report.requestId, services.clock.now())
    await replaceTradeDays(tx, profile, [total ? toTradeDay(total) : { ...nothingSold, date: day }])
    await replaceProductTrade(tx, profile, day, rows)
    await rollUpProducts(tx, profile, { from: day, to: day })
    await noteProductTradePull(tx, profile, day, report.requestedAt)
  })
}

const nothingSold = { units: 0, orders: 0, salesMicros: 0, sessions: 0, pageViews: 0 }

function toTradeDay({ orderItems, ...day }: SalesAndTraffic['byDay'][number]): TradeDay {
  return {
    ...day,
    orders: orderItems,
  }
}

/** True for sellers who have connected the seller account itself. */
export const hasTrade = (profile: Profile): boolean =>
  profile.accountType === 'seller' && profile.sellerId !== null && profile.sellingPartnerConnectionId !== null

/** A report's rows and its request, which is closed in the transaction that saves the rows. */
interface SalesReport {
  sales: SalesAndTraffic | null
  requestId: number
  requestedAt: Date
}

async function readSales(
  services: Services,
  profile: Profile,
  { kind, from, to }: { kind: string; from: string; to: string },
  signal: AbortSignal,
): Promise<SalesReport | null> {
  const { sellerId, sellingPartnerConnectionId: connectionId, region, timezone, marketplaceAmazonId } = profile
  if (!sellerId || connectionId === null || !hasTrade(profile)) return null
  const { db, clock } = services
  const { reports } = services.integrations.sellingPartner.forSeller({ connectionId, region, sellerId })
  const request = await db.tenant(profile.merchantId, tx => openRequest(tx, profile, { kind, from, to }, clock.now()))
  const remember = (reportId: string | null, why: string | null) =>
    db.tenant(profile.merchantId, tx => setAmazonReport(tx, profile.merchantId, request.id, reportId, why, clock.now()))
  let { amazonReportId: reportId, requestedAt } = request
  // A report that is not ready after so long is stuck, and requested again.
  if (reportId && clock.now().getTime() - request.requestedAt.getTime() > stuckAfterMs) {
    await remember(null, 'not ready in time')
    reportId = null
  }
  if (!reportId) {
    const requested = await reports.request({
      type: 'GET_SALES_AND_TRAFFIC_REPORT',
      marketplaceIds: [marketplaceAmazonId],
      from: startOfDayIn(from, timezone),
      to: new Date(startOfDayIn(addDays(to, 1), timezone).getTime() - 1000),
      options: { dateGranularity: 'DAY', asinGranularity: 'CHILD' },
    })
    reportId = requested.reportId
    requestedAt = clock.now()
    await remember(reportId, null)
  }
  const end = await outcomeOf(reports, reportId, signal)
  if (end === 'NOT_READY') throw new TradeNotReady(from, to)
  if (end === 'FATAL') {
    await remember(null, end)
    throw new TradeNotMade(from, to)
  }
  const sales = end.documentId === null ? null : await reports.salesAndTraffic(end.documentId, marketplaceAmazonId)
  return { sales, requestId: request.id, requestedAt }
}

type Outcome = { documentId: string | null } | 'FATAL' | 'NOT_READY'

/** How a report ended, if it did within this run; its document is null when there is nothing to report. */
async function outcomeOf(reports: SellerReports, reportId: string, signal: AbortSignal): Promise<Outcome> {
  for (const wait of pollsMs) {
    const { status, documentId } = await reports.get(reportId)
    if (status === 'DONE') return { documentId }
    if (status === 'CANCELLED') return { documentId: null }
    if (status === 'FATAL') return status
    await sleep(wait, undefined, { signal })
  }
  return 'NOT_READY'
}
