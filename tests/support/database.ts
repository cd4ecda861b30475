import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type Database, openEmbedded, openServer } from '#server/db/open-database.ts'
import { nodesOf } from './cluster.ts'
import { embeddedTemplate, migrationsHash, serverTemplate } from './templates.ts'

// All files of a worker share it: compiling takes longer than most tests.
let compiled: Promise<WebAssembly.Module> | undefined

/**
 * A migrated database of the caller's own: on the server of TEST_DATABASE_URL when that is set, else embedded. Closing
 * it drops it.
 */
export async function openTestDatabase(): Promise<Database> {
  const url = process.env.TEST_DATABASE_URL
  if (!url) {
    compiled ??= readFile(fileURLToPath(import.meta.resolve('@electric-sql/pglite/pglite.wasm'))).then(bytes =>
      WebAssembly.compile(bytes),
    )
    return openEmbedded({ template: await readFile(embeddedTemplate(await migrationsHash())), program: await compiled })
  }
  const name = `tideline_test_${randomUUID().replaceAll('-', '')}`
  await createMigrated(url, name)
  const target = new URL(url)
  target.pathname = `/${name}`
  const db = await openServer(target.href, { poolSize: 5 })
  return {
    ...db,
    close: async () => {
      await db.close()
      await asAdmin(url, `drop database ${pg.escapeIdentifier(name)} with (force)`)
    },
  }
}

/** Creates a database of this name on the server, from the template that `global-setup.ts` makes; rejects without that. */
export async function createMigrated(url: string, name: string): Promise<void> {
  const template = serverTemplate(await migrationsHash())
  await asAdmin(url, `create database ${pg.escapeIdentifier(name)} template ${pg.escapeIdentifier(template)}`)
}

async function asAdmin(url: string, statement: string) {
  await Promise.all((await nodesOf(url)).map(node => onNode(node, statement)))
}

async function onNode(url: string, statement: string) {
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  try {
    await createWhenFree(admin, statement)
  } finally {
    await admin.end()
  }
}

// PostgreSQL rejects a second copy of a template at the same moment, so it waits.
async function createWhenFree(admin: pg.Client, statement: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await admin.query(statement)
      return
    } catch (error) {
      if ((error as { code?: string }).code !== '55006' || attempt > 50) throw error
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  }
}
