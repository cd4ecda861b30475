import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isCluster, joinNodes, onEveryNode } from '../../../../tests/support/cluster.ts'
import { openTestDatabase } from '../../../../tests/support/database.ts'
import { migrate } from '../migrate.ts'
import { type Database, openServer } from '../open-database.ts'
import { distribute, readPlan, requireSpread } from './distribute.ts'

test.skipIf(isCluster)('a database without the extension is refused, with what is to be done', async () => {
  const db = await openTestDatabase()
  await expect(readPlan(db.system, 4)).rejects.toThrow(/create extension citus/)
  await db.close()
})

if (!isCluster) process.stdout.write('Spreading tables over a cluster is tested where CITUS_URL names one.\n')

describe.skipIf(!isCluster)('on a cluster', () => {
  const url = process.env.CITUS_URL ?? 'postgres://localhost/'
  const name = `tideline_test_${randomUUID().replaceAll('-', '')}`
  const address = new URL(url)
  address.pathname = `/${name}`
  let db: Database
  const steps: string[] = []
  const spread = () => distribute(db.system, { shards: 4, onStep: ({ says }) => void steps.push(says) })
  beforeAll(async () => {
    await onEveryNode(url, `create database ${name} template template0 encoding 'UTF8' locale 'C.UTF-8'`)
    db = await openServer(address.href, { poolSize: 1 })
  })
  afterAll(async () => {
    await db.close()
    await onEveryNode(url, `drop database ${name} with (force)`)
  })

  test('workers are asked for', async () => {
    await sql`create extension citus`.execute(db.system)
    await expect(spread()).rejects.toThrow(/citus_set_coordinator_host/)
    await sql`select citus_set_coordinator_host('127.0.0.1')`.execute(db.system)
    await expect(spread()).rejects.toThrow(/There is no worker/)
    await sql`drop extension citus`.execute(db.system)
    await joinNodes(url, name)
    await db.close()
    // From now on as what it is: a session learns of the extension when it opens.
    db = await openServer(address.href, { poolSize: 1 })
  })

  test('a deployment with rows is spread, unless others use it', async () => {
    await migrate(db.system)
    for (const id of [1, 2, 3, 4, 5])
      await sql`insert into merchant (merchant_id, name, account_type, region, selling_partner_id) overriding system value
        values (${id}, ${`Shop ${id}`}, 'SELLER', 'EU', ${`S${id}`})`.execute(db.system)
    const other = await openServer(address.href, { poolSize: 1 })
    await expect(spread()).rejects.toThrow(/1 other sessions/)
    await other.close()
    const planned = (await readPlan(db.system, 4)).map(({ says }) => says)
    expect(planned.at(-1)).toBe("merchant: remove the coordinator's copy of its rows")
    await expect(requireSpread(db.system)).resolves.toBeUndefined()
    await spread()
    expect(steps).toEqual(planned)
  })

  test('again there is nothing to do, and a table that comes later is added', async () => {
    expect(await spread()).toBe(0)
    await sql`create table later (merchant_id bigint not null, id bigint not null, primary key (merchant_id, id))`.execute(
      db.system,
    )
    expect((await readPlan(db.system, 4)).map(({ says }) => says)).toEqual([
      'later: spread over the workers by merchant',
    ])
    await expect(requireSpread(db.system)).rejects.toThrow(
      /not spread over the cluster yet: later\. .*npm run distribute/,
    )
    expect(await spread()).toBe(1)
    await expect(requireSpread(db.system)).resolves.toBeUndefined()
  })

  test('the rows are on the workers, and each merchant sees its own', async () => {
    const own = await sql<{ size: number }>`select pg_relation_size('merchant')::int as size`.execute(db.system)
    expect(own.rows).toEqual([{ size: 0 }])
    const { rows } = await sql<{
      nodes: number
    }>`select count(distinct nodename || nodeport)::int as nodes from citus_shards
      where table_name = 'merchant'::regclass`.execute(db.system)
    expect(rows).toEqual([{ nodes: 2 }])
    const namesOf = (ids: number[]) =>
      db.reading(ids, async tx => (await sql<{ name: string }>`select name from merchant order by 1`.execute(tx)).rows)
    expect(await namesOf([2])).toEqual([{ name: 'Shop 2' }])
    expect(await namesOf([5, 1])).toEqual([{ name: 'Shop 1' }, { name: 'Shop 5' }])
    expect(await namesOf([])).toEqual([])
  })
})
