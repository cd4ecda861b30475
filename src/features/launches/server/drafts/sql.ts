import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { Draft } from '../../draft-contract.ts'

/** Whose draft, and for which advertising account. */
export interface DraftOwner {
  merchantId: number
  accountId: number
  profileId: number
}

/** The draft; undefined when there is none. Its state is as it was written and not yet parsed. */
export function draftOf(tx: Db, { merchantId, accountId, profileId }: DraftOwner) {
  return tx
    .selectFrom('campaign_draft')
    .select(['draft_id as id', 'changed_at as changedAt', 'version', 'state'])
    .where('merchant_id', '=', merchantId)
    .where('account_id', '=', accountId)
    .where('profile_id', '=', profileId)
    .executeTakeFirst()
}

/**
 * Writes a draft, as a new version, where it was made from the version that is there or was changed later than that. A
 * change is never dated after `now`, nor before the one it follows.
 */
export async function putDraft(tx: Db, owner: DraftOwner, draft: Draft, now: Date): Promise<void> {
  const changedAt = new Date(Math.min(Date.parse(draft.changedAt), now.getTime()))
  const follows = sql<boolean>`(campaign_draft.draft_id = ${draft.id} and campaign_draft.version = ${draft.version ?? 0})`
  await tx
    .insertInto('campaign_draft')
    .values({
      merchant_id: owner.merchantId,
      account_id: owner.accountId,
      profile_id: owner.profileId,
      draft_id: draft.id,
      changed_at: changedAt,
      state: sql`${JSON.stringify(draft.state)}::jsonb`,
    })
    .onConflict(conflict =>
      conflict
        .columns(['merchant_id', 'account_id', 'profile_id'])
        .doUpdateSet(eb => ({
          draft_id: eb.ref('excluded.draft_id'),
          changed_at: sql<Date>`greatest(campaign_draft.changed_at, excluded.changed_at)`,
          version: sql<number>`campaign_draft.version + 1`,
          state: eb.ref('excluded.state'),
        }))
        .where(sql<boolean>`${follows} or campaign_draft.changed_at <= excluded.changed_at`),
    )
    .execute()
}

/** Throws the draft of this id away, if it is the one that is there. */
export async function deleteDraft(tx: Db, owner: DraftOwner, draftId: string): Promise<void> {
  await tx
    .deleteFrom('campaign_draft')
    .where('merchant_id', '=', owner.merchantId)
    .where('account_id', '=', owner.accountId)
    .where('profile_id', '=', owner.profileId)
    .where('draft_id', '=', draftId)
    .execute()
}
