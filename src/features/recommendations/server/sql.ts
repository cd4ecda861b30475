import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'

export type AnswerKind = 'KEYWORDS' | 'AUTO' | 'CATEGORIES' | 'PRODUCTS' | 'CATEGORY_TREE' | 'CATEGORY_BRANDS'

export interface AnswerKey {
  merchantId: number
  profileId: number
  kind: AnswerKind
  subject: string
}

/** The cached answer if it is newer than `since`; undefined when there is none. */
export async function findAnswer(tx: Db, key: AnswerKey, since: Date): Promise<unknown> {
  const row = await tx
    .selectFrom('recommendation_answer')
    .select('answer')
    .where('merchant_id', '=', key.merchantId)
    .where('profile_id', '=', key.profileId)
    .where('kind', '=', key.kind)
    .where('subject', '=', key.subject)
    .where('fetched_at', '>', since)
    .executeTakeFirst()
  return row?.answer
}

/** Saves an answer in place of the previous one. */
export async function saveRecommendations(tx: Db, key: AnswerKey, answer: unknown, at: Date): Promise<void> {
  await tx
    .insertInto('recommendation_answer')
    .values({
      merchant_id: key.merchantId,
      profile_id: key.profileId,
      kind: key.kind,
      subject: key.subject,
      answer: sql`${JSON.stringify(answer)}::jsonb`,
      fetched_at: at,
    })
    .onConflict(conflict =>
      conflict.columns(['merchant_id', 'profile_id', 'kind', 'subject']).doUpdateSet(eb => ({
        answer: eb.ref('excluded.answer'),
        fetched_at: eb.ref('excluded.fetched_at'),
      })),
    )
    .execute()
}

/** Deletes the account's answers from before `before`. */
export async function deleteAnswers(tx: Db, merchantId: number, profileId: number, before: Date): Promise<void> {
  await tx
    .deleteFrom('recommendation_answer')
    .where('merchant_id', '=', merchantId)
    .where('profile_id', '=', profileId)
    .where('fetched_at', '<', before)
    .execute()
}
