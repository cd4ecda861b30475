import { type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '#server/db/tables.ts'
import { versionWithin } from '#server/db/tenant-version.ts'

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
  /** Counts on its own, for a statement that depends on how many there are. */
  read(tx: Db): Promise<void>
  /** Remembers what the statement answered. */
  remember(found: Count): void
}

/**
 * Counts rows once for as long as the merchant's data stay the same: half a million keywords are counted again for each
 * order and page otherwise. The statement itself compares the version, in its own snapshot, and counts when it is another.
 * `shorter` is another way to count the same rows.
 */
export async function rememberCount(
  tx: Db,
  merchantId: number,
  rows: RawBuilder<unknown>,
  shorter?: RawBuilder<unknown>,
): Promise<RememberedCount> {
  const { sql: text, parameters } = rows.compile(tx)
  const key = JSON.stringify([text, parameters])
  const { adapter } = tx.getExecutor()
  const counts = remembered.get(adapter) ?? new LRUCache<string, Count>({ max: most })
  remembered.set(adapter, counts)
  let last = counts.get(key)
  const counted = sql`${shorter ?? sql`(select count(*) from ${rows})`}::float8`
  const version = await versionWithin(tx, merchantId)
  const remember = (found: Count): void => {
    last = found
    if (key.length <= longestKey) counts.set(key, found)
  }
  return {
    get last() {
      return last?.count
    },
    get count() {
      if (!last) return sql<number>`${counted}`
      return sql<number>`case when ${version} = ${last.version} then ${last.count}::float8 else ${counted} end`
    },
    version,
    async read(within) {
      const result = await sql<Count>`select ${counted} as count, ${version} as version`.execute(within)
      if (result.rows[0]) remember(result.rows[0])
    },
    remember,
  }
}
