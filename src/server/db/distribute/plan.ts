import { localTables, managedTables, referenceTables } from './tables.ts'

export type Kind = 'distributed' | 'reference' | 'managed' | 'local'

/** A table of the schema `public`, as it is. */
export interface FoundTable {
  name: string
  kind: Kind
  hasMerchant: boolean
  /** Other tables that its foreign keys name. */
  refersTo: readonly string[]
  /** Its row-level policies, with the condition as PostgreSQL writes it. */
  policies: readonly { name: string; condition: string }[]
  /** True if it has rows on this server; of a table that is spread, what was copied to the workers. */
  hasRows: boolean
}

/** A cluster, as it is. */
export interface FoundCluster {
  tables: readonly FoundTable[]
  /** Nodes on which the tenants' role is missing or must not log in. */
  nodesWithoutRole: readonly string[]
}

export interface Step {
  /** What it does, in words. */
  says: string
  sql: string
}

const anchor = 'merchant'

/** What a table is to be; null if it belongs to no merchant and is in no list. */
export function kindOf(table: Pick<FoundTable, 'name' | 'hasMerchant'>): Kind | null {
  if (referenceTables.includes(table.name)) return 'reference'
  if (managedTables.includes(table.name)) return 'managed'
  if (localTables.includes(table.name)) return 'local'
  return table.hasMerchant ? 'distributed' : null
}

/** Those that are not where they belong. What is local may be in the cluster's metadata: something may refer to it. */
export const misplaced = (tables: readonly FoundTable[]): FoundTable[] =>
  tables.filter(table => kindOf(table) !== 'local' && kindOf(table) !== table.kind)

/** What is missing until the tables are where they belong; empty when nothing is. Throws with a sentence if it cannot be done. */
export function planOf({ tables, nodesWithoutRole }: FoundCluster, shards: number): Step[] {
  const astray = tables.filter(table => kindOf(table) === null)
  if (astray.length)
    throw new Error(
      `These tables have no merchant_id and no place of their own: ${astray.map(table => table.name).join(', ')}.`,
    )
  const missing = misplaced(tables)
  const wrong = missing.filter(table => table.kind !== 'local')
  if (wrong.length)
    throw new Error(
      `These tables are spread in another way already: ${wrong.map(table => `${table.name} (${table.kind})`).join(', ')}. Undistribute them first.`,
    )
  // What refers to others is emptied first, or its rows would lose theirs.
  const copied = referredFirst(tables.filter(table => table.hasRows && kindOf(table) === 'distributed')).toReversed()
  return [
    ...(nodesWithoutRole.length ? [letIn(nodesWithoutRole)] : []),
    ...referredFirst(missing).map(table => place(table, shards)),
    ...copied.map(({ name }) => ({
      says: `${name}: remove the coordinator's copy of its rows`,
      sql: `select truncate_local_data_after_distributing_table('${name}')`,
    })),
  ]
}

/** The table that the others are kept together with, then each after those that it refers to. */
function referredFirst(tables: readonly FoundTable[]): FoundTable[] {
  const waiting = tables.toSorted((a, b) => Number(b.name === anchor) - Number(a.name === anchor) || compare(a, b))
  const ordered: FoundTable[] = []
  while (waiting.length) {
    const next = waiting.findIndex(
      table => !waiting.some(other => other !== table && table.refersTo.includes(other.name)),
    )
    const [table] = waiting.splice(next, 1)
    if (next < 0 || !table) throw new Error(`These tables refer to each other: ${waiting.map(t => t.name).join(', ')}.`)
    ordered.push(table)
  }
  return ordered
}
const compare = (a: FoundTable, b: FoundTable) => (a.name < b.name ? -1 : 1)

const places: Record<Exclude<Kind, 'local'>, { says: string; sql: (name: string, shards: number) => string }> = {
  reference: { says: 'a copy on every node', sql: name => `select create_reference_table('${name}')` },
  managed: {
    says: "on the coordinator, in the cluster's metadata",
    sql: name => `select citus_add_local_table_to_metadata('${name}')`,
  },
  distributed: {
    says: 'spread over the workers by merchant',
    sql: (name, shards) => {
      const together =
        name === anchor ? `colocate_with => 'none', shard_count => ${shards}` : `colocate_with => '${anchor}'`
      return `select create_distributed_table('${name}', 'merchant_id', ${together})`
    },
  },
}

// On one server the subquery makes a policy read its merchants once a statement; a cluster allows none in a policy.
const subquery = /\(\s*select current_merchants\(\) as current_merchants\s*\)(?:::bigint\[\])?/gi

function place(table: FoundTable, shards: number): Step {
  const kind = kindOf(table)
  if (kind === null || kind === 'local') throw new Error(`${table.name} stays where it is`)
  const policies = table.policies
    .filter(({ condition }) => condition.search(subquery) >= 0)
    .map(({ name, condition }) => {
      const plain = condition.replace(subquery, 'current_merchants()')
      return `alter policy "${name}" on "${table.name}" using (${plain}); `
    })
  const { says, sql } = places[kind]
  return { says: `${table.name}: ${says}`, sql: policies.join('') + sql(table.name, shards) }
}

// The coordinator logs in on the workers as the role that a statement runs as. Of the coordinator itself, because a worker that is
// added or activated gets the role as it is there.
const letIn = (nodes: readonly string[]): Step => ({
  says: `the role tideline_app may log in on ${nodes.join(', ')}`,
  sql: `select * from run_command_on_all_nodes($command$do $do$ begin
    perform set_config('citus.enable_ddl_propagation', 'off', true);
    if exists (select from pg_roles where rolname = 'tideline_app') then alter role tideline_app login;
    else create role tideline_app login; end if; end $do$$command$)`,
})
