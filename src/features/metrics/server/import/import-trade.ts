import { setTimeout as sleep } from 'node:timers/promises'
import type { Profile } from '#features/accounts/server/public.ts'
import type { SalesAndTraffic, SellerReports } from '#integrations/selling-partner/index.ts'
import type { Services } from '#server/context.ts'
import { addDays, startOfDayIn } from '#shared/time.ts'
import { noteTrade } from '../sql/metrics-state.ts'
import { noteProductTradePull } from '../sql/product-trade-pulls.ts'
import { mergeTradeDays, replaceProductTrade, replaceTradeDays, type TradeDay } from '../sql/replace-trade.ts'
import { closeRequest, openRequest, setAmazonReport } from '../sql/report-requests.ts'

/** Longer than any report takes; the files themselves are kept for three days. */
const giveUpAfterMs = 6 * 3_600_000
const pollsMs = [500, 1000, 2000, 3000, 5000, 10_000, 20_000, 30_000, 60_000]

/** The sales report is still being made; the job is tried again. */
export class TradeNotReady extends Error {
  constructor(from: string, to: string) {
    super(`The sales report of ${from} to ${to} is not ready yet.`)
    this.name = 'TradeNotReady'
  }
}

/** The marketplace could not make the sales report of these days; others may do. */
export class TradeNotMade extends Error {
  constructor(from: string, to: string) {
    super(`The marketplace could not make the sales report of ${from} to ${to}.`)
    this.name = 'TradeNotMade'
  }
}

/**
 * Pulls the seller's whole trade of these days, advertised or not, and replaces them. Days of which the sales by product
 * are known stay as they are, since both are replaced together; where the sales are others by now, they are marked to be read again. May be broken off and run again: a
 * report already asked for is taken up, since the marketplace makes few of them. Does nothing while the seller
 * account itself is not connected, and for vendors, who have no such report.
 */
export const importTrade = async (
  services: Services,
  profile: Profile,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<void> => {
  const answered = await salesOf(services, profile, { kind: 'TRADE', from, to }, signal)
  if (!answered) return
  const { sales, requestId, requestedAt } = answered
  const { db, clock } = services
  await db.tenant(profile.merchantId, async tx => {
    await closeRequest(tx, profile.merchantId, requestId, clock.now())
    if (!sales) return
    await mergeTradeDays(tx, profile, sales.byDay.map(toTradeDay))
    await noteTrade(tx, profile, requestedAt)
  })
}

/**
 * Pulls what was sold on one day, by product and in total, and replaces both in one transaction, so that they never
 * disagree. The report breaks down by product only for its whole range.
 */
export const importProductTrade = async (
  services: Services,
  profile: Profile,
  day: string,
  signal: AbortSignal,
): Promise<void> => {
  const answered = await salesOf(services, profile, { kind: 'PRODUCT_TRADE', from: day, to: day }, signal)
  if (!answered) return
  const rows = (answered.sales?.byAsin ?? []).flatMap(row =>
    row.asin === null ? [] : [{ ...row, asin: row.asin, date: day }],
  )
  const total = answered.sales?.byDay.find(row => row.date === day)
  await services.db.tenant(profile.merchantId, async tx => {
    await closeRequest(tx, profile.merchantId, answered.requestId, services.clock.now())
    await replaceTradeDays(tx, profile, [total ? toTradeDay(total) : { ...nothingSold, date: day }])
    await replaceProductTrade(tx, profile, day, rows)
    await noteProductTradePull(tx, profile, day, answered.requestedAt)
  })
}

const nothingSold = { units: 0, orders: 0, salesMicros: 0, sessions: 0, pageViews: 0 }

const toTradeDay = ({ orderItems, ...day }: SalesAndTraffic['byDay'][number]): TradeDay => ({
  ...day,
  orders: orderItems,
})

/** True of sellers whose account itself is connected. */
export const hasTrade = (profile: Profile): boolean =>
  profile.accountType === 'seller' && profile.sellerId !== null && profile.sellingPartnerConnectionId !== null

/** A report's rows and the request that they answer, to be closed in the transaction that saves them. */
interface Answered {
  sales: SalesAndTraffic | null
  requestId: number
  requestedAt: Date
}

const salesOf = async (
  services: Services,
  profile: Profile,
  { kind, from, to }: { kind: string; from: string; to: string },
  signal: AbortSignal,
): Promise<Answered | null> => {
  const { sellerId, sellingPartnerConnectionId: connectionId, region, timezone, marketplaceAmazonId } = profile
  if (!sellerId || connectionId === null || !hasTrade(profile)) return null
  const { db, clock } = services
  const { reports } = services.integrations.sellingPartner.forSeller({ connectionId, region, sellerId })
  const request = await db.tenant(profile.merchantId, tx => openRequest(tx, profile, { kind, from, to }, clock.now()))
  const remember = (reportId: string | null, why: string | null) =>
    db.tenant(profile.merchantId, tx => setAmazonReport(tx, profile.merchantId, request.id, reportId, why, clock.now()))
  let { amazonReportId: reportId, requestedAt } = request
  // One that is not ready after so long is stuck, and asked for anew.
  if (reportId && clock.now().getTime() - request.requestedAt.getTime() > giveUpAfterMs) {
    await remember(null, 'not ready in time')
    reportId = null
  }
  if (!reportId) {
    const asked = await reports.request({
      type: 'GET_SALES_AND_TRAFFIC_REPORT',
      marketplaceIds: [marketplaceAmazonId],
      from: startOfDayIn(from, timezone),
      to: new Date(startOfDayIn(addDays(to, 1), timezone).getTime() - 1000),
      options: { dateGranularity: 'DAY', asinGranularity: 'CHILD' },
    })
    reportId = asked.reportId
    requestedAt = clock.now()
    await remember(reportId, null)
  }
  const end = await endOf(reports, reportId, signal)
  if (end === 'NOT_READY') throw new TradeNotReady(from, to)
  if (end === 'FATAL') {
    await remember(null, end)
    throw new TradeNotMade(from, to)
  }
  const sales = end.documentId === null ? null : await reports.salesAndTraffic(end.documentId, marketplaceAmazonId)
  return { sales, requestId: request.id, requestedAt }
}

type Ending = { documentId: string | null } | 'FATAL' | 'NOT_READY'

/** How a report ends, as far as this run can wait; its document is null when there is nothing to report. */
const endOf = async (reports: SellerReports, reportId: string, signal: AbortSignal): Promise<Ending> => {
  for (const wait of pollsMs) {
    const { status, documentId } = await reports.get(reportId)
    if (status === 'DONE') return { documentId }
    if (status === 'CANCELLED') return { documentId: null }
    if (status === 'FATAL') return status
    await sleep(wait, undefined, { signal })
  }
  return 'NOT_READY'
}
