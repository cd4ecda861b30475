import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Profile } from '#features/accounts/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import { versionOf } from '#server/db/tenant-version.ts'

/** What was found when the merchant's data had this version. */
interface Found<T> {
  version: number
  found: T
}

/**
 * A reader of what takes long to find, which is found once for as long as the merchant's data stay the same. `mostRows` are
 * of all accounts together; what has more is found again each time.
 */
export function rememberRows<T extends object>(mostRows: number, countRows: (found: T) => number) {
  // A process may have several databases open; each has an adapter of its own.
  const remembered = new WeakMap<object, LRUCache<string, Found<T>>>()
  return async (
    tx: Db,
    { merchantId, profileId }: Profile,
    question: readonly (string | number)[],
    find: () => Promise<T>,
  ): Promise<T> => {
    // Read first: what is written in between makes the answer younger than its version, never older.
    const { rows } = await sql<{
      version: number | null
    }>`select ${versionOf(sql`${merchantId}::bigint`)} as version`.execute(tx)
    const version = rows[0]?.version ?? 0
    const { adapter } = tx.getExecutor()
    const ofDatabase =
      remembered.get(adapter) ??
      new LRUCache<string, Found<T>>({ maxSize: mostRows, sizeCalculation: ({ found }) => countRows(found) + 1 })
    remembered.set(adapter, ofDatabase)
    const key = [merchantId, profileId, ...question].join(' ')
    const last = ofDatabase.get(key)
    if (last?.version === version) return last.found
    const found = await find()
    ofDatabase.set(key, { version, found })
    return found
  }
}
