import { type RawBuilder, sql } from 'kysely'
import { amazonProfilesByAccount } from '#features/accounts/server/public.ts'
import { isPrivileged, listUsers, type UserFilter } from '#features/auth/server/public.ts'
import { subscriptionState } from '#features/subscription/server/public.ts'
import type { Ctx } from '#server/context.ts'
import { AppError } from '#shared/errors.ts'
import type { SubscriptionState } from '#features/subscription/contract.ts'
import { type AssignedUser, type ManagedUser, mostAssigned } from '../contract.ts'

/** A condition on the account `a`: the caller may see it. Admins see everybody. */
function visibleTo({ actor }: Ctx): RawBuilder<boolean> {
  if (actor.authorities.includes('ADMIN')) return sql<boolean>`true`
  const manager = actor.accountId
  return sql<boolean>`(not exists (select from manager_limit l where l.manager_id = ${manager})
    or exists (select from manager_assignment m where m.manager_id = ${manager} and m.account_id = a.id))`
}

interface Filter extends Omit<UserFilter, 'where'> {
  subscription?: SubscriptionState | undefined
}

/** The users that the caller may see, by name. */
export async function findUsers(
  ctx: Ctx,
  { subscription, ...filter }: Filter,
  { page, size }: { page: number; size: number },
): Promise<ManagedUser[]> {
  const state = subscriptionState(ctx.clock.now())
  const ofState = subscription === undefined ? sql`` : sql`and ${state} = ${subscription}`
  return readUsers(ctx, { ...filter, where: sql<boolean>`${visibleTo(ctx)} ${ofState}` }, { page, size })
}

/** One user that the caller may see. Throws NOT_FOUND. */
export async function getManageableUser(ctx: Ctx, id: number): Promise<ManagedUser> {
  const [user] = await findUsers(ctx, { id }, { page: 0, size: 1 })
  if (!user) throw new AppError('NOT_FOUND', 'There is no such user.')
  return user
}

/** Those of some users whom the caller may see and act for, in any order. */
export async function manageableUsers(ctx: Ctx, ids: readonly number[]) {
  const where = sql<boolean>`a.id = any(${[...ids]}::bigint[]) and ${visibleTo(ctx)} and not ${isPrivileged('a.id')}`
  return shortUsers(ctx, where, ids.length)
}

/** The users that are assigned to a campaign manager, by name. */
export const assignedUsers = (ctx: Ctx, managerId: number) =>
  shortUsers(
    ctx,
    sql`exists (select from manager_assignment m where m.manager_id = ${managerId} and m.account_id = a.id)`,
    mostAssigned,
  )

async function shortUsers({ db }: Ctx, where: RawBuilder<boolean>, size: number): Promise<AssignedUser[]> {
  const rows = await listUsers(db.system, { where }, { column: sql`null`, page: 0, size })
  return rows.map(({ user: { id, firstName, lastName, email } }) => ({ id, firstName, lastName, email }))
}

/** A user, whether the caller may see it or not; undefined if there is none. */
export async function readUser(ctx: Ctx, id: number): Promise<ManagedUser | undefined> {
  return (await readUsers(ctx, { id, where: sql<boolean>`true` }, { page: 0, size: 1 }))[0]
}

async function readUsers({ db, clock }: Ctx, filter: UserFilter, page: { page: number; size: number }) {
  const column = sql<{ state: SubscriptionState; isPrivileged: boolean }>`json_build_object(
    'state', ${subscriptionState(clock.now())}, 'isPrivileged', ${isPrivileged('a.id')})`
  const rows = await listUsers(db.system, filter, { column, ...page })
  const profiles = await amazonProfilesByAccount(
    db,
    rows.map(row => row.user.id),
  )
  return rows.map(
    ({ user, column: { state, isPrivileged: privileged } }): ManagedUser => ({
      ...user,
      amazonProfiles: profiles.get(user.id) ?? [],
      subscriptionState: state,
      canBeManaged: !privileged,
    }),
  )
}
