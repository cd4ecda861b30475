import { sql } from 'kysely'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { Db } from '#server/db/tables.ts'
import { raiseVersion } from '#server/db/tenant-version.ts'
import type { Micros } from '#shared/money.ts'

export interface ProfileRow {
  merchantId: number
  id: number
  connectionId: number
  amazonProfileId: string
  region: RegionKey
  marketplaceId: number
  countryCode: string
  currency: string
  timezone: string
  accountName: string
  accountType: 'SELLER' | 'VENDOR'
  accountSubType: string | null
  validPaymentMethod: boolean
  dailyBudgetMicros: Micros | null
  campaignPrefix: string | null
  adSpendPercentage: number | null
  isManaged: boolean
  lastFetched: Date | null
  createdAt: Date
  updatedAt: Date
  sellingPartnerId: string
  sellingPartnerConnectionId: number | null
}

/** Profiles with their merchant's seller and its connection to the seller account, by country. */
export function profileRows(db: Db, merchantIds: readonly number[]) {
  return db
    .selectFrom('ads_profile as p')
    .innerJoin('merchant as m', 'm.merchant_id', 'p.merchant_id')
    .leftJoin('connection as c', join =>
      join
        .onRef('c.merchant_id', '=', 'p.merchant_id')
        .on('c.kind', '=', 'SELLING_PARTNER')
        .on('c.health', '<>', 'DISCONNECTED'),
    )
    .select([
      'p.merchant_id as merchantId',
      'p.id',
      'p.connection_id as connectionId',
      'p.amazon_profile_id as amazonProfileId',
      'p.region',
      'p.marketplace_id as marketplaceId',
      'p.country_code as countryCode',
      'p.currency',
      'p.timezone',
      'p.account_name as accountName',
      'p.account_type as accountType',
      'p.account_sub_type as accountSubType',
      'p.valid_payment_method as validPaymentMethod',
      'p.daily_budget_micros as dailyBudgetMicros',
      'p.campaign_prefix as campaignPrefix',
      'p.ad_spend_percentage as adSpendPercentage',
      'p.is_managed as isManaged',
      'p.last_fetched as lastFetched',
      'p.created_at as createdAt',
      'p.updated_at as updatedAt',
      'm.selling_partner_id as sellingPartnerId',
      'c.id as sellingPartnerConnectionId',
    ])
    .$narrowType<{ region: RegionKey }>()
    .where('p.merchant_id', '=', sql<number>`any(${[...merchantIds]}::bigint[])`)
    .orderBy('p.merchant_id')
    .orderBy('p.country_code')
    .orderBy('p.id')
}

export type NewProfile = Pick<
  ProfileRow,
  | 'amazonProfileId'
  | 'region'
  | 'marketplaceId'
  | 'countryCode'
  | 'currency'
  | 'timezone'
  | 'accountName'
  | 'accountType'
  | 'accountSubType'
  | 'validPaymentMethod'
  | 'dailyBudgetMicros'
>

/** Adds profiles of a merchant or updates existing ones; leaves unchanged whether they are managed. */
export async function saveProfiles(
  db: Db,
  merchantId: number,
  connectionId: number,
  profiles: readonly NewProfile[],
  now: Date,
): Promise<void> {
  const rows = profiles.map(p => ({
    merchant_id: merchantId,
    connection_id: connectionId,
    amazon_profile_id: p.amazonProfileId,
    region: p.region,
    marketplace_id: p.marketplaceId,
    country_code: p.countryCode,
    currency: p.currency,
    timezone: p.timezone,
    account_name: p.accountName,
    account_type: p.accountType,
    account_sub_type: p.accountSubType,
    valid_payment_method: p.validPaymentMethod,
    daily_budget_micros: p.dailyBudgetMicros,
    updated_at: now,
    created_at: now,
  }))
  await db
    .insertInto('ads_profile')
    .values(rows)
    .onConflict(conflict =>
      conflict.columns(['merchant_id', 'amazon_profile_id']).doUpdateSet(eb => ({
        connection_id: eb.ref('excluded.connection_id'),
        country_code: eb.ref('excluded.country_code'),
        currency: eb.ref('excluded.currency'),
        timezone: eb.ref('excluded.timezone'),
        account_name: eb.ref('excluded.account_name'),
        account_sub_type: eb.ref('excluded.account_sub_type'),
        valid_payment_method: eb.ref('excluded.valid_payment_method'),
        daily_budget_micros: eb.ref('excluded.daily_budget_micros'),
        updated_at: eb.ref('excluded.updated_at'),
      })),
    )
    .execute()
  await raiseVersion(db, merchantId)
}

/** Marks profiles of a merchant as managed; returns the existing ones, by id. */
export async function manageProfiles(
  db: Db,
  merchantId: number,
  amazonProfileIds: readonly string[],
  now: Date,
): Promise<{ id: number; amazonProfileId: string; marketplaceId: number }[]> {
  const managed = await db
    .updateTable('ads_profile')
    .set(eb => ({ is_managed: true, managed_at: eb.fn.coalesce('managed_at', eb.val(now)) }))
    .where('merchant_id', '=', merchantId)
    .where('amazon_profile_id', '=', sql<string>`any(${[...amazonProfileIds]}::text[])`)
    .returning(['id', 'amazon_profile_id as amazonProfileId', 'marketplace_id as marketplaceId'])
    .execute()
  await raiseVersion(db, merchantId)
  return managed
}

/** The managed advertising accounts of merchants, with their currency and since when they are managed. */
export function managedSince(db: Db, merchantIds: readonly number[]) {
  return db
    .selectFrom('ads_profile')
    .select(eb => [
      'merchant_id as merchantId',
      'id as profileId',
      'currency',
      eb.fn.coalesce('managed_at', 'created_at').as('since'),
    ])
    .where('merchant_id', '=', sql<number>`any(${[...merchantIds]}::bigint[])`)
    .where('is_managed', '=', true)
    .orderBy('merchant_id')
    .orderBy('id')
    .execute()
}

/** Ends the management of all profiles of a merchant. */
export async function releaseProfiles(db: Db, merchantId: number): Promise<void> {
  await db
    .updateTable('ads_profile')
    .set({ is_managed: false, managed_at: null })
    .where('merchant_id', '=', merchantId)
    .execute()
  await raiseVersion(db, merchantId)
}
