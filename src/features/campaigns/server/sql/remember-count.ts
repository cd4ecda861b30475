import { type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '#server/db/tables.ts'
import { versionOf } from '#server/db/tenant-version.ts'

/** How many rows a filter left, when the merchant's data had this version. */
interface Count {
  version: number
  count: number
}

const most = 2000
// A filter with a list of ids is never asked again.
const longestKey = 1000
// A process may have several databases open; each has an adapter of its own.
const remembered = new WeakMap<object, LRUCache<string, Count>>()

/** A count of rows `t` that is part of a larger statement, so that both see the same rows. */
export interface RememberedCount {
  /** What it was when last counted; absent when it never was. */
  readonly last: number | undefined
  /** For a select list: the count, and the version of the data by which it is remembered. */
  readonly count: RawBuilder<number>
  version: RawBuilder<number>
  /** Remembers what the statement answered. */
  remember(found: Count): void
}

/**
 * Counts rows once for as long as the merchant's data stay the same: half a million keywords are counted again for each
 * order and page otherwise. The statement itself compares the version, in its own snapshot, and counts when it is another.
 */
export function rememberCount(tx: Db, merchantId: number, rows: RawBuilder<unknown>): RememberedCount {
  const { sql: text, parameters } = rows.compile(tx)
  const key = JSON.stringify([text, parameters])
  const { adapter } = tx.getExecutor()
  const counts = remembered.get(adapter) ?? new LRUCache<string, Count>({ max: most })
  remembered.set(adapter, counts)
  let last = counts.get(key)
  const counted = sql`(select count(*) from ${rows})::float8`
  // Nothing was written yet when there is none.
  const version = sql<number>`coalesce(${versionOf(sql`${merchantId}::bigint`)}, 0)`
  return {
    get last() {
      return last?.count
    },
    get count() {
      if (!last) return sql<number>`${counted}`
      return sql<number>`case when ${version} = ${last.version} then ${last.count}::float8 else ${counted} end`
    },
    version,
    remember: found => {
      last = found
      if (key.length <= longestKey) counts.set(key, found)
    },
  }
}

const mostFound = 2000

/**
 * The ids of the rows that a search finds; undefined when they are many. Few are sorted; of many the first are met soon in the
 * order of an index, which would be read to its end for few.
 */
export async function findFew(tx: Db, rows: RawBuilder<unknown>, filtered: RememberedCount) {
  if ((filtered.last ?? 0) > mostFound) return undefined
  const result = await sql<{ count: number; version: number; ids: number[] }>`
    with found as materialized (select t.id from ${rows})
    select (select count(*) from found)::float8 as count, ${filtered.version} as version,
      array(select id::float8 from found limit ${mostFound}) as ids`.execute(tx)
  const [found] = result.rows
  if (!found) return undefined
  filtered.remember({ count: found.count, version: found.version })
  return found.count > mostFound ? undefined : found.ids
}
