import { type RawBuilder, sql } from 'kysely'
import './accounts-tables.ts'

export interface TenancyColumns {
  /** Connected merchants the account belongs to, by id. */
  merchantIds: number[]
  /** The merchant it works with, null when none is chosen or the account left it. */
  merchantId: number | null
  marketplaceId: number | null
}

/** The current merchant of an account `a`, for a select list; null when none is chosen or it left it. */
export const currentMerchant: RawBuilder<number | null> = sql<number | null>`(select m.merchant_id from membership m
  where m.account_id = a.id and m.ended_at is null and m.merchant_id = a.current_merchant_id)`

/** What an account `a` belongs to and works with, for a select list. */
export const tenancyColumns: RawBuilder<TenancyColumns> = sql<TenancyColumns>`
  (select coalesce(jsonb_agg(m.merchant_id order by m.merchant_id), '[]') from membership m
    where m.account_id = a.id and m.ended_at is null) as "merchantIds",
  ${currentMerchant} as "merchantId", a.current_marketplace_id as "marketplaceId"`

/** A subquery: the accounts that belong to a merchant. */
export const membersOf = (merchantId: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select o.account_id from membership o where o.merchant_id = ${merchantId} and o.ended_at is null)`
