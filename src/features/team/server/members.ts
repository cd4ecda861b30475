import { requireOwner } from '#features/accounts/server/public.ts'
import { accountNames } from '#features/auth/server/public.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import type { Ctx } from '#server/context.ts'
import { AppError } from '#shared/errors.ts'
import type { Team } from '../contract.ts'
import { presentInvitation } from './invite.ts'
import { openInvitations, ownedWithNames } from './sql.ts'

const shownAfterExpiryMs = 30 * 86_400_000

/** Who has access to the merchants that the user owns, and who is invited. */
export async function getTeam(ctx: Ctx): Promise<Team> {
  const { accountId } = ctx.actor
  const { system } = ctx.db
  const now = ctx.clock.now()
  const [owned, invitations] = await Promise.all([
    ownedWithNames(system, accountId),
    openInvitations(system, accountId, new Date(now.getTime() - shownAfterExpiryMs)),
  ])
  const members = await membersOf(
    ctx,
    owned.map(({ id }) => id),
  )
  const inviters = await accountNames(
    system,
    invitations.map(row => row.invited_by),
  )
  return {
    merchants: owned.map(merchant => ({ ...merchant, members: members.get(merchant.id) ?? [] })),
    invitations: invitations.map(row => {
      const merchants = owned.filter(({ id }) => row.merchant_ids.includes(id))
      return presentInvitation(row, inviters.get(row.invited_by) ?? '', merchants, now)
    }),
  }
}

async function membersOf({ db, actor }: Ctx, merchantIds: readonly number[]) {
  const rows = merchantIds.length
    ? await db.system
        .selectFrom('membership as m')
        .innerJoin('account as a', 'a.id', 'm.account_id')
        .select(['m.merchant_id as merchantId', 'm.role', 'm.created_at as createdAt'])
        .select(['a.id as accountId', 'a.email', 'a.first_name as firstName', 'a.last_name as lastName'])
        .where('m.merchant_id', 'in', merchantIds)
        .where('m.ended_at', 'is', null)
        .orderBy('m.role')
        .orderBy('a.first_name')
        .orderBy('a.id')
        .execute()
    : []
  const present = ({ accountId, email, role, createdAt, firstName, lastName }: (typeof rows)[number]) => ({
    accountId,
    email,
    role,
    since: createdAt.toISOString(),
    isSelf: accountId === actor.accountId,
    name: `${firstName} ${lastName}`.trim(),
  })
  const byMerchant = Map.groupBy(rows, row => row.merchantId)
  return new Map([...byMerchant].map(([id, members]) => [id, members.map(present)]))
}

/**
 * Takes a viewer's access to a merchant away; the viewer's sessions lose it with their next call. Throws NOT_FOUND for a
 * merchant that is not the user's or an account that does not belong to it, RULE_VIOLATED for an owner.
 */
export async function removeMember(
  ctx: Ctx,
  { merchantId, accountId }: { merchantId: number; accountId: number },
): Promise<null> {
  await requireOwner(ctx, merchantId)
  await ctx.db.transaction(async tx => {
    const member = await tx
      .selectFrom('membership')
      .select('role')
      .where('merchant_id', '=', merchantId)
      .where('account_id', '=', accountId)
      .where('ended_at', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (!member) throw new AppError('NOT_FOUND', 'There is no such member.')
    if (member.role === 'OWNER') throw new AppError('RULE_VIOLATED', 'Owners cannot be removed here.')
    // Deleted, not ended: a merchant that is connected again brings its ended members back.
    await tx
      .deleteFrom('membership')
      .where('merchant_id', '=', merchantId)
      .where('account_id', '=', accountId)
      .execute()
    const { actor, requestId } = ctx
    const entry = { merchantId, entity: 'member', entityId: accountId, requestId }
    await recordAudit(tx, {
      ...entry,
      accountId: actor.accountId,
      action: 'team.remove',
      before: { role: member.role },
    })
    await ctx.events.publish(tx, [accountId], 'connections', { merchantId })
    await ctx.events.publish(tx, [actor.accountId], 'team', {})
  })
  return null
}
