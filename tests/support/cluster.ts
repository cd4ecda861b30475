import pg from 'pg'
import { distribute } from '#server/db/distribute/distribute.ts'
import { migrate } from '#server/db/migrate.ts'
import { openServer } from '#server/db/open-database.ts'

const quoted = pg.escapeIdentifier

/** True where the tests' server is the coordinator of a cluster: CITUS_URL is set, and TEST_DATABASE_URL to the same. */
export const isCluster = process.env.CITUS_URL !== undefined && process.env.CITUS_URL === process.env.TEST_DATABASE_URL

/** The addresses of a server's database, or of every node of a cluster's, the coordinator first. */
export async function nodesOf(url: string): Promise<string[]> {
  if (!isCluster) return [url]
  const workers = await query<{ host: string; port: number }>(
    url,
    'select nodename as host, nodeport as port from pg_dist_node where groupid <> 0 order by nodeid',
  )
  return [url, ...workers.map(({ host, port }) => addressOf(url, { host, port }))]
}

/** Runs a statement in the database of `url` on every node. */
export async function onEveryNode(url: string, statement: string): Promise<void> {
  await Promise.all((await nodesOf(url)).map(node => query(node, statement)))
}

/** Makes a cluster of a new database that is empty on every node. */
export async function joinNodes(url: string, name: string): Promise<void> {
  const [coordinator = url, ...workers] = (await nodesOf(url)).map(node => addressOf(node, { name }))
  for (const node of [coordinator, ...workers]) await query(node, 'create extension citus')
  const { hostname, port } = new URL(coordinator)
  await query(coordinator, `select citus_set_coordinator_host('${hostname}', ${port})`)
  for (const worker of workers.map(node => new URL(node)))
    await query(coordinator, `select citus_add_node('${worker.hostname}', ${worker.port})`)
}

/** Migrates a database and spreads its tables over the cluster, into few pieces: tests have few rows. */
export async function spread(url: string, name: string): Promise<void> {
  const db = await openServer(addressOf(url, { name }), { poolSize: 1 })
  await migrate(db.system)
  await distribute(db.system, { shards: 4, onStep: () => undefined })
  await db.close()
}

/** Makes a database a template that nobody can use, which a cluster's own service would. */
export async function closeDatabase(url: string, name: string): Promise<void> {
  await onEveryNode(url, `alter database ${quoted(name)} allow_connections false`)
  for (const node of await nodesOf(url))
    for (let left = 1; left; ) {
      const found = await query(
        node,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
      )
      left = found.length
      if (left) await new Promise(resolve => setTimeout(resolve, 100))
    }
}

function addressOf(url: string, { host, port, name }: { host?: string; port?: number; name?: string }): string {
  const address = new URL(url)
  if (host) address.hostname = host
  if (port) address.port = String(port)
  if (name) address.pathname = `/${name}`
  return address.href
}

async function query<R extends pg.QueryResultRow>(url: string, statement: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<R>(statement)).rows
  } finally {
    await client.end()
  }
}
