import { sql } from 'kysely'
import type { Services } from '#server/context.ts'

/** The embedded engine does not update its statistics itself, and plans badly after many inserts. */
export async function refreshStatistics({ db }: Pick<Services, 'db'>): Promise<void> {
  if (db.kind === 'embedded') await sql`vacuum analyze`.execute(db.system)
}
