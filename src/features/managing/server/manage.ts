import { sql } from 'kysely'
import { clearManaged, managedUntil, setManaged } from '#features/auth/server/public.ts'
import { machineClock } from '#server/clock/follow-clock.ts'
import type { Ctx, Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { sessionsEndedEvent } from '#server/events/events.ts'
import type { ManagedCall } from '#server/http/managed-calls.ts'
import { AppError } from '#shared/errors.ts'
import {
  type ImpersonationStatus,
  type ManagedUser,
  type ManagerUsers,
  managingEndpoints,
  managingMinutes,
} from '../contract.ts'
import { recordManagedCall } from './audit-log.ts'
import { assignedUsers, getManageableUser, readUser } from './users.ts'

/**
 * From now on, and for an hour at most, every call of this session acts for the user, whose log says so. Throws NOT_FOUND for
 * users that the caller may not see, and FORBIDDEN for campaign managers and admins.
 */
export async function startManaging(ctx: Ctx, id: number): Promise<ManagedUser> {
  const { db, clock, actor, requestId } = ctx
  const user = await requireManageable(ctx, id)
  const { sessionId } = actor
  const manager = await managerOf(ctx)
  await db.transaction(async tx => {
    await setManaged(tx, sessionId, {
      accountId: id,
      until: new Date(machineClock(clock).now().getTime() + managingMinutes * 60_000),
    })
    const call = { accountId: id, manager, sessionId, requestId, endpoint: managingEndpoints.manage, details: {} }
    await recordManagedCall(tx, { ...call, phase: 'WHOLE', status: 200, errorCode: null })
    await endStreams(ctx, tx, [actor.accountId])
  })
  return user
}

/** A user for whom the caller may act. Throws NOT_FOUND and FORBIDDEN like startManaging. */
export async function requireManageable(ctx: Ctx, id: number): Promise<ManagedUser> {
  const user = await getManageableUser(ctx, id)
  if (!user.canBeManaged) throw new AppError('FORBIDDEN', 'Campaign managers and admins cannot be managed.')
  return user
}

/** The caller, as users' logs name managers. */
export async function managerOf(ctx: Ctx): Promise<ManagedCall['manager']> {
  const own = await readUser(ctx, ctx.actor.accountId)
  if (!own) throw new AppError('UNAUTHENTICATED', 'Please log in.')
  return { accountId: own.id, email: own.email, firstName: own.firstName, lastName: own.lastName }
}

/** The calls of this session act for its own account again. Does nothing if they do already. */
export async function stopManaging(ctx: Ctx): Promise<null> {
  const { db, actor } = ctx
  await db.transaction(async tx => {
    await clearManaged(tx, { id: actor.sessionId })
    if (actor.managedBy) await endStreams(ctx, tx, [actor.accountId])
  })
  return null
}

// Streams of the context that has just ended.
const endStreams = ({ events }: Pick<Services, 'events'>, tx: Db, accountIds: number[]) =>
  events.publish(tx, accountIds, sessionsEndedEvent, {})

/** The managed user; null if nobody is managed. */
export async function getManaged(ctx: Ctx): Promise<ManagedUser | null> {
  return ctx.actor.managedBy ? ((await readUser(ctx, ctx.actor.accountId)) ?? null) : null
}

/** Whether this session manages a user. */
export async function getStatus(ctx: Ctx): Promise<ImpersonationStatus> {
  const { managedBy, sessionId } = ctx.actor
  const user = managedBy && (await readUser(ctx, ctx.actor.accountId))
  if (!managedBy || !user) return { impersonating: false, adminUser: null, managedUser: null, endsAt: null }
  const { firstName, lastName, email } = managedBy
  const until = await managedUntil(ctx.db.system, sessionId)
  return {
    impersonating: true,
    adminUser: { firstName, lastName, email },
    managedUser: { id: user.id, firstName: user.firstName, lastName: user.lastName, email: user.email },
    endsAt: until?.toISOString() ?? null,
  }
}

/** Which users a campaign manager sees. Throws NOT_FOUND if there is no such manager. */
export async function getManagerUsers(ctx: Ctx, managerId: number): Promise<ManagerUsers> {
  await requireManagerAccount(ctx, managerId)
  const [limit, users] = await Promise.all([
    ctx.db.system
      .selectFrom('manager_limit')
      .select('manager_id')
      .where('manager_id', '=', managerId)
      .executeTakeFirst(),
    assignedUsers(ctx, managerId),
  ])
  return { seesAll: !limit, users }
}

/**
 * Sets which users a campaign manager sees, and ends what the manager is managing. Ids of nobody are left out. Throws like
 * getManagerUsers.
 */
export async function assignUsers(ctx: Ctx, managerId: number, set: { seesAll: boolean; userIds: number[] }) {
  await requireManagerAccount(ctx, managerId)
  await ctx.db.transaction(async tx => {
    await tx.deleteFrom('manager_limit').where('manager_id', '=', managerId).execute()
    if (!set.seesAll) {
      const limit = { manager_id: managerId, limited_at: ctx.clock.now(), limited_by: ctx.actor.accountId }
      await tx.insertInto('manager_limit').values(limit).execute()
      await sql`insert into manager_assignment (manager_id, account_id)
        select distinct ${managerId}::bigint, id from account where id = any(${set.userIds}::bigint[])`.execute(tx)
    }
    await endStreams(ctx, tx, await clearManaged(tx, { ownerId: managerId }))
  })
  return getManagerUsers(ctx, managerId)
}

async function requireManagerAccount(ctx: Ctx, managerId: number): Promise<void> {
  const account = await readUser(ctx, managerId)
  if (!account?.roles.some(role => role.name === 'CAMPAIGN_MANAGER'))
    throw new AppError('NOT_FOUND', 'There is no such campaign manager.')
}
