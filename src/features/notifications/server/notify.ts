import { type RawBuilder, sql } from 'kysely'
import { isSessionActive, regionOf } from '#features/auth/server/public.ts'
import { type ReaderText, writeText } from '#shared/reader-text.ts'
import type { Services } from '#server/context.ts'
import type { Db, Row } from '#server/db/tables.ts'
import {
  type AppNotification,
  type Evidence,
  kinds,
  type NotificationAction,
  type NotificationKind,
} from '../contract.ts'
import type { KindPreference } from '../preferences-contract.ts'
import { isUndecided } from './notification-rows.ts'
import { preferenceOf, quietFor } from './preferences.ts'
import { queuePush } from './send-push.job.ts'

export interface NewNotification {
  accountId: number
  /** Null if it is about the account itself. */
  merchantId: number | null
  profileId?: number | null
  campaignId?: number | null
  kind: NotificationKind
  /** Its values are written as the user does. */
  title: ReaderText
  body: ReaderText
  url: string
  /** What it is about, at most 32 characters of base64url: the topic of the push. */
  cause: string
  /** Identifies one event of the cause. */
  occasion: string
  evidence?: readonly (Omit<Evidence, 'value'> & { value: number | ReaderText })[]
  stakeMicros?: number | null
  currency?: string | null
  actions?: readonly NotificationAction[]
  actionDetail?: string | undefined
  proposed?: AppNotification['proposed'] | undefined
  /** How far it has come, in the unit of the kind's threshold; absent where it has none. */
  measure?: number | undefined
}

/** How long a push has to reach a device before the notification is mailed instead. */
const mailInsteadMs = 10 * 60_000

/**
 * Notifies a user within the caller's transaction (not a tenant's): with a row, a push to each of their browsers and a mail,
 * as its kind says. While a notification of the same cause waits for a decision, a new occasion takes its place and is
 * pushed again; the same one only changes what it says. An occasion that was decided or is over changes nothing.
 */
export async function notify(services: Services, tx: Db, news: NewNotification): Promise<void> {
  const { accountId, merchantId, cause, occasion } = news
  const now = services.clock.now()
  const found = await tx
    .selectFrom('notification')
    .select(['id', 'occasion', 'snoozed_until as snoozedUntil', isUndecided('notification').as('isOpen')])
    .where('account_id', '=', accountId)
    .where('merchant_id', 'is not distinct from', merchantId)
    .where('cause', '=', cause)
    .where(where => where.or([isUndecided('notification'), where('occasion', '=', occasion)]))
    .orderBy('id')
    .forUpdate()
    .execute()
  const open = found.find(row => row.isOpen)
  const isOld = found.some(row => row.occasion === occasion)
  if (isOld && !open) return
  const preference = await preferenceOf(tx, accountId, news.kind)
  const isBelow = preference.threshold !== null && news.measure !== undefined && news.measure < preference.threshold
  if (isBelow && !open) return
  if (!preference.inApp && !preference.push && preference.email === 'NEVER') return
  const quiet = await quietFor(tx, accountId, preference, now)
  const id = await save(tx, news, { preference, quiet, openId: open?.id ?? null, isOld, now })
  if (id === null) return
  await announceChange(services, tx, [accountId])
  const isSnoozed = open?.snoozedUntil != null && open.snoozedUntil > now
  if (preference.push && !isOld && !isSnoozed) await push(services, tx, accountId, id)
}

interface Saving {
  preference: KindPreference
  /** When the user's quiet hours end, null outside of them. */
  quiet: Date | null
  openId: number | null
  isOld: boolean
  now: Date
}

/** Writes the row, or into the one that is open; null where another transaction was faster. */
async function save(
  tx: Db,
  news: NewNotification,
  { preference, quiet, openId, isOld, now }: Saving,
): Promise<number | null> {
  const region = await regionOf(tx, news.accountId)
  const evidence = (news.evidence ?? []).map(line => ({
    ...line,
    value: typeof line.value === 'number' ? line.value : writeText(line.value, region),
  }))
  const content = {
    kind: news.kind,
    title: writeText(news.title, region),
    body: writeText(news.body, region),
    url: news.url,
    profile_id: news.profileId ?? null,
    campaign_id: news.campaignId ?? null,
    evidence: JSON.stringify(evidence),
    stake_micros: news.stakeMicros ?? null,
    currency: news.currency ?? null,
    actions: [...(news.actions ?? [])],
    action_detail: news.actionDetail ?? null,
    proposed: news.proposed ? JSON.stringify(news.proposed) : null,
  }
  const mailAfterMs = { NEVER: null, INSTEAD: preference.push ? mailInsteadMs : 0, ALWAYS: 0 }[preference.email]
  // What takes the place of a push waits as long as it does.
  const pushedFrom = quiet ?? now
  const mailFrom = preference.email === 'INSTEAD' ? pushedFrom : now
  const event = {
    occasion: news.occasion,
    created_at: now,
    read_at: null,
    is_listed: preference.inApp,
    push_until: new Date(pushedFrom.getTime() + kinds[news.kind].pushForMs),
    mail_at: mailAfterMs === null ? null : new Date(mailFrom.getTime() + mailAfterMs),
  }
  if (openId !== null) {
    const changes = isOld ? content : { ...content, ...event }
    await tx.updateTable('notification').set(changes).where('id', '=', openId).execute()
    return openId
  }
  const row = await tx
    .insertInto('notification')
    .values({ account_id: news.accountId, merchant_id: news.merchantId, cause: news.cause, ...content, ...event })
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

/** Sends a notification, again if it was sent before, to each of the user's browsers. */
export async function push(services: Services, tx: Db, accountId: number, notificationId: number): Promise<void> {
  if (!services.integrations.webPush.current) return
  const browsers = await tx
    .selectFrom('push_subscription')
    .select('id')
    .where('account_id', '=', accountId)
    .where(isSessionActive('push_subscription.session_id', services.clock.now()))
    .execute()
  const pending = { state: 'PENDING' as const, attempts: 0, last_error: null, settled_at: null }
  for (const { id: subscriptionId } of browsers) {
    await tx
      .insertInto('push_delivery')
      .values({ notification_id: notificationId, subscription_id: subscriptionId, ...pending })
      .onConflict(conflict => conflict.columns(['notification_id', 'subscription_id']).doUpdateSet(pending))
      .execute()
    await queuePush(services.jobs, tx, { notificationId, subscriptionId })
  }
}

/** Tells the screens of these users to read their notifications again. */
export async function announceChange(
  { events }: Pick<Services, 'events'>,
  tx: Db,
  accountIds: readonly number[],
): Promise<void> {
  if (accountIds.length) await events.publish(tx, [...new Set(accountIds)], 'notifications', {})
}

/** Settles what is open of a cause that is over, for everybody; of all users but one where that one decided it. */
export function settleCause(
  services: Services,
  tx: Db,
  { merchantId, cause, exceptId = 0 }: { merchantId: number; cause: string; exceptId?: number },
  at: Date,
): Promise<void> {
  return settle(services, tx, sql<boolean>`merchant_id = ${merchantId} and cause = ${cause} and id <> ${exceptId}`, at)
}

/** Settles what is open of a kind about an account itself, except these causes. */
export function settleOthers(
  services: Services,
  tx: Db,
  { accountId, kind, exceptCauses }: { accountId: number; kind: NotificationKind; exceptCauses: readonly string[] },
  at: Date,
): Promise<void> {
  const others = sql<boolean>`account_id = ${accountId} and merchant_id is null and kind = ${kind}
    and cause <> all(${[...exceptCauses]}::text[])`
  return settle(services, tx, others, at)
}

async function settle(services: Services, tx: Db, which: RawBuilder<boolean>, at: Date): Promise<void> {
  const changes: Partial<Row<'notification'>> = { settled_at: at, snoozed_until: null, mail_at: null }
  // Locked in one order first, so that two causes of settling never wait for each other's rows.
  const open = tx
    .selectFrom('notification')
    .select('id')
    .where(which)
    .where(isUndecided('notification'))
    .orderBy('id')
    .forUpdate()
  const settled = await tx
    .updateTable('notification')
    .set(changes)
    .where('id', 'in', open)
    .where(isUndecided('notification'))
    .returning('account_id')
    .execute()
  await announceChange(
    services,
    tx,
    settled.map(row => row.account_id),
  )
}
