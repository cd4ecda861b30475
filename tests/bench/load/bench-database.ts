import { mkdtemp, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '#server/db/migrate.ts'
import { type Database, openEmbedded, openServer } from '#server/db/open-database.ts'
import { startPostgres } from '../../support/postgres-server.mjs'
import { atEnd } from '../stops.ts'

export type DatabaseKind = 'embedded' | 'PostgreSQL'

/** Settings that lead the product to an empty database of its own, which the end of the part removes. */
export async function emptyDatabase(kind: DatabaseKind): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'tideline-bench-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const env = { TIDELINE_DATA: folder }
  return kind === 'embedded' ? env : { ...env, DATABASE_URL: await createOnServer() }
}

let serverUrl: string | undefined
async function server(): Promise<string> {
  if (serverUrl) return serverUrl
  const { url, stop } = await startPostgres()
  serverUrl = url
  atEnd(async () => {
    serverUrl = undefined
    await stop()
  })
  return url
}

async function createOnServer(): Promise<string> {
  const url = await server()
  const name = `tideline_bench_${randomUUID().replaceAll('-', '')}`
  await asAdmin(url, `create database ${name} template template0 encoding 'UTF8' locale 'C.UTF-8'`)
  atEnd(() => asAdmin(url, `drop database if exists ${name} with (force)`))
  const target = new URL(url)
  target.pathname = `/${name}`
  return target.href
}

async function asAdmin(url: string, statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query(statement).finally(() => admin.end())
}

/** Opens the database of those settings, migrated; the product must not be running on an embedded one. */
export async function openMigrated(env: Record<string, string>): Promise<Database> {
  const db = env.DATABASE_URL
    ? await openServer(env.DATABASE_URL)
    : await openEmbedded({ dataDir: `${env.TIDELINE_DATA}/database` })
  await migrate(db.system)
  return db
}
