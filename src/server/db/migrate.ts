import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Db } from './tables.ts'

const folder = new URL('./migrations/', import.meta.url)

/**
 * Applies the pending files of migrations/ in one transaction, under a lock; with `before`, only those whose names come before it.
 * Returns their names; an error names its file.
 */
export async function migrate(db: Db, before = '9999'): Promise<string[]> {
  if (await isUpToDate(db)) return []
  const { Migrator } = await import('kysely/migration')
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => readMigrations(before) },
    // Features have ranges of numbers, so a lower number may be added after a higher one was applied.
    allowUnorderedMigrations: true,
  })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error) {
    const failed = results.find(r => r.status === 'Error')
    throw new Error(`The migration ${failed?.migrationName ?? '?'} failed: ${(error as Error).message}`, {
      cause: error,
    })
  }
  return results.map(r => r.migrationName)
}

const fileNames = async (): Promise<string[]> => (await readdir(folder)).filter(name => name.endsWith('.sql')).sort()

// One cheap query at each start instead of the many that the migrator sends even if there is nothing to apply.
async function isUpToDate(db: Db): Promise<boolean> {
  const table = await sql<{ exists: boolean }>`select to_regclass('kysely_migration') is not null as exists`.execute(db)
  if (!table.rows[0]?.exists) return false
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  const applied = rows.map(row => row.name).sort()
  const files = (await fileNames()).map(name => name.replace('.sql', ''))
  return applied.length === files.length && applied.every((name, n) => name === files[n])
}

async function readMigrations(before: string): Promise<Record<string, Migration>> {
  const names = (await fileNames()).filter(name => name < before)
  const entries = names.map(async (name): Promise<[string, Migration]> => {
    const statements = splitStatements(await readFile(new URL(name, folder), 'utf8'))
    const up: Migration['up'] = async tx => {
      for (const statement of statements) await sql.raw(statement).execute(tx)
    }
    return [name.replace('.sql', ''), { up }]
  })
  return Object.fromEntries(await Promise.all(entries))
}

// The embedded engine executes one statement per call. A statement ends with a semicolon at the end of a line, outside $$.
function splitStatements(text: string): string[] {
  const statements: string[] = []
  let current = ''
  let quoted = false
  for (const line of text.split('\n')) {
    current += `${line}\n`
    if ((line.match(/\$\$/g)?.length ?? 0) % 2 === 1) quoted = !quoted
    if (!quoted && /;\s*$/.test(line)) {
      statements.push(current)
      current = ''
    }
  }
  if (current.replace(/--.*$/gm, '').trim()) throw new Error('a statement does not end with a semicolon')
  return statements
}
