import { sql } from 'kysely'
import type { Db } from '../tables.ts'
import { type FoundTable, misplaced, planOf, type Step } from './plan.ts'

interface Options {
  /** How many pieces each table has; cannot be changed cheaply later. */
  shards: number
  /** Called with each step before it is taken, with its number from 1. */
  onStep: (step: Step, number: number, steps: number) => void
}

/**
 * What is missing until the tables of this database are spread over its cluster. Rejects with a sentence where that cannot be
 * done: no extension, not its coordinator, no workers, other sessions.
 */
export async function readPlan(db: Db, shards: number): Promise<Step[]> {
  await refuse(db)
  const tables = await readTables(db)
  const { rows } = await sql<{ name: string }>`select n.nodename || ':' || n.nodeport as name
    from run_command_on_all_nodes('select coalesce(bool_or(rolcanlogin), false) from pg_roles where rolname = $$tideline_app$$') r
    join pg_dist_node n using (nodeid) where not r.success or r.result <> 't' order by 1`.execute(db)
  return planOf({ tables, nodesWithoutRole: rows.map(row => row.name) }, shards)
}

/**
 * Spreads the tables of a migrated database over the workers of its cluster. Each step is a transaction of its own: after a
 * failure the next call goes on where it stopped. Rejects with a sentence where it cannot be done.
 */
export async function distribute(db: Db, { shards, onStep }: Options): Promise<number> {
  const steps = await readPlan(db, shards)
  for (const [n, step] of steps.entries()) {
    onStep(step, n + 1, steps.length)
    const { rows } = await sql.raw<{ success?: boolean; result?: string }>(step.sql).execute(db)
    const failed = rows.find(row => row.success === false)
    if (failed) throw new Error(`A node refused: ${failed.result}`)
  }
  await readAsTenant(db)
  return steps.length
}

/**
 * Rejects with a sentence where a part of the tables of a cluster is not in its place, as after an update that adds one: a
 * join of a table on the coordinator with one on the workers may end the coordinator's session.
 */
export async function requireSpread(db: Db): Promise<void> {
  if (!(await hasExtension(db))) return
  const tables = await readTables(db)
  const names = misplaced(tables).map(table => table.name)
  // With none spread it is still one server.
  if (names.length && tables.some(table => table.kind === 'distributed'))
    throw new Error(
      `These tables are not spread over the cluster yet: ${names.join(', ')}. Stop every server and worker of Tideline, run "npm run distribute", and start them again.`,
    )
}

async function hasExtension(db: Db): Promise<boolean> {
  const { rows } = await sql`select from pg_extension where extname = 'citus'`.execute(db)
  return rows.length > 0
}

// Without a merchant there are no rows; whether there is an answer is what counts.
async function readAsTenant(db: Db): Promise<void> {
  const reading = db.transaction().execute(async tx => {
    await sql`set local role tideline_app`.execute(tx)
    await sql`select count(*) from merchant`.execute(tx)
  })
  await reading.catch((error: unknown) => {
    throw new Error(
      `The coordinator cannot read from the workers as tideline_app (${(error as Error).message}). Let that role in from the coordinator's address in pg_hba.conf of every worker, or give its password in pg_dist_authinfo.`,
    )
  })
}

async function refuse(db: Db): Promise<void> {
  if (!(await hasExtension(db)))
    throw new Error(
      'This database does not have the extension citus: load it on every node (shared_preload_libraries), then run "create extension citus" in this database on every node.',
    )
  const { rows } = await sql<{
    group: number
    host: string | null
    workers: number
    inactive: string[]
    sessions: number
  }>`
    select (select groupid from pg_dist_local_group) as "group",
      (select nodename from pg_dist_node where groupid = 0) as host,
      (select count(*)::int from pg_dist_node where groupid <> 0 and shouldhaveshards) as workers,
      array(select nodename || ':' || nodeport from pg_dist_node where not isactive order by 1) as inactive,
      (select count(*)::int from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
        and application_name not like 'citus%' and pid <> pg_backend_pid()) as sessions`.execute(db)
  const [found] = rows
  if (!found || found.group !== 0) throw new Error('This is a worker; DATABASE_URL must name the coordinator.')
  if (found.host === null)
    throw new Error(
      `The workers do not know the coordinator: run "select citus_set_coordinator_host('HOST', PORT)" with the address by which they reach it.`,
    )
  if (!found.workers) throw new Error(`There is no worker: add each with "select citus_add_node('HOST', PORT)".`)
  if (found.inactive.length)
    throw new Error(`These nodes are not active: ${found.inactive.join(', ')}. Activate or remove them first.`)
  if (found.sessions)
    throw new Error(
      `${found.sessions} other sessions use this database: stop every server and worker of Tideline first, because a table that moves must not be written.`,
    )
}

async function readTables(db: Db): Promise<FoundTable[]> {
  const { rows } = await sql<FoundTable>`
    select c.relname as name,
      case when d.logicalrelid is null then 'local' when d.partmethod = 'h' then 'distributed'
        when d.repmodel = 't' then 'reference' else 'managed' end as kind,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'merchant_id' and not a.attisdropped)
        as "hasMerchant",
      array(select distinct r.relname::text from pg_constraint k join pg_class r on r.oid = k.confrelid
        where k.contype = 'f' and k.conrelid = c.oid and r.oid <> c.oid) as "refersTo",
      (select coalesce(jsonb_agg(jsonb_build_object('name', p.polname, 'condition', pg_get_expr(p.polqual, p.polrelid))), '[]')
        from pg_policy p where p.polrelid = c.oid) as policies,
      pg_relation_size(c.oid) > 0 or exists (select from pg_partition_tree(c.oid) p where pg_relation_size(p.relid) > 0)
        as "hasRows"
    from pg_class c left join pg_dist_partition d on d.logicalrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not exists (select from pg_depend e where e.objid = c.oid and e.deptype = 'e')
    order by 1`.execute(db)
  return rows
}
