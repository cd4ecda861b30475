import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { Owner } from './listing.ts'
import { type CampaignColumns, rowColumns, type TargetColumns } from './row-columns.ts'

/** The columns that an edit may change; `base` holds the same ones as they were before. */
export const editable = {
  campaign: ['name', 'state', 'daily_budget_micros', 'bidding_strategy', 'bidding'],
  target: ['state', 'bid_micros'],
} as const
export type EditedTable = keyof typeof editable

interface Edited {
  campaign: CampaignColumns
  target: TargetColumns
}

export type EditedValues = Record<string, unknown>

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

/** A target of one of these kinds with its campaign's budget, held until the transaction ends. */
export const lockTarget = async (
  tx: Db,
  owner: Owner,
  id: number,
  kinds: readonly string[],
): Promise<(TargetColumns & { campaignBudgetMicros: number | null; campaignState: string }) | undefined> => {
  const { rows } = await sql<TargetColumns & { campaignBudgetMicros: number | null; campaignState: string }>`
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
): Promise<Edited[T]> => {
  const sets = Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  const { rows } = await sql<
    Edited[T]
  >`update ${sql.table(table)} t set ${sql.join(sets)}, base = coalesce(t.base, ${valuesOf(table)}),
      sync_state = 'PENDING', sync_error = null, version = t.version + 1, updated_at = ${at}
    where t.merchant_id = ${owner.merchantId} and t.profile_id = ${owner.profileId} and t.id = ${id}
    returning ${rowColumns[table]}`.execute(tx)
  const [row] = rows
  if (!row) throw new Error(`no ${table} ${id} to edit`)
  return row
}
