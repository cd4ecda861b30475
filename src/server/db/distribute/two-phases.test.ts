import pg from 'pg'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { startOwnPostgres } from '../../../../tests/support/postgres-server.mjs'
import type { JobDefinition, Jobs } from '../../context.ts'
import { defineJob } from '../../jobs/define-job.ts'
import { createJobs } from '../../jobs/jobs.ts'
import { createLog } from '../../log/log.ts'
import { migrate } from '../migrate.ts'
import { type Database, openServer } from '../open-database.ts'
import { distribute } from './distribute.ts'

// A machine that has a cluster has the extension for one more, whose coordinator may die.
const hasExtension = process.env.CITUS_URL !== undefined
if (!hasExtension)
  process.stdout.write('The death of a coordinator is tested where CITUS_URL shows that there is the extension.\n')

const settings = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_prepared_transactions: 50,
  shared_buffers: '32MB',
  'citus.node_conninfo': 'sslmode=disable',
}
// A busy machine is late.
const patient = { timeout: 60_000, interval: 200 }
// What waits for a standby that does not exist is written, but not answered.
const nobody = 'nobody'

const run = defineJob({ name: 'probe', data: z.object({ n: z.number() }), run: async () => undefined })

describe.skipIf(!hasExtension)('a launch and its job', () => {
  let nodes: Awaited<ReturnType<typeof startOwnPostgres>>[] = []
  let db: Database
  let jobs: Jobs
  const [coordinator, worker] = [0, 1]
  const ask = async (node: number, ...statements: string[]): Promise<Record<string, unknown>[]> => {
    const client = new pg.Client({ connectionString: nodes[node]?.url })
    client.on('error', () => undefined)
    await client.connect()
    try {
      let rows: Record<string, unknown>[] = []
      for (const statement of statements) ({ rows } = await client.query(statement))
      return rows
    } finally {
      await client.end()
    }
  }
  const open = async () => {
    db = await openServer(nodes[coordinator]?.url ?? '', { poolSize: 2, waitMs: 60_000 })
    const log = createLog({ level: 'silent' })
    const definitions = [run as unknown as JobDefinition<never>]
    jobs = await createJobs({ definitions, reactions: [], db, log, supervise: false })
  }
  beforeAll(async () => {
    nodes = await Promise.all([settings, settings].map(startOwnPostgres))
    const ports = nodes.map(node => new URL(node.url).port)
    for (const node of nodes.keys()) await ask(node, 'create extension citus')
    await ask(
      coordinator,
      `select citus_set_coordinator_host('127.0.0.1', ${ports[coordinator]})`,
      `select citus_add_node('127.0.0.1', ${ports[worker]})`,
    )
    const alone = await openServer(nodes[coordinator]?.url ?? '', { poolSize: 1 })
    await migrate(alone.system)
    await distribute(alone.system, { shards: 2, onStep: () => undefined })
    await alone.close()
    await open()
  })
  afterAll(async () => {
    await jobs.stop(0)
    await db.close()
    await Promise.all(nodes.map(node => node.stop()))
  })

  const launch = (n: number) =>
    db.tenant(7, async tx => {
      await sql`insert into launch (merchant_id, profile_id, account_id, idempotency_key, body_hash, campaign_name, template,
        payload, created_at) values (7, 1, 1, ${String(n)}, 'x', 'x', 'x', '{}', now())`.execute(tx)
      await jobs.send(tx, run, { n })
    })
  const found = async (n: number) => {
    const [launches, sent] = await Promise.all([
      ask(coordinator, `select from launch where merchant_id = 7 and idempotency_key = '${n}'`),
      ask(coordinator, `select from jobs.job where name = 'probe' and data->>'n' = '${n}'`),
    ])
    return [launches.length, sent.length]
  }
  const waitForNobody = (node: number, standby: string) =>
    ask(node, `alter system set synchronous_standby_names = '${standby}'`, 'select pg_reload_conf()')
  const prepared = () => ask(worker, 'select from pg_prepared_xacts')

  test('are both there where nobody dies', async () => {
    await launch(1)
    expect(await found(1)).toEqual([1, 1])
  })

  test.each([
    ['neither is there where the coordinator had not decided', 2, worker, [0, 0]],
    ['both are there where it had, when it is back', 3, coordinator, [1, 1]],
  ])('%s', async (_, n, held, inTheEnd) => {
    await waitForNobody(held, nobody)
    const launching = launch(n).catch((error: unknown) => (error as { code: string }).code)
    // The worker has promised; its promise, or the decision of the coordinator, waits for nobody's answer.
    await vi.waitFor(async () => {
      expect(await prepared()).toHaveLength(1)
      const waiting = `select from pg_stat_activity where wait_event = 'SyncRep'`
      expect(await ask(held, waiting)).not.toEqual([])
    }, patient)
    await nodes[coordinator]?.crash('SIGKILL')
    // A session that sees its server die says so itself, if it can.
    expect(await launching).toMatch(/^(OUTCOME_UNKNOWN|XX000)$/)
    await jobs.stop(0)
    await db.close()
    await waitForNobody(worker, '')
    // What the killed server left behind ends by itself, and only then another may start.
    await vi.waitFor(async () => {
      nodes[coordinator]?.start()
      await vi.waitFor(() => ask(coordinator, 'select 1'), { timeout: 10_000, interval: 200 })
    }, patient)
    await waitForNobody(coordinator, '')
    await ask(coordinator, 'select recover_prepared_transactions()')
    expect(await prepared()).toEqual([])
    expect(await found(n)).toEqual(inTheEnd)
    await open()
  })
})
