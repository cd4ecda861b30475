import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import { matching, type Owner } from './listing.ts'
import { type CampaignColumns, type NegativeColumns, rowColumns } from './row-columns.ts'
import { sortKey } from './sort-keys.ts'
import type { RowColumn } from '../../list-queries.ts'

/** One campaign by our id or by the marketplace's, ours first; undefined when the account has none. */
export const readCampaign = async (tx: Db, owner: Owner, anyId: string): Promise<CampaignColumns | undefined> => {
  // The marketplace's ids may have more digits than a bigint holds.
  const own = anyId.length <= 18 ? Number(anyId) : null
  const { rows } = await sql<CampaignColumns>`select ${rowColumns.campaign} from campaign t
    where ${matching(owner, [sql`(t.id = ${own}::bigint or t.amazon_id = ${anyId})`])}
    order by (t.id = ${own}::bigint) desc nulls last limit 1`.execute(tx)
  return rows[0]
}

export interface PickedCampaign {
  id: number
  amazonId: string
  name: string
  state: string
  targetingType: string
  adType: string
}

/** Every campaign of the account that is not archived, in short, by name. */
export const pickCampaignRows = async (tx: Db, owner: Owner): Promise<PickedCampaign[]> => {
  const { rows } = await sql<PickedCampaign>`
    select t.id, t.amazon_id as "amazonId", t.name, t.state, t.targeting_type as "targetingType", t.ad_type as "adType"
    from campaign t where ${matching(owner, [sql`t.state <> 'ARCHIVED'`])} order by lower(t.name), t.id`.execute(tx)
  return rows
}

/** True when the account has this ad group. */
export const hasAdGroup = async (tx: Db, owner: Owner, id: number): Promise<boolean> => {
  const { rows } = await sql`select 1 from ad_group t where ${matching(owner, [sql`t.id = ${id}`])}`.execute(tx)
  return rows.length > 0
}

/** One page of negatives, and how many match. */
export const readNegatives = async (
  tx: Db,
  owner: Owner,
  filters: readonly RawBuilder<unknown>[],
  options: { page: number; size: number; sortBy: RowColumn; sortDir: 'asc' | 'desc' },
): Promise<{ rows: NegativeColumns[]; total: number }> => {
  const direction = options.sortDir === 'asc' ? sql`asc` : sql`desc`
  const { rows } = await sql<NegativeColumns & { total: number }>`select ${rowColumns.negative},
      count(*) over () as total from negative t
    where ${matching(owner, filters)} order by ${sortKey(options.sortBy)} ${direction} nulls last, t.id
    limit ${options.size} offset ${options.page * options.size}`.execute(tx)
  const [first] = rows
  if (first || options.page === 0) return { rows, total: first?.total ?? 0 }
  // A page past the end tells nothing of how many there are.
  const counted = await sql<{ total: number }>`select count(*) as total from negative t
    where ${matching(owner, filters)}`.execute(tx)
  return { rows, total: counted.rows[0]?.total ?? 0 }
}
