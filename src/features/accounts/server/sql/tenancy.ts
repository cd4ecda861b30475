import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { MerchantRole } from '#shared/authority.ts'

export interface TenancyColumns {
  /** Connected merchants the account belongs to, by id. */
  merchantIds: number[]
  /** The merchant it works with, null when none is chosen or the account left it. */
  merchantId: number | null
  /** What the account is to that merchant. */
  merchantRole: MerchantRole | null
  marketplaceId: number | null
}

/** The current merchant of an account `a`, for a select list; null when none is chosen or it left it. */
export const currentMerchant: RawBuilder<number | null> = sql<number | null>`(select m.merchant_id from membership m
  where m.account_id = a.id and m.ended_at is null and m.merchant_id = a.current_merchant_id)`

/** What an account `a` is to a merchant, for a select list; null when it does not belong to it. */
export function roleIn(merchantId: RawBuilder<unknown>): RawBuilder<MerchantRole | null> {
  return sql<MerchantRole | null>`(select m.role from membership m
    where m.account_id = a.id and m.ended_at is null and m.merchant_id = ${merchantId})`
}

/** What an account `a` belongs to and works with, for a select list. */
export const tenancyColumns: RawBuilder<TenancyColumns> = sql<TenancyColumns>`
  (select coalesce(jsonb_agg(m.merchant_id order by m.merchant_id), '[]') from membership m
    where m.account_id = a.id and m.ended_at is null) as "merchantIds",
  ${currentMerchant} as "merchantId", ${roleIn(sql`a.current_merchant_id`)} as "merchantRole", a.current_marketplace_id as "marketplaceId"`

/** Whether the seller that a merchant holds had its trial, and whose trial it was. */
export interface MerchantTrial {
  isUsed: boolean
  accountId: number | null
}

/** The trial of a merchant, for a select list; null without a merchant. */
export function merchantTrial(merchantId: RawBuilder<unknown>): RawBuilder<MerchantTrial | null> {
  return sql<MerchantTrial | null>`(select jsonb_build_object('isUsed', c.trial_used_at is not null, 'accountId', c.trial_account_id)
    from seller_claim c where c.merchant_id = ${merchantId} limit 1)`
}

/** The trial of a merchant; null where it holds no seller any more. */
export async function trialOf(db: Db, merchantId: number): Promise<MerchantTrial | null> {
  const { rows } = await sql<{
    trial: MerchantTrial | null
  }>`select ${merchantTrial(sql`${merchantId}::bigint`)} as trial`.execute(db)
  return rows[0]?.trial ?? null
}

/** A subquery: the accounts that belong to a merchant. */
export function membersOf(merchantId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select o.account_id from membership o where o.merchant_id = ${merchantId} and o.ended_at is null)`
}

/** The connected merchants of an account and what it works with, in one query. */
export async function tenancyOf(db: Db, accountId: number): Promise<TenancyColumns> {
  const { rows } = await sql<TenancyColumns>`select ${tenancyColumns} from account a where a.id = ${accountId}`.execute(
    db,
  )
  return rows[0] ?? { merchantIds: [], merchantId: null, merchantRole: null, marketplaceId: null }
}
