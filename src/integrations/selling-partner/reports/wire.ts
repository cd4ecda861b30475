import { z } from 'zod'
import { toMicros } from '#shared/money.ts'
import { text } from '../wire.ts'

export const createdReport = z.object({ reportId: z.string() })

const report = z.object({
  reportId: z.string(),
  processingStatus: z.string(),
  createdTime: z.string(),
  reportDocumentId: text,
  reportType: text,
  marketplaceIds: z.array(z.string()).nullish(),
  dataStartTime: text,
  dataEndTime: text,
})
export const reportList = z.object({ reports: z.array(report) })
export type ReportWire = z.output<typeof report>

/** CANCELLED also means that there was nothing to report. */
const status = z.enum(['IN_QUEUE', 'IN_PROGRESS', 'DONE', 'CANCELLED', 'FATAL']).catch('IN_PROGRESS')
export const reportState = report.extend({ processingStatus: status }).transform(wire => ({
  reportId: wire.reportId,
  status: wire.processingStatus,
  documentId: wire.reportDocumentId,
  createdAt: new Date(wire.createdTime),
}))

export const reportDocument = z.object({ url: z.string() })

const number = z
  .number()
  .nullish()
  .transform(value => value ?? 0)
const sales = z.object({
  orderedProductSales: z.object({ amount: z.number(), currencyCode: z.string() }).nullish(),
  unitsOrdered: number,
  totalOrderItems: number,
  unitsRefunded: number,
})
const traffic = z.object({ pageViews: number, sessions: number, buyBoxPercentage: z.number().nullish() })

function figuresOf({ orderedProductSales, unitsOrdered }: z.output<typeof sales>, visits: z.output<typeof traffic>) {
  return {
    salesMicros: toMicros(orderedProductSales?.amount ?? 0),
    currency: orderedProductSales?.currencyCode ?? null,
    units: unitsOrdered,
    pageViews: visits.pageViews,
    sessions: visits.sessions,
    buyBoxPercent: visits.buyBoxPercentage ?? null,
  }
}

export type SalesAndTraffic = z.output<typeof salesAndTraffic>
/** Source: sellerSalesAndTrafficReport.json of the published report schemas. Sales are micros of their currency. */
export const salesAndTraffic = z
  .object({
    salesAndTrafficByDate: z
      .array(z.object({ date: z.string(), salesByDate: sales, trafficByDate: traffic }))
      .nullish(),
    salesAndTrafficByAsin: z
      .array(z.object({ parentAsin: text, childAsin: text, sku: text, salesByAsin: sales, trafficByAsin: traffic }))
      .nullish(),
  })
  .transform(wire => ({
    byDay: (wire.salesAndTrafficByDate ?? []).map(({ date, salesByDate, trafficByDate }) => ({
      date,
      ...figuresOf(salesByDate, trafficByDate),
      orderItems: salesByDate.totalOrderItems,
      refundedUnits: salesByDate.unitsRefunded,
    })),
    byAsin: (wire.salesAndTrafficByAsin ?? []).map(({ parentAsin, childAsin, sku, salesByAsin, trafficByAsin }) => ({
      parentAsin,
      asin: childAsin,
      sku,
      ...figuresOf(salesByAsin, trafficByAsin),
    })),
  }))
