import { sql } from 'kysely'
import type { Services } from '#server/context.ts'

/** The embedded engine keeps no statistics by itself and plans badly after many inserts; a server does. */
export async function refreshStatistics({ db }: Pick<Services, 'db'>): Promise<void> {
  if (db.kind === 'embedded') await sql`vacuum analyze`.execute(db.system)
}
