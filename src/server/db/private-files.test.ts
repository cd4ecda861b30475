import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEmbedded } from './open-database.ts'

let root: string
let umask: number
beforeAll(() => {
  umask = process.umask(0o022)
  root = mkdtempSync(join(tmpdir(), 'tideline-private-'))
})
afterAll(() => {
  process.umask(umask)
  rmSync(root, { recursive: true })
})

const dataDir = () => join(root, 'data', 'database')
/** The modes that occur, of folders and of files. */
function modes() {
  const found = { folders: new Set<string>(), files: new Set<string>() }
  const top = { parentPath: join(root, 'data'), name: 'database', isDirectory: () => true }
  for (const entry of [top, ...readdirSync(dataDir(), { recursive: true, withFileTypes: true })]) {
    const mode = (statSync(join(entry.parentPath, entry.name)).mode & 0o777).toString(8)
    found[entry.isDirectory() ? 'folders' : 'files'].add(mode)
  }
  return { folders: [...found.folders], files: [...found.files] }
}
async function openAndWrite() {
  const db = await openEmbedded({ dataDir: dataDir() })
  await sql`create table if not exists probe (id bigint)`.execute(db.system)
  await sql`insert into probe select generate_series(1, 1000)`.execute(db.system)
  await db.close()
}

test('what the database writes can be read by nobody else, and so can what it wrote before', async () => {
  await openAndWrite()
  expect(modes()).toEqual({ folders: ['700'], files: ['600'] })
  for (const entry of readdirSync(dataDir(), { recursive: true, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644)
  chmodSync(dataDir(), 0o755)
  await openAndWrite()
  expect(modes()).toEqual({ folders: ['700'], files: ['600'] })
})
