import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { Owner } from './entity-sql.ts'

/** Makes the texts of keywords that were added or changed available to the search. Other targets of these ids are left out. */
export async function addKeywordTexts(tx: Db, { merchantId, profileId }: Owner, ids: readonly number[]): Promise<void> {
  if (!ids.length) return
  // There is no unique key: a transaction that adds the same text would then wait for this one.
  await sql`insert into keyword_text (merchant_id, profile_id, text_lower)
    select distinct t.merchant_id, t.profile_id, t.text_lower from target t
    where t.merchant_id = ${merchantId} and t.profile_id = ${profileId} and t.id = any(${ids}::bigint[]) and t.kind = 'KEYWORD'
      and not exists (select from keyword_text k where k.merchant_id = ${merchantId} and k.profile_id = t.profile_id
        and k.text_lower = t.text_lower)`.execute(tx)
}
