import { parseArgs } from 'node:util'
import { readConfig } from '#server/config/config.ts'
import { distribute, readPlan } from '#server/db/distribute/distribute.ts'
import { migrate } from '#server/db/migrate.ts'
import { openServer } from '#server/db/open-database.ts'
import { endWithSentence } from './lifecycle.ts'

try {
  const { values } = parseArgs({
    options: { 'dry-run': { type: 'boolean' }, shards: { type: 'string', default: '32' } },
  })
  const shards = Number(values.shards)
  if (!Number.isInteger(shards) || shards < 1 || shards > 1024)
    throw new Error('Usage: npm run distribute [-- --dry-run] [-- --shards N], with N from 1 to 1024')
  const { DATABASE_URL } = readConfig(process.env)
  if (!DATABASE_URL)
    throw new Error(
      'The embedded database cannot be distributed: set DATABASE_URL to the coordinator of a PostgreSQL with the extension citus.',
    )
  // One connection: with statements of hours, where a table is large, and without other sessions of our own.
  const db = await openServer(DATABASE_URL, { poolSize: 1, statementTimeoutMs: 0 })
  if (values['dry-run']) {
    for (const { says } of await readPlan(db.system, shards)) console.log(says)
  } else {
    for (const name of await migrate(db.system)) console.log(`Applied the migration ${name}.`)
    const onStep = ({ says }: { says: string }, n: number, all: number) => console.log(`${n}/${all} ${says}`)
    const taken = await distribute(db.system, { shards, onStep })
    console.log(taken ? 'Every table is in its place.' : 'Every table was in its place already.')
  }
  await db.close()
} catch (error) {
  endWithSentence(error)
}
