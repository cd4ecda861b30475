import type { Generated } from 'kysely'
import type { EligibilityStatus } from '../../contract.ts'

declare module '#server/db/tables.ts' {
  interface Tables {
    product: {
      merchant_id: number
      id: Generated<number>
      marketplace_id: number
      sku: string
      asin: string | null
      fnsku: string | null
      title: string | null
      brand: string | null
      category: string | null
      price_micros: number | null
      currency: string | null
      condition: string | null
      image_url: string | null
      best_seller_rank: number | null
      availability: string | null
      fulfilled_by_amazon: boolean | null
      eligibility_status: EligibilityStatus | null
      eligibility_message: string | null
      eligibility_checked_at: Date | null
      fees_micros: number | null
      cogs_micros: number | null
      gone_at: Date | null
      created_at: Generated<Date>
      updated_at: Generated<Date>
    }
    product_stock_day: {
      merchant_id: number
      product_id: number
      date: string
      available: number | null
      reserved: number | null
      unfulfillable: number | null
      inbound_working: number | null
      inbound_shipped: number | null
      inbound_received: number | null
      taken_at: Date
    }
  }
}
