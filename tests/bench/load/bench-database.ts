import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '#server/db/migrate.ts'
import { type Database, openEmbedded, openServer } from '#server/db/open-database.ts'
import { startOwnPostgres, startPostgres } from '../../support/postgres-server.mjs'
import { atEnd } from '../stops.ts'

export type DatabaseKind = 'embedded' | 'PostgreSQL'

/**
 * Settings that lead the product to an empty database of its own, which the end of the part removes. With `more`, settings of
 * PostgreSQL, on a server of its own.
 */
export async function emptyDatabase(
  kind: DatabaseKind,
  more?: Record<string, string>,
): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'tideline-bench-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const env = { TIDELINE_DATA: folder }
  return kind === 'embedded' ? env : { ...env, DATABASE_URL: await createOnServer(more) }
}

let serverUrl: string | undefined
async function server(more?: Record<string, string>): Promise<string> {
  if (serverUrl) return serverUrl
  const { url, stop } = await (more ? startOwnPostgres(more) : startPostgres())
  serverUrl = url
  atEnd(async () => {
    serverUrl = undefined
    await stop()
  })
  return url
}

async function createOnServer(more?: Record<string, string>): Promise<string> {
  const url = await server(more)
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

const embeddedFolder = (env: Record<string, string>) => `${env.TIDELINE_DATA}/database`

/** Opens the database of those settings, migrated; the product must not be running on an embedded one. */
export async function openMigrated(env: Record<string, string>): Promise<Database> {
  const db = env.DATABASE_URL
    ? await openServer(env.DATABASE_URL)
    : await openEmbedded({ dataDir: embeddedFolder(env) })
  await migrate(db.system)
  return db
}

/**
 * Fills the database of those settings and answers what `fill` did. With BENCH_DATA, a folder, an embedded one is copied there
 * under that name, and the next run of that day starts from the copy: what is measured may then be run in parts.
 */
export async function fillDatabase<T>(
  env: Record<string, string>,
  name: string,
  fill: (db: Database) => Promise<T>,
): Promise<T> {
  const folder = process.env.BENCH_DATA && !env.DATABASE_URL ? join(process.env.BENCH_DATA, name) : null
  const state = `${folder}/${new Date().toISOString().slice(0, 10)}.json`
  if (folder && existsSync(state)) {
    await rm(embeddedFolder(env), { recursive: true, force: true })
    await cp(`${folder}/database`, embeddedFolder(env), { recursive: true })
    return JSON.parse(await readFile(state, 'utf8')) as T
  }
  const db = await openMigrated(env)
  const filled = await fill(db).finally(() => db.close())
  if (!folder) return filled
  await rm(folder, { recursive: true, force: true })
  await cp(embeddedFolder(env), `${folder}/database`, { recursive: true })
  await writeFile(state, JSON.stringify(filled))
  return filled
}
