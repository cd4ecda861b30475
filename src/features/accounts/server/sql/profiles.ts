import type { Db } from '#server/db/tables.ts'
import type { RegionKey } from '#shared/marketplaces.ts'
import { anyOf } from './merchants.ts'

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
      'm.name as merchantName',
      'm.selling_partner_id as sellingPartnerId',
      'c.id as sellingPartnerConnectionId',
    ])
    .$narrowType<{ region: RegionKey }>()
    .where('p.merchant_id', '=', anyOf(merchantIds))
    .orderBy('p.merchant_id')
    .orderBy('p.country_code')
    .orderBy('p.id')
}
export type ProfileRow = Awaited<ReturnType<ReturnType<typeof profileRows>['execute']>>[number]

/** The managed ones among them. */
export const managedProfiles = (db: Db, merchantIds: readonly number[]) =>
  profileRows(db, merchantIds).where('p.is_managed', '=', true)
