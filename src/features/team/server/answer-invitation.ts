import type { InferOutput } from 'valibot'
import { chooseIfNone } from '#features/accounts/server/public.ts'
import { accountNames, hashPassword, registerInvited } from '#features/auth/server/public.ts'
import type { Ctx, PublicCtx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { AppError } from '#shared/errors.ts'
import type { OpenedInvitation, registerInvitedBody } from '../contract.ts'
import { recordTeamAct } from './invite.ts'
import { type InvitationRow, lockByToken, merchantsOnOffer } from './sql.ts'

const invalid = (message: string) => new AppError('TOKEN_INVALID', message)

interface Offer {
  row: InvitationRow
  merchants: { id: number; name: string }[]
}

/** The invitation of a token as it can be answered now. Throws TOKEN_INVALID with what became of it. */
async function offerOf(tx: Db, token: string, now: Date): Promise<Offer> {
  const row = await lockByToken(tx, token)
  if (!row) throw invalid('This link is not valid. If you got a newer email, use its link.')
  if (row.outcome === 'ACCEPTED') throw invalid('This invitation was accepted already. Log in to continue.')
  if (row.outcome === 'DECLINED') throw invalid('This invitation was declined. Ask for a new one.')
  if (row.outcome === 'REVOKED') throw invalid('This invitation was revoked. Ask for a new one.')
  if (row.expires_at <= now) throw invalid('This invitation has expired. Ask for a new one.')
  const merchants = await merchantsOnOffer(tx, row)
  if (!merchants.length) throw invalid('This invitation is no longer valid. Ask for a new one.')
  return { row, merchants }
}

/** What an invitation is about. Throws TOKEN_INVALID. */
export function openInvitation({ db, clock }: PublicCtx, token: string): Promise<OpenedInvitation> {
  return db.transaction(async tx => {
    const { row, merchants } = await offerOf(tx, token, clock.now())
    const names = await accountNames(tx, [row.invited_by])
    return {
      email: row.email,
      invitedBy: names.get(row.invited_by) ?? '',
      merchants: merchants.map(({ name }) => name),
      expiresAt: row.expires_at.toISOString(),
    }
  })
}

/** Makes an account a viewer of what is offered; what it belongs to already stays as it is. */
async function join(ctx: PublicCtx, tx: Db, { row, merchants }: Offer, accountId: number): Promise<number[]> {
  const ids = merchants.map(({ id }) => id)
  await tx
    .insertInto('membership')
    .values(
      ids.map(id => ({
        account_id: accountId,
        merchant_id: id,
        role: 'VIEWER' as const,
        created_at: ctx.clock.now(),
        ended_at: null,
      })),
    )
    .onConflict(conflict => conflict.columns(['account_id', 'merchant_id']).doNothing())
    .execute()
  await settle(ctx, tx, row, 'ACCEPTED', accountId)
  await ctx.events.publish(tx, [accountId], 'connections', {})
  return ids
}

async function settle(
  ctx: PublicCtx,
  tx: Db,
  row: InvitationRow,
  outcome: 'ACCEPTED' | 'DECLINED',
  accountId: number | null,
): Promise<void> {
  const settled = { outcome, settled_at: ctx.clock.now() }
  await tx.updateTable('invitation').set(settled).where('id', '=', row.id).execute()
  await recordTeamAct(ctx, tx, row, { action: outcome === 'ACCEPTED' ? 'team.accept' : 'team.decline', accountId })
}

/**
 * Registers the invited person, whose address the link has verified, and accepts. Throws TOKEN_INVALID, or CONFLICT if the
 * address has an account: only who can read its mail gets to know.
 */
export async function registerAndAccept(
  ctx: PublicCtx,
  { token, ...person }: InferOutput<typeof registerInvitedBody>,
): Promise<{ email: string }> {
  // Before the password is hashed, which costs time.
  await openInvitation(ctx, token)
  const passwordHash = await hashPassword(person.password)
  const now = ctx.clock.now()
  const { email, accountId, first } = await ctx.db.transaction(async tx => {
    const offer = await offerOf(tx, token, now)
    const { email } = offer.row
    const accountId = await registerInvited(tx, email, { person, passwordHash, now })
    if (accountId === null)
      throw new AppError('CONFLICT', 'You have an account with this address already. Log in to accept.')
    const [first] = await join(ctx, tx, offer, accountId)
    return { email, accountId, first }
  })
  if (first !== undefined) await chooseIfNone(ctx, accountId, first)
  return { email }
}

/**
 * Accepts an invitation to the caller's own address. Throws TOKEN_INVALID, or RULE_VIOLATED if it was sent to another
 * address: access is given to a person, and a link can be passed on.
 */
export async function accept(ctx: Ctx, token: string): Promise<{ merchantIds: number[] }> {
  const { accountId, email } = ctx.actor
  const merchantIds = await ctx.db.transaction(async tx => {
    const offer = await offerOf(tx, token, ctx.clock.now())
    if (offer.row.email !== email.toLowerCase())
      throw new AppError(
        'RULE_VIOLATED',
        `This invitation is for ${offer.row.email}. Log in with that address to accept it.`,
      )
    return join(ctx, tx, offer, accountId)
  })
  const [first] = merchantIds
  if (first !== undefined) await chooseIfNone(ctx, accountId, first)
  return { merchantIds }
}

/** Declines an invitation. Throws TOKEN_INVALID. */
export async function decline(ctx: PublicCtx, token: string): Promise<null> {
  await ctx.db.transaction(async tx => {
    const { row } = await offerOf(tx, token, ctx.clock.now())
    await settle(ctx, tx, row, 'DECLINED', null)
  })
  return null
}
