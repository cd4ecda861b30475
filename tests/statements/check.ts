// Reads the statements that the tests have sent, and says which of them a distributed PostgreSQL would refuse or send to
// every server: check.ts FOLDER, with a migrated database of theirs at TEST_DATABASE_URL. Fails if there is any.
import { loadModule } from 'libpg-query'
import { openServer } from '#server/db/open-database.ts'
import { migrationsHash, serverTemplate } from '../support/templates.ts'
import { exceptions } from './exceptions.ts'
import { readStatements, reportOf } from './report.ts'
import { readSchema } from './schema.ts'

const [folder = ''] = process.argv.slice(2)
const url = new URL(process.env.TEST_DATABASE_URL ?? '')
url.pathname = `/${serverTemplate(await migrationsHash())}`
const db = await openServer(url.href, { poolSize: 1 })
const schema = await readSchema(db.system)
await db.close()
await loadModule()
const statements = readStatements(folder)
const { problems, excepted, unneeded } = reportOf(statements, schema, exceptions)
for (const problem of problems) process.stdout.write(`${problem}\n\n`)
for (const exception of unneeded) process.stdout.write(`Not needed by any statement of these tests: ${exception}\n`)
process.stdout.write(
  `${statements.length} statements read, ${problems.length} problems, ${excepted} excepted for a reason.\n`,
)
process.exitCode = problems.length || !statements.length ? 1 : 0
