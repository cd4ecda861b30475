import { sql } from 'kysely'
import * as v from 'valibot'
import { currentProfile } from '#features/accounts/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { AppError } from '#shared/errors.ts'
import { type Draft, draftSchema } from '../../draft-contract.ts'

/** Whose draft, and for which advertising account. */
type Owner = Awaited<ReturnType<typeof ownerOf>>

async function ownerOf(ctx: Ctx) {
  const { merchantId, profileId } = await currentProfile(ctx)
  return { merchant_id: merchantId, profile_id: profileId, account_id: ctx.actor.accountId }
}

async function readDraft(tx: Db, owner: Owner): Promise<{ id: string; draft: Draft | null } | null> {
  const row = await tx
    .selectFrom('campaign_draft')
    .select(['draft_id as id', 'changed_at as changedAt', 'version', 'state'])
    .where(eb => eb.and(owner))
    .executeTakeFirst()
  if (!row) return null
  // A draft of a shape that is no longer understood counts as none.
  const parsed = v.safeParse(draftSchema, { ...row, changedAt: row.changedAt.toISOString() })
  return { id: row.id, draft: parsed.success ? parsed.output : null }
}

async function deleteDraft(tx: Db, owner: Owner, id: string): Promise<void> {
  await tx
    .deleteFrom('campaign_draft')
    .where(eb => eb.and({ ...owner, draft_id: id }))
    .execute()
}

/**
 * Writes a draft, as a new version, where it was made from the version that is there or was changed later than that. A
 * change is never dated after `now`, nor before the one it follows.
 */
async function putDraft(tx: Db, owner: Owner, draft: Draft, now: Date): Promise<void> {
  const follows = sql<boolean>`(campaign_draft.draft_id = ${draft.id} and campaign_draft.version = ${draft.version ?? 0})`
  await tx
    .insertInto('campaign_draft')
    .values({
      ...owner,
      draft_id: draft.id,
      changed_at: new Date(Math.min(Date.parse(draft.changedAt), now.getTime())),
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

/** The campaign that the user has begun for the current advertising account; null when none. */
export async function getDraft(ctx: Ctx): Promise<{ draft: Draft | null }> {
  const owner = await ownerOf(ctx)
  const row = await ctx.db.tenant(owner.merchant_id, tx => readDraft(tx, owner))
  return { draft: row?.draft ?? null }
}

/** Saves a draft in place of the previous one, unless that was changed later elsewhere; answers the current one. */
export async function saveDraft(ctx: Ctx, draft: Draft): Promise<{ draft: Draft }> {
  const owner = await ownerOf(ctx)
  return ctx.db.tenant(owner.merchant_id, async tx => {
    const before = await readDraft(tx, owner)
    // It would block a device with a slow clock for ever.
    if (before && !before.draft) await deleteDraft(tx, owner, before.id)
    await putDraft(tx, owner, draft, ctx.clock.now())
    const standing = (await readDraft(tx, owner))?.draft
    if (!standing) throw new AppError('INTERNAL', 'The draft could not be saved.')
    return { draft: standing }
  })
}

/** Throws a draft away; one of another id stays. Doing it twice is doing it once. */
export async function removeDraft(ctx: Ctx, id: string): Promise<null> {
  const owner = await ownerOf(ctx)
  await ctx.db.tenant(owner.merchant_id, tx => deleteDraft(tx, owner, id))
  return null
}
