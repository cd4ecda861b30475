import { sql } from 'kysely'
import { ownedMerchants, type Profile, profilesOf, tenancyOf } from '#features/accounts/server/public.ts'
import { manageableUsers, managerOf, recordManagedCall, requireManageable } from '#features/managing/server/public.ts'
import { coveredMerchants } from '#features/subscription/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { EndpointParsed, FileAnswer } from '#shared/define-endpoint.ts'
import { AppError } from '#shared/errors.ts'
import { pageInfo } from '#shared/query-schemas.ts'
import { type AdminReport, adminReportEndpoints as endpoints } from '../admin-contract.ts'
import { downloadOfManager } from './files.ts'
import { columns, days, present } from './report-rows.ts'
import { addReport, requireQueueRoom } from './request-report.ts'

/**
 * Requests a report about products of a user, which the caller alone reads; the user's log says so. Throws NOT_FOUND for users
 * that the caller may not see, FORBIDDEN for managers and admins, RULE_VIOLATED where the user could request none.
 */
export async function requestAsinReport(
  ctx: Ctx,
  { userId, profileId, asins, format, dateFrom, dateTo }: EndpointParsed<typeof endpoints.request>['body'],
): Promise<{ id: number }> {
  await requireManageable(ctx, userId)
  const profile = await profileFor(ctx, userId, profileId)
  const { accountId: managerId, sessionId } = ctx.actor
  const manager = await managerOf(ctx)
  const details = { profileId: [profile.profileId], asins, format: [format], dateFrom: [dateFrom], dateTo: [dateTo] }
  return ctx.db.transaction(async tx => {
    const { count } = await tx
      .selectFrom('performance_report')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('manager_id', '=', managerId)
      .where('status', 'in', ['QUEUED', 'RUNNING'])
      .executeTakeFirstOrThrow()
    requireQueueRoom(count)
    const id = await addReport(ctx, tx, {
      merchant_id: profile.merchantId,
      profile_id: profile.profileId,
      marketplace_id: profile.marketplaceId,
      account_id: userId,
      manager_id: managerId,
      kind: 'ASIN',
      format,
      asins,
      // The user's own look is for the user's own reports.
      branding_profile_id: null,
      from: dateFrom,
      to: dateTo,
      scheduleId: null,
    })
    if (id === null) throw new Error('a report without a schedule has no other of its kind')
    const call = {
      accountId: userId,
      manager,
      sessionId,
      requestId: ctx.requestId,
      endpoint: endpoints.request,
      details,
    }
    await recordManagedCall(tx, { ...call, phase: 'WHOLE', status: 202, errorCode: null })
    await ctx.saveAnswer(tx, { id })
    return { id }
  })
}

/** The advertising account of a report: what the user could request a report of as well. */
async function profileFor({ db, clock }: Ctx, userId: number, profileId: number | undefined): Promise<Profile> {
  const [{ merchantId, marketplaceId }, owned] = await Promise.all([
    tenancyOf(db.system, userId),
    ownedMerchants(db.system, userId),
  ])
  const profiles = owned.length ? await db.reading(owned, tx => profilesOf(tx, owned)) : []
  const profile = profiles.find(one =>
    profileId === undefined
      ? one.merchantId === merchantId && one.marketplaceId === marketplaceId
      : one.profileId === profileId,
  )
  if (!profile && profileId !== undefined) throw new AppError('NOT_FOUND', 'The user owns no such advertising account.')
  if (!profile)
    throw new AppError('RULE_VIOLATED', 'The user works in no advertising account of their own now. Choose one.')
  const covered = await coveredMerchants(db.system, [profile.merchantId], clock.now())
  if (!covered.has(profile.merchantId))
    throw new AppError('RULE_VIOLATED', 'No subscription gives the user access to this account now.')
  return profile
}

/** A page of what the caller requested, newest first: only of users whom the caller may still act for. */
export async function listAdminReports(ctx: Ctx, { page, size }: { page: number; size: number }) {
  const { db, actor } = ctx
  const requested = db.system
    .selectFrom('performance_report')
    .where('manager_id', '=', actor.accountId)
    .where('deleted_at', 'is', null)
  const of = await requested.select('account_id').distinct().execute()
  const users = await manageableUsers(
    ctx,
    of.map(row => row.account_id),
  )
  const byId = new Map(users.map(user => [user.id, user]))
  const visible = requested.where(sql<boolean>`account_id = any(${[...byId.keys()]}::bigint[])`)
  const [rows, { total }] = await Promise.all([
    visible
      .select([...columns, 'account_id', 'profile_id'])
      .select(days)
      .select(
        sql<string | null>`(select p.account_name from ads_profile p
          where p.merchant_id = performance_report.merchant_id and p.id = performance_report.profile_id)`.as(
          'accountName',
        ),
      )
      .orderBy('id', 'desc')
      .limit(size)
      .offset(page * size)
      .execute(),
    visible.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow(),
  ])
  const content = rows.flatMap((row): AdminReport[] => {
    const user = byId.get(row.account_id)
    return user ? [{ ...present(row), user, profileId: row.profile_id, accountName: row.accountName }] : []
  })
  return { content, page: pageInfo(page, size, total) }
}

/** The file of a report that the caller requested; the user's log says so. Throws NOT_FOUND, RULE_VIOLATED while there is none. */
export async function downloadAdminReport(ctx: Ctx, id: number): Promise<FileAnswer> {
  const { db, actor, requestId } = ctx
  const row = await db.system
    .selectFrom('performance_report')
    .select(['merchant_id as merchantId', 'account_id as accountId'])
    .where('id', '=', id)
    .where('manager_id', '=', actor.accountId)
    .executeTakeFirst()
  // Nor does a manager read more than the user, who may have lost the merchant since.
  const isOpen =
    row &&
    (await manageableUsers(ctx, [row.accountId])).length > 0 &&
    (await ownedMerchants(db.system, row.accountId)).includes(row.merchantId)
  if (!isOpen) throw new AppError('NOT_FOUND', 'There is no such report, or you may no longer see its user.')
  const { merchantId, accountId } = row
  const file = await downloadOfManager(ctx, { merchantId, id, managerId: actor.accountId })
  const manager = await managerOf(ctx)
  const call = { accountId, manager, sessionId: actor.sessionId, requestId, endpoint: endpoints.download }
  await recordManagedCall(db.system, { ...call, details: { id: [id] }, phase: 'WHOLE', status: 200, errorCode: null })
  return file
}
