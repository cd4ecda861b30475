import { ownersOf } from '#features/accounts/server/public.ts'
import type { Ctx, Services } from '#server/context.ts'
import type { Db, Row } from '#server/db/tables.ts'
import { AppError } from '#shared/errors.ts'
import type { dismissReasons, snoozeHours } from '../contract.ts'
import { announceChange } from './notify.ts'
import { lockNotification, statusOf, type Viewer } from './notification-rows.ts'
import { alertDismissed } from './signals.ts'

type Notification = Row<'notification'>
const conflict = (message: string) => new AppError('CONFLICT', message)

/** What stands in the way of a decision about a notification, as an error; null when nothing does. */
export function obstacle(row: Notification, now: Date): AppError | null {
  switch (statusOf(row, now)) {
    case 'NEWS':
      return conflict('There is nothing to decide here.')
    case 'DONE':
      return conflict(`This was decided already. ${row.answer ?? ''}`.trim())
    case 'DISMISSED':
      return conflict('You dismissed this. Undo that first.')
    case 'SETTLED':
      return conflict('This is over: there is nothing left to do.')
    default:
      return null
  }
}

/** What a decision changes in every case. */
export const closed = (row: Pick<Notification, 'read_at'>, now: Date) => ({
  read_at: row.read_at ?? now,
  snoozed_until: null,
  mail_at: null,
})

const spans: Record<(typeof snoozeHours)[number], string> = { 1: '1 hour', 4: '4 hours', 24: '1 day', 72: '3 days' }

/** Asks for a decision again later. Throws NOT_FOUND, or CONFLICT where there is none to make. */
export async function snooze(
  ctx: Services,
  viewer: Viewer,
  id: number,
  hours: (typeof snoozeHours)[number],
): Promise<string> {
  const now = ctx.clock.now()
  await change(ctx, viewer, id, row => {
    const error = obstacle(row, now)
    if (error) throw error
    return { ...closed(row, now), snoozed_until: new Date(now.getTime() + hours * 3_600_000) }
  })
  return `Snoozed for ${spans[hours]}.`
}

/** Decides that nothing is to be done. Repeated it does nothing more. Throws NOT_FOUND, or CONFLICT. */
export async function dismiss(ctx: Ctx, id: number, reason: (typeof dismissReasons)[number]): Promise<string> {
  const now = ctx.clock.now()
  await change(ctx, ctx.actor, id, async (row, tx) => {
    if (row.decision === 'DISMISSED' && row.decision_detail === reason) return null
    const error = obstacle(row, now)
    if (error) throw error
    await announceDismissal(ctx, tx, row, reason)
    return { ...closed(row, now), decision: 'DISMISSED', decision_detail: reason, decided_at: now }
  })
  return 'Dismissed.'
}

/** Announces a dismissal by an owner; with null, that it was undone. What a viewer dismisses changes no threshold. */
export async function announceDismissal(
  { jobs, clock }: Services,
  tx: Db,
  { merchant_id: merchantId, account_id: accountId, cause }: Notification,
  reason: (typeof dismissReasons)[number] | null,
): Promise<void> {
  if (merchantId === null || !(await ownersOf(tx, merchantId)).includes(accountId)) return
  await jobs.announce(tx, alertDismissed, { merchantId, cause, reason, at: clock.now().toISOString() })
}

/** Marks a notification as read, on all devices. Throws NOT_FOUND. */
export function markRead(ctx: Ctx, id: number): Promise<void> {
  return change(ctx, ctx.actor, id, row => (row.read_at ? null : { read_at: ctx.clock.now() }))
}

/** Changes one notification of the user, locked; null leaves it unchanged. */
async function change(
  services: Services,
  viewer: Viewer,
  id: number,
  decide: (row: Notification, tx: Db) => Partial<Notification> | null | Promise<Partial<Notification> | null>,
): Promise<void> {
  await services.db.transaction(async tx => {
    const changes = await decide(await lockNotification(tx, viewer, id), tx)
    if (!changes) return
    await tx.updateTable('notification').set(changes).where('id', '=', id).execute()
    await announceChange(services, tx, [viewer.accountId])
  })
}
