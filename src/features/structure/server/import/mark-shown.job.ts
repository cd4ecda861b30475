import type { Database } from '#server/db/open-database.ts'
import { defineScheduledJob } from '#server/jobs/define-job.ts'
import { markShown, newlyShownOwners } from '../sql/shown-rows.ts'

// So few that an edit of one of them, or the next call to an embedded database, hardly waits.
const together = 500

/** Marks the rows that imports found to be shown for the first time, until none is left or `signal` says so. */
export async function markNewlyShown(db: Pick<Database, 'system' | 'transaction'>, signal: AbortSignal): Promise<void> {
  for (const { entity, ...owner } of await newlyShownOwners(db.system))
    for (let after: number | null = 0; after !== null && !signal.aborted; ) {
      const from: number = after
      // No answer changes by it, so that cached ones stay: as the owner of the tables.
      after = await db.transaction(tx => markShown(tx, entity, owner, from, together))
    }
}

/** Every minute; after most imports there is little to do. */
export const markShownJob = defineScheduledJob({
  name: 'mark-shown-rows',
  policy: 'stately',
  cron: '* * * * *',
  run: ({ db }, _data, { signal, stopping }) =>
    markNewlyShown(db, AbortSignal.any([signal, ...(stopping ? [stopping] : [])])),
})
