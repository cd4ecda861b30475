import * as v from 'valibot'
import { currentProfile } from '#features/accounts/server/public.ts'
import { type Ctx, requireAuthority } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { AppError } from '#shared/errors.ts'
import { type Draft, draftSchema } from '../../draft-contract.ts'
import { deleteDraft, type DraftOwner, draftOf, putDraft } from './sql.ts'

async function ownerOf(ctx: Ctx): Promise<DraftOwner> {
  requireAuthority(ctx, 'ACCOUNT_MANAGER')
  const { merchantId, profileId } = await currentProfile(ctx)
  return { merchantId, profileId, accountId: ctx.actor.accountId }
}

type DraftRow = Awaited<ReturnType<typeof draftOf>>

// A draft of a shape that is no longer understood counts as none.
function understood(row: DraftRow): Draft | null {
  const parsed = row && v.safeParse(draftSchema, { ...row, changedAt: row.changedAt.toISOString() })
  return parsed?.success ? parsed.output : null
}
const readDraft = async (tx: Db, owner: DraftOwner): Promise<Draft | null> => understood(await draftOf(tx, owner))

/** The campaign that the user has begun for the current advertising account; null when none. */
export async function getDraft(ctx: Ctx): Promise<{ draft: Draft | null }> {
  const owner = await ownerOf(ctx)
  return { draft: await ctx.db.tenant(owner.merchantId, tx => readDraft(tx, owner)) }
}

/** Saves a draft in place of the previous one, unless that was changed later elsewhere; answers the current one. */
export async function saveDraft(ctx: Ctx, draft: Draft): Promise<{ draft: Draft }> {
  const owner = await ownerOf(ctx)
  return ctx.db.tenant(owner.merchantId, async tx => {
    const before = await draftOf(tx, owner)
    // It would block a device with a slow clock for ever.
    if (before && !understood(before)) await deleteDraft(tx, owner, before.id)
    await putDraft(tx, owner, draft, ctx.clock.now())
    const standing = await readDraft(tx, owner)
    if (!standing) throw new AppError('INTERNAL', 'The draft could not be saved.')
    return { draft: standing }
  })
}

/** Throws a draft away; one of another id stays. Doing it twice is doing it once. */
export async function removeDraft(ctx: Ctx, id: string): Promise<null> {
  const owner = await ownerOf(ctx)
  await ctx.db.tenant(owner.merchantId, tx => deleteDraft(tx, owner, id))
  return null
}
