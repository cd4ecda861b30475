import { z } from 'zod'

export const createdWire = z.object({ reportId: z.string() })

export const reportWire = z.object({
  reportId: z.string(),
  processingStatus: z.string(),
  createdTime: z.string(),
  reportDocumentId: z.string().nullish(),
  reportType: z.string().nullish(),
  marketplaceIds: z.array(z.string()).nullish(),
  dataStartTime: z.string().nullish(),
  dataEndTime: z.string().nullish(),
})

export const reportsWire = z.object({ reports: z.array(reportWire) })

export const documentWire = z.object({
  reportDocumentId: z.string(),
  url: z.string(),
  compressionAlgorithm: z.string().nullish(),
})

const money = z.object({ amount: z.number(), currencyCode: z.string() }).nullish()
const number = z.number().nullish()
const traffic = z.object({ pageViews: number, sessions: number, buyBoxPercentage: number })

/** Source: sellerSalesAndTrafficReport.json of the published report schemas. */
export const salesAndTrafficWire = z.object({
  salesAndTrafficByDate: z
    .array(
      z.object({
        date: z.string(),
        salesByDate: z.object({
          orderedProductSales: money,
          unitsOrdered: number,
          totalOrderItems: number,
          unitsRefunded: number,
        }),
        trafficByDate: traffic,
      }),
    )
    .nullish(),
  salesAndTrafficByAsin: z
    .array(
      z.object({
        parentAsin: z.string().nullish(),
        childAsin: z.string().nullish(),
        sku: z.string().nullish(),
        salesByAsin: z.object({ orderedProductSales: money, unitsOrdered: number }),
        trafficByAsin: traffic,
      }),
    )
    .nullish(),
})
