import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { Owner } from './listing.ts'
import {
  type AdColumns,
  type AdGroupColumns,
  type CampaignColumns,
  rowColumns,
  type TargetColumns,
} from './row-columns.ts'

/** The columns that an edit may change; `base` holds the same ones as they were before. */
export const editable = {
  campaign: ['name', 'state', 'daily_budget_micros', 'bidding_strategy', 'bidding', 'end_date'],
  ad_group: ['name', 'state', 'default_bid_micros'],
  product_ad: ['state'],
  target: ['state', 'bid_micros'],
} as const
export type EditedTable = keyof typeof editable

/** What is read of an edited row of each table. */
export interface EditedRows {
  campaign: CampaignColumns
  ad_group: AdGroupColumns
  product_ad: AdColumns
  target: TargetColumns
}

export type EditedValues = Record<string, unknown>

const shown = {
  campaign: rowColumns.campaign,
  ad_group: rowColumns.adGroup,
  product_ad: rowColumns.ad,
  target: rowColumns.target,
} as const

/** What of a row's campaign an edit has to know. */
export interface OfCampaign {
  campaignBudgetMicros: number | null
  campaignState: string
}

const valuesOf = (table: EditedTable) =>
  sql`jsonb_build_object(${sql.join(editable[table].map(column => sql`${sql.lit(column)}, t.${sql.ref(column)}`))})`

/** A campaign held until the transaction ends; undefined when the account has none of this id. */
export const lockCampaign = async (tx: Db, owner: Owner, id: number): Promise<CampaignColumns | undefined> => {
  const { rows } = await sql<CampaignColumns>`select ${rowColumns.campaign} from campaign t
    where t.merchant_id = ${owner.merchantId} and t.profile_id = ${owner.profileId} and t.id = ${id} for update`.execute(
    tx,
  )
  return rows[0]
}

/** An ad group with its campaign's state and budget, held until the transaction ends; undefined when there is none. */
export const lockAdGroup = async (
  tx: Db,
  owner: Owner,
  id: number,
): Promise<(AdGroupColumns & OfCampaign) | undefined> => {
  const { rows } = await sql<AdGroupColumns & OfCampaign>`
    select ${rowColumns.adGroup}, o.daily_budget_micros as "campaignBudgetMicros", o.state as "campaignState"
    from ad_group t join campaign o on o.merchant_id = t.merchant_id and o.id = t.campaign_id
    where t.merchant_id = ${owner.merchantId} and t.profile_id = ${owner.profileId} and t.id = ${id} for update of t`.execute(
    tx,
  )
  return rows[0]
}

/** A product's ad with its campaign's and ad group's state, held likewise. */
export const lockAd = async (
  tx: Db,
  owner: Owner,
  id: number,
): Promise<(AdColumns & { campaignState: string; adGroupState: string }) | undefined> => {
  const { rows } = await sql<AdColumns & { campaignState: string; adGroupState: string }>`
    select ${rowColumns.ad}, o.state as "campaignState", g.state as "adGroupState"
    from product_ad t join campaign o on o.merchant_id = t.merchant_id and o.id = t.campaign_id
      join ad_group g on g.merchant_id = t.merchant_id and g.id = t.ad_group_id
    where t.merchant_id = ${owner.merchantId} and t.profile_id = ${owner.profileId} and t.id = ${id} for update of t`.execute(
    tx,
  )
  return rows[0]
}

/** True when another ad group of the campaign has the name, whatever its letters' case; archived ones do not count. */
export const adGroupNameTaken = async (
  tx: Db,
  { merchantId }: Owner,
  { campaignId, id }: { campaignId: number; id: number },
  name: string,
): Promise<boolean> => {
  const { rows } =
    await sql`select 1 from ad_group t where t.merchant_id = ${merchantId} and t.campaign_id = ${campaignId}
      and t.id <> ${id} and t.state <> 'ARCHIVED' and t.gone_at is null and lower(t.name) = lower(${name}) limit 1`.execute(
      tx,
    )
  return rows.length > 0
}

/** A target of one of these kinds with its campaign's budget, held until the transaction ends. */
export const lockTarget = async (
  tx: Db,
  owner: Owner,
  id: number,
  kinds: readonly string[],
): Promise<(TargetColumns & OfCampaign) | undefined> => {
  const { rows } = await sql<TargetColumns & OfCampaign>`
    select ${rowColumns.target}, c.daily_budget_micros as "campaignBudgetMicros", c.state as "campaignState"
    from target t join campaign c on c.merchant_id = t.merchant_id and c.id = t.campaign_id
    where t.merchant_id = ${owner.merchantId} and t.profile_id = ${owner.profileId} and t.id = ${id}
      and t.kind = any(${kinds}::text[]) for update of t`.execute(tx)
  return rows[0]
}

/**
 * Sets columns of a row to what a user wants and marks it as waiting for the marketplace; `base` keeps what was there
 * before the first of several edits. Returns the row as it is now; the caller holds it locked, so that it is there.
 */
export const editRow = async <T extends EditedTable>(
  tx: Db,
  table: T,
  owner: Owner,
  id: number,
  values: Record<string, RawBuilder<unknown>>,
  at: Date,
): Promise<EditedRows[T]> => {
  const sets = Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  const { rows } = await sql<
    EditedRows[T]
  >`update ${sql.table(table)} t set ${sql.join(sets)}, base = coalesce(t.base, ${valuesOf(table)}),
      sync_state = 'PENDING', sync_error = null, version = t.version + 1, updated_at = ${at}
    where t.merchant_id = ${owner.merchantId} and t.profile_id = ${owner.profileId} and t.id = ${id}
    returning ${shown[table]}`.execute(tx)
  const [row] = rows
  if (!row) throw new Error(`no ${table} ${id} to edit`)
  return row
}
