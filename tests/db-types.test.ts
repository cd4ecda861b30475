import { type Kysely, sql } from 'kysely'
import { generate, PostgresDialect, type PostprocessFunction } from 'kysely-codegen'
import { expect, test } from 'vitest'
import { openTestDatabase } from './support/database.ts'

/** The words that a `check (column in (…))` allows, by table and column. */
async function readAllowedWords(db: Kysely<unknown>): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ column: string; rule: string }>`
    select c.relname || '.' || a.attname as "column", pg_get_constraintdef(k.oid) as rule
    from pg_constraint k join pg_class c on c.oid = k.conrelid and c.relnamespace = 'public'::regnamespace
      join pg_attribute a on a.attrelid = c.oid and k.conkey = array[a.attnum]
    where k.contype = 'c' and pg_get_constraintdef(k.oid) like '%= ANY (%'`.execute(db)
  return new Map(
    rows.map(({ column, rule }) => [column, [...rule.matchAll(/'([^']*)'/g)].map(([, word = '']) => word)]),
  )
}

const withAllowedWords: PostprocessFunction = async ({ db, metadata }) => {
  const words = await readAllowedWords(db)
  for (const table of metadata.tables)
    for (const column of table.columns) column.enumValues = words.get(`${table.name}.${column.name}`) ?? null
  return metadata
}

// `npm run db-types` writes the file again after a new migration.
test('the types of the tables are those of the migrations', async () => {
  const db = await openTestDatabase()
  const types = await generate({
    db: db.system,
    dialect: new PostgresDialect(),
    includePattern: 'public.*',
    outFile: null,
    postprocess: withAllowedWords,
    // As the drivers read them: see src/server/db/parsers.ts.
    typeMapping: { int8: 'number', numeric: 'number', date: 'string', timestamptz: 'Date', jsonb: 'unknown' },
  })
  await db.close()
  // The generator has no types for names of columns.
  const withMicros = types.replace('import type', `import type { Micros } from '#shared/money.ts';\nimport type`)
  await expect(withMicros.replaceAll('_micros: number', '_micros: Micros')).toMatchFileSnapshot(
    '../src/server/db/generated-tables.ts',
  )
})
