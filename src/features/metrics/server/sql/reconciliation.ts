import { sql } from 'kysely'
import { isOfAdType, type Owner } from '#features/structure/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import type { AdType } from '#shared/campaign-rules.ts'
import type { FigureSums } from '#shared/metrics.ts'
import { columnTotals, figuresOf } from './metric-columns.ts'
import type { Covered } from './replace-days.ts'

/** The daily tables whose sums are compared. */
export const comparedTables = {
  campaign_day: { entity: 'campaign', id: 'campaign_id' },
  target_day: { entity: 'target', id: 'target_id' },
  ad_day: { entity: 'ad', id: 'ad_id' },
} as const
export type ComparedTable = keyof typeof comparedTables

export interface Difference {
  table: ComparedTable
  metric: string
  ours: number
  theirs: number
}

export interface DayOutcome {
  adType: AdType
  date: string
  outcome: 'EQUAL' | 'REPAIRED' | 'DIFFERS'
  differences: Difference[]
}

/** What a table holds of an account's days of an ad type, by day; days without rows are missing. */
export async function storedDays(
  tx: Db,
  owner: Owner,
  table: ComparedTable,
  { from, to, adType }: Covered,
): Promise<Map<string, FigureSums>> {
  const { entity, id } = comparedTables[table]
  const { rows } = await sql<FigureSums & { date: string }>`select date, ${figuresOf('f')} from (
      select date, ${columnTotals} from ${sql.table(table)}
      where merchant_id = ${owner.merchantId} and profile_id = ${owner.profileId} and date between ${from} and ${to}
        and ${isOfAdType(owner, entity, sql.ref(id), adType)} group by date) f`.execute(tx)
  return new Map(rows.map(({ date, ...sums }) => [date, sums]))
}

/** The first day whose figures were imported; null when none was. */
export async function firstDay(tx: Db, { merchantId, profileId }: Owner): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`select daily_from as day from metrics_state
    where merchant_id = ${merchantId} and profile_id = ${profileId}`.execute(tx)
  return rows[0]?.day ?? null
}

/** Saves how days compared; of each day the last check counts. */
export async function saveOutcomes(tx: Db, owner: Owner, outcomes: readonly DayOutcome[], at: Date): Promise<void> {
  await sql`insert into reconciliation (merchant_id, profile_id, checked_at, ad_type, date, outcome, differences)
    select ${owner.merchantId}::bigint, ${owner.profileId}::bigint, ${at}::timestamptz, u.*
    from unnest(${outcomes.map(one => one.adType)}::text[], ${outcomes.map(one => one.date)}::date[],
      ${outcomes.map(one => one.outcome)}::text[], ${outcomes.map(one => JSON.stringify(one.differences))}::jsonb[]) u
    on conflict (merchant_id, profile_id, date, ad_type) do update
      set checked_at = excluded.checked_at, outcome = excluded.outcome, differences = excluded.differences`.execute(tx)
}

/** How many days of all accounts still differ from the marketplace's. Reads as the owner of the tables. */
export async function differingDays(system: Db): Promise<number> {
  const { rows } = await sql<{
    days: number
  }>`select count(*)::int as days from reconciliation where outcome = 'DIFFERS'`.execute(system)
  return rows[0]?.days ?? 0
}
