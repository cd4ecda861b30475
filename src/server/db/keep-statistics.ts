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
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid and c.relkind = 'r'
    where s.schemaname = 'public' and s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0) order by 1`.execute(
    system,
  )
  const names = rows.map(({ name }) => name)
  for (const name of names) await sql`analyze ${sql.table(name)}`.execute(system)
  return [...names, ...(await analyzePartitioned(system))]
}

/**
 * Analyzes the partitioned tables whose partitions, as they were analyzed last, have a tenth and 50 rows more or fewer together
 * than the table had at its own last analysis; answers which. No server does so by itself, and without it joins with such a
 * table are planned for a few hundred rows.
 */
export async function analyzePartitioned(system: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select p.relname as name from pg_class p
    join pg_inherits i on i.inhparent = p.oid join pg_class c on c.oid = i.inhrelid
    where p.relnamespace = 'public'::regnamespace and p.relkind = 'p' group by p.oid, p.relname, p.reltuples
    having abs(sum(greatest(c.reltuples, 0)) - greatest(p.reltuples, 0)) > 50 + 0.1 * greatest(p.reltuples, 0)
    order by 1`.execute(system)
  for (const { name } of rows) await sql`analyze ${sql.table(name)}`.execute(system)
  return rows.map(({ name }) => name)
}

/**
 * Vacuums the tables of the embedded database that a server would by itself, by the same rule: where a fifth and 50 of the rows
 * are dead, or a fifth and 1000 were added since the last time; answers which. To vacuum all of them takes 5 seconds with the
 * demonstration's data, while nothing else can be read.
 */
export async function vacuumChanged(system: Db): Promise<string[]> {
  await sql`select pg_stat_force_next_flush()`.execute(system)
  const { rows } = await sql<{ schema: string; name: string }>`select s.schemaname as schema, s.relname as name
    from pg_stat_all_tables s join pg_class c on c.oid = s.relid and c.relkind = 'r' and c.relpersistence <> 't'
    where s.schemaname <> 'pg_toast' and (s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0)
      or s.n_ins_since_vacuum > 1000 + 0.2 * greatest(c.reltuples, 0)) order by 1, 2`.execute(system)
  for (const { schema, name } of rows) await sql`vacuum analyze ${sql.id(schema, name)}`.execute(system)
  return rows.map(({ schema, name }) => `${schema}.${name}`)
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
