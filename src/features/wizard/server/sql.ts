import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { Draft } from '../contract.ts'

declare module '#server/db/tables.ts' {
  interface Tables {
    campaign_draft: {
      merchant_id: number
      account_id: number
      profile_id: number
      draft_id: string
      changed_at: Date
      state: unknown
    }
  }
}

/** Whose draft, and for which advertising account. */
export interface DraftOwner {
  merchantId: number
  accountId: number
  profileId: number
}

/** The draft; undefined when there is none. Its state is as it was written and not yet parsed. */
export const draftOf = (tx: Db, { merchantId, accountId, profileId }: DraftOwner) =>
  tx
    .selectFrom('campaign_draft')
    .select(['draft_id as id', 'changed_at as changedAt', 'state'])
    .where('merchant_id', '=', merchantId)
    .where('account_id', '=', accountId)
    .where('profile_id', '=', profileId)
    .executeTakeFirst()

/** Writes a draft unless the one that is there was changed later. */
export const putDraft = async (tx: Db, owner: DraftOwner, draft: Draft): Promise<void> => {
  await tx
    .insertInto('campaign_draft')
    .values({
      merchant_id: owner.merchantId,
      account_id: owner.accountId,
      profile_id: owner.profileId,
      draft_id: draft.id,
      changed_at: new Date(draft.changedAt),
      state: sql`${JSON.stringify(draft.state)}::jsonb`,
    })
    .onConflict(conflict =>
      conflict
        .columns(['merchant_id', 'account_id', 'profile_id'])
        .doUpdateSet(eb => ({
          draft_id: eb.ref('excluded.draft_id'),
          changed_at: eb.ref('excluded.changed_at'),
          state: eb.ref('excluded.state'),
        }))
        .whereRef('campaign_draft.changed_at', '<=', sql`excluded.changed_at`),
    )
    .execute()
}

/** Throws the draft of this id away, if it is the one that is there. */
export const deleteDraft = async (tx: Db, owner: DraftOwner, draftId: string): Promise<void> => {
  await tx
    .deleteFrom('campaign_draft')
    .where('merchant_id', '=', owner.merchantId)
    .where('account_id', '=', owner.accountId)
    .where('profile_id', '=', owner.profileId)
    .where('draft_id', '=', draftId)
    .execute()
}
