import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Db } from './tables.ts'

const folder = new URL('./migrations/', import.meta.url)

/**
 * Brings the schema up to date with the ordered files of migrations/, one transaction all together, under a lock that
 * a second process waits for. Returns the names applied; throws the first failure with the file's name.
 */
export const migrate = async (db: Db): Promise<string[]> => {
  const migrator = new Migrator({ db, provider: { getMigrations: readMigrations } })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error) {
    const failed = results.find(r => r.status === 'Error')
    throw new Error(`The migration ${failed?.migrationName ?? '?'} failed: ${(error as Error).message}`, {
      cause: error,
    })
  }
  return results.map(r => r.migrationName)
}

const readMigrations = async (): Promise<Record<string, Migration>> => {
  const names = (await readdir(folder)).filter(name => name.endsWith('.sql')).sort()
  const entries = names.map(async (name): Promise<[string, Migration]> => {
    const statements = splitStatements(await readFile(new URL(name, folder), 'utf8'))
    const up: Migration['up'] = async tx => {
      for (const statement of statements) await sql.raw(statement).execute(tx)
    }
    return [name.replace('.sql', ''), { up }]
  })
  return Object.fromEntries(await Promise.all(entries))
}

// The embedded engine takes one statement a call. A statement ends with a semicolon at the end of a line, outside $$ quotes.
const splitStatements = (text: string): string[] => {
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
