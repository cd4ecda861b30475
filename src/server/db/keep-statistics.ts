import { sql } from 'kysely'
import type { Log } from '../log/log.ts'
import type { Db } from './tables.ts'

const everyMs = 60_000

/**
 * Analyzes the tables of the embedded database that changed by more than a tenth and 50 rows since their last analysis; answers
 * which. A server does so by itself. Without it a table that was filled since is planned for as an empty one, and a
 * thousand look-ups by an id may read all its rows a thousand times.
 */
export async function analyzeChanged(system: Db): Promise<string[]> {
  await sql`select pg_stat_force_next_flush()`.execute(system)
  // The counts of rows begin with the process, so how many a table has is taken from its last analysis.
  const { rows } = await sql<{ name: string }>`select s.relname as name
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    where s.schemaname = 'public' and s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0) order by 1`.execute(
    system,
  )
  for (const { name } of rows) await sql`analyze ${sql.table(name)}`.execute(system)
  return rows.map(({ name }) => name)
}

/** Keeps the statistics of the embedded database up to date, once a minute, until the function that it answers is called. */
export function keepStatistics(system: Db, log: Log): () => Promise<void> {
  let running: Promise<unknown> | undefined
  const timer = setInterval(() => {
    running ??= analyzeChanged(system)
      .catch((error: unknown) => log.error({ err: error }, 'the statistics could not be updated'))
      .finally(() => {
        running = undefined
      })
  }, everyMs).unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
