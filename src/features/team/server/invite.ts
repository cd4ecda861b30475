import { sql } from 'kysely'
import { ownersOf } from '#features/accounts/server/public.ts'
import { accountNames, countInvitation, hashSecret, newSecret } from '#features/auth/server/public.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import type { Ctx, PublicCtx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { type MailContent, queueMail } from '#server/mail/outbox.ts'
import { renderMail } from '#server/mail/render-mail.ts'
import { AppError } from '#shared/errors.ts'
import { listText } from '#shared/region-format.ts'
import { type Invitation, invitationDays, type inviteBody } from '../contract.ts'
import type { InferOutput } from 'valibot'
import { type InvitationRow, lockManaged, ownedWithNames, withNumbers } from './sql.ts'

type Merchants = { id: number; name: string }[]

const expiryOf = (now: Date): Date => new Date(now.getTime() + invitationDays * 86_400_000)

/**
 * Invites an address to view merchants, by a mail that is the same whether or not it has an account. Throws NOT_FOUND for a
 * merchant that the user does not own, VALIDATION_FAILED (own address, or access to all of these already), CONFLICT while an
 * invitation to the same address and merchant is open, RATE_LIMITED.
 */
export async function invite(
  ctx: Ctx,
  { email, merchantIds: requested }: InferOutput<typeof inviteBody>,
): Promise<Invitation> {
  const { accountId } = ctx.actor
  const merchantIds = [...new Set(requested)]
  if (email === ctx.actor.email.toLowerCase()) throw atEmail('This is your own address')
  const merchants = (await ownedWithNames(ctx.db.system, accountId)).filter(({ id }) => merchantIds.includes(id))
  if (merchants.length < merchantIds.length) throw new AppError('NOT_FOUND', 'There is no such seller.')
  await requireNews(ctx, email, merchantIds)
  await countInvitation(ctx, accountId, email)
  const now = ctx.clock.now()
  const token = newSecret()
  const names = await accountNames(ctx.db.system, [accountId])
  return ctx.db.transaction(async tx => {
    const inserted = await tx
      .insertInto('invitation')
      .values({
        invited_by: accountId,
        email,
        token_hash: hashSecret(token),
        merchant_ids: merchantIds,
        created_at: now,
        sent_at: now,
        expires_at: expiryOf(now),
        outcome: null,
        settled_at: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    const row = withNumbers(inserted)
    const invitedBy = names.get(accountId) ?? ctx.actor.email
    await sendMail(ctx, tx, row, { invitedBy, merchants, token })
    await recordTeamAct(ctx, tx, row, { action: 'team.invite', accountId })
    const answer = presentInvitation(row, invitedBy, merchants, now)
    await ctx.saveAnswer(tx, answer)
    return answer
  })
}

const atEmail = (message: string) =>
  new AppError('VALIDATION_FAILED', message, { details: [message], extra: { fields: { email: message } } })

const isPending = 'An invitation to this address is pending. Resend or revoke that one'

async function requireNews({ db, clock }: Ctx, email: string, merchantIds: readonly number[]): Promise<void> {
  const ids = sql<number[]>`${[...merchantIds]}::bigint[]`
  const { rows } = await sql<{ members: number; pending: boolean }>`
    select (select count(*)::int from membership m join account a on a.id = m.account_id
        where lower(a.email) = ${email} and m.merchant_id = any(${ids}) and m.ended_at is null) as members,
      exists (select from invitation i where i.email = ${email} and i.merchant_ids && ${ids} and i.outcome is null
        and i.expires_at > ${clock.now()}) as pending`.execute(db.system)
  const [state] = rows
  if (state?.members === merchantIds.length) throw atEmail('This person has access to all of these already')
  if (state?.pending)
    throw new AppError('CONFLICT', isPending, { details: [isPending], extra: { fields: { email: isPending } } })
}

export function presentInvitation(row: InvitationRow, invitedBy: string, merchants: Merchants, now: Date): Invitation {
  return {
    id: row.id,
    email: row.email,
    invitedBy,
    merchants,
    sentAt: row.sent_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    isExpired: row.expires_at <= now,
  }
}

function sendMail(
  ctx: Ctx,
  tx: Db,
  { id, email }: InvitationRow,
  { invitedBy, merchants, token }: { invitedBy: string; merchants: Merchants; token: string },
): Promise<number | null> {
  const { publicUrl } = ctx.config
  const names = merchants.map(({ name }) => name)
  const content = invitationMail(invitedBy, names, { publicUrl, token })
  return queueMail(ctx, tx, { to: email, dedupeKey: `invitation:${id}:${hashSecret(token)}`, ...content })
}

const namedInMail = 5

/** The mail of an invitation. It is the same whether or not the address has an account. */
function invitationMail(
  invitedBy: string,
  merchants: readonly string[],
  { publicUrl, token }: { publicUrl: string; token: string },
): MailContent {
  return renderMail({
    subject: `${invitedBy} invited you to Tideline`,
    greeting: 'Hello,',
    paragraphs: [
      `${invitedBy} invited you to view the advertising of ${listOf(merchants)} in Tideline. You will see the figures and change nothing.`,
    ],
    action: { label: 'Open the invitation', url: `${publicUrl}/invitation?token=${token}` },
    closing: [
      `The link works once, for ${invitationDays} days.`,
      'If you do not know who invited you, you can ignore this email: nobody gets to know.',
    ],
  })
}

function listOf(names: readonly string[]): string {
  const more = names.length - namedInMail
  const shown = more > 0 ? [...names.slice(0, namedInMail), `${more} more`] : names
  return listText(shown)
}

/** Records an act about an invitation for each of its merchants, and tells their owners' browsers. Without the address. */
export async function recordTeamAct(
  { events, requestId }: Pick<PublicCtx, 'events' | 'requestId'>,
  tx: Db,
  { id, merchant_ids: merchantIds }: Pick<InvitationRow, 'id' | 'merchant_ids'>,
  { action, accountId }: { action: string; accountId: number | null },
): Promise<void> {
  const owners = new Set<number>()
  for (const merchantId of merchantIds) {
    await recordAudit(tx, { merchantId, accountId, action, entity: 'invitation', entityId: id, requestId })
    for (const owner of await ownersOf(tx, merchantId)) owners.add(owner)
  }
  await events.publish(tx, [...owners], 'team', {})
}

const settled = {
  ACCEPTED: 'This invitation was accepted already.',
  DECLINED: 'This invitation was declined.',
  REVOKED: 'This invitation was revoked.',
}

const noSuch = () => new AppError('NOT_FOUND', 'There is no such invitation.')

/** Changes an invitation that the user may manage. Throws NOT_FOUND. */
async function manage(
  ctx: Ctx,
  id: number,
  action: string,
  change: (row: InvitationRow, tx: Db) => Promise<Partial<InvitationRow> | null>,
): Promise<null> {
  const { accountId } = ctx.actor
  await ctx.db.transaction(async tx => {
    const row = await lockManaged(tx, accountId, id)
    if (!row) throw noSuch()
    const changes = await change(row, tx)
    if (!changes) return
    await tx.updateTable('invitation').set(changes).where('id', '=', id).execute()
    await recordTeamAct(ctx, tx, row, { action, accountId })
  })
  return null
}

/** Sends an invitation again with a new link. Throws NOT_FOUND, CONFLICT once it was answered or revoked, RATE_LIMITED. */
export async function resend(ctx: Ctx, id: number): Promise<null> {
  const { accountId, email: ownEmail } = ctx.actor
  const { system } = ctx.db
  const found = await ctx.db.transaction(tx => lockManaged(tx, accountId, id))
  if (!found) throw noSuch()
  const merchants = await ownedWithNames(system, accountId)
  const names = await accountNames(system, [accountId])
  // Outside the transaction that sends: what is counted stays counted.
  await countInvitation(ctx, accountId, found.email)
  return manage(ctx, id, 'team.resend', async (row, tx) => {
    if (row.outcome) throw new AppError('CONFLICT', settled[row.outcome])
    const now = ctx.clock.now()
    const token = newSecret()
    const offered = merchants.filter(one => row.merchant_ids.includes(one.id))
    await sendMail(ctx, tx, row, { invitedBy: names.get(accountId) ?? ownEmail, merchants: offered, token })
    // Who sends it again vouches for it from now on.
    return { token_hash: hashSecret(token), invited_by: accountId, sent_at: now, expires_at: expiryOf(now) }
  })
}

/** Revokes an invitation. Throws NOT_FOUND, CONFLICT once it was answered. */
export function revoke(ctx: Ctx, id: number): Promise<null> {
  return manage(ctx, id, 'team.revoke', async row => {
    if (row.outcome === 'REVOKED') return null
    if (row.outcome) throw new AppError('CONFLICT', settled[row.outcome])
    return { outcome: 'REVOKED', settled_at: ctx.clock.now() }
  })
}

/** Undoes revoking: the link is good again until it expires. Throws NOT_FOUND, CONFLICT once it was answered. */
export function restore(ctx: Ctx, id: number): Promise<null> {
  return manage(ctx, id, 'team.restore', async row => {
    if (!row.outcome) return null
    if (row.outcome !== 'REVOKED') throw new AppError('CONFLICT', settled[row.outcome])
    return { outcome: null, settled_at: null }
  })
}
