import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const migrations = new URL('../../src/server/db/migrations/', import.meta.url)
const manifest = new URL('../../package.json', import.meta.url)

// The queue brings tables of its own, by its version.
async function versions(): Promise<string> {
  const { dependencies } = JSON.parse(await readFile(manifest, 'utf8')) as { dependencies: Record<string, string> }
  return ['pg-boss', '@electric-sql/pglite'].map(name => `${name} ${dependencies[name]}`).join()
}

/** Changes whenever a migration, the job queue or the embedded database does. */
export async function migrationsHash(): Promise<string> {
  const hash = createHash('sha256').update(await versions())
  for (const name of (await readdir(migrations)).sort())
    hash.update(name).update(await readFile(new URL(name, migrations)))
  return hash.digest('hex').slice(0, 16)
}
/** Where the migrated embedded database is cached between runs. */
export const embeddedTemplate = (hash: string): string =>
  fileURLToPath(new URL(`../../.cache/test-database/${hash}.tar`, import.meta.url))
/** What the migrated database on the server is called. */
export const serverTemplate = (hash: string): string => `tideline_template_${hash}`
