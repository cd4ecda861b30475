import type { Kysely, Selectable } from 'kysely'
import type { DB } from './generated-tables.ts'

/** The columns of every table, by its name. Generated from the migrations: run `npm run db-types` after a new one. */
export type Tables = DB

/** A row of a table as it is read. */
export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>

/** A database handle: the database or an open transaction. SQL functions use the one they are given. */
export type Db = Kysely<Tables>
