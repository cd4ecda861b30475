import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { sql } from 'kysely'
import pg from 'pg'
import { migrate } from '#server/db/migrate.ts'
import { type Database, openEmbedded, openServer } from '#server/db/open-database.ts'
import { createJobs } from '#server/jobs/jobs.ts'
import { createLog } from '#server/log/log.ts'
import { closeDatabase, isCluster, joinNodes, onEveryNode, spread } from './cluster.ts'
import { embeddedTemplate, migrationsHash, serverTemplate } from './templates.ts'

// With the queue's tables: building them in every test file would take longer than most tests.
async function fill(db: Database) {
  await migrate(db.system)
  const jobs = await createJobs({
    definitions: [],
    reactions: [],
    db,
    log: createLog({ level: 'silent' }),
    supervise: false,
  })
  await jobs.stop(0)
}

/** Makes, once a run and only when the migrations or the queue changed, the database that every test file starts from. */
export default async function prepareTemplates() {
  const hash = await migrationsHash()
  const url = process.env.TEST_DATABASE_URL
  if (url) await prepareServerTemplate(url, hash)
  else await prepareEmbeddedTemplate(hash)
}

async function prepareEmbeddedTemplate(hash: string) {
  const file = embeddedTemplate(hash)
  if (
    await readFile(file).then(
      () => true,
      () => false,
    )
  )
    return
  const db = await openEmbedded({ template: await smallCluster() })
  await fill(db)
  await mkdir(new URL('.', `file://${file}`), { recursive: true })
  await sql`checkpoint`.execute(db.system)
  const own = `${file}.${process.pid}`
  await writeFile(own, await db.raw.pglite.dump())
  await rename(own, file)
  await db.close()
}

/** An empty data folder of a quarter of the usual size, since every test file unpacks it: little log, and no database but one. */
async function smallCluster(): Promise<Uint8Array> {
  const pglite = await PGlite.create({ initDbStartParams: ['--wal-segsize=1'] })
  await pglite.exec('update pg_database set datistemplate = false')
  for (const name of ['template0', 'template1']) await pglite.exec(`drop database ${name}`)
  await pglite.exec('checkpoint')
  const dump = await pglite.dumpDataDir('none')
  await pglite.close()
  return new Uint8Array(await dump.arrayBuffer())
}

async function prepareServerTemplate(url: string, hash: string) {
  const name = serverTemplate(hash)
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  const existing = await admin.query('select 1 from pg_database where datname = $1', [name])
  if (!existing.rowCount) {
    const fresh = `${name}_new`
    await onEveryNode(
      url,
      `create database ${pg.escapeIdentifier(fresh)} template template0 encoding 'UTF8' locale 'C.UTF-8'`,
    )
    if (isCluster) await joinNodes(url, fresh)
    const target = new URL(url)
    target.pathname = `/${fresh}`
    const db = await openServer(target.href)
    await fill(db)
    await db.close()
    if (isCluster) {
      await spread(url, fresh)
      await closeDatabase(url, fresh)
    }
    await onEveryNode(url, `alter database ${pg.escapeIdentifier(fresh)} rename to ${pg.escapeIdentifier(name)}`)
  }
  await admin.end()
}
