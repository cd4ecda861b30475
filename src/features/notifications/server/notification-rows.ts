import { type RawBuilder, sql } from 'kysely'
import { anyOf, merchantNames, ownedMerchants } from '#features/accounts/server/public.ts'
import { currentRates } from '#features/exchange-rates/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db, Row } from '#server/db/tables.ts'
import { AppError } from '#shared/errors.ts'
import { fromMicros } from '#shared/money.ts'
import { pageInfo } from '#shared/query-schemas.ts'
import {
  type AppNotification,
  type Evidence,
  kinds,
  type NotificationAction,
  type NotificationKind,
  notificationKinds,
} from '../contract.ts'

const decisionKinds = notificationKinds.filter(kind => kinds[kind].isDecision)

/** For a condition: it is for a decision that nobody made, and its cause is not over. It may be snoozed. */
export const isUndecided = (alias: string): RawBuilder<boolean> => {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql<boolean>`(${column('decision')} is null and ${column('settled_at')} is null
    and ${column('kind')} = any(${decisionKinds}::text[]))`
}

/** For a condition: it waits for a decision now. */
export const isOpen = (alias: string, now: Date): RawBuilder<boolean> =>
  sql<boolean>`(${isUndecided(alias)} and coalesce(${sql.ref(`${alias}.snoozed_until`)} <= ${now}, true))`

/** Who looks: what they see of an account's notifications are those of its own and of the merchants it belongs to. */
export type Viewer = Pick<Ctx['actor'], 'accountId' | 'merchantIds'>

/** For a condition: the viewer may see the notification `n`. */
export const isVisible = ({ accountId, merchantIds }: Viewer): RawBuilder<boolean> =>
  sql<boolean>`(n.account_id = ${accountId} and (n.merchant_id is null or n.merchant_id = any(${[...merchantIds]}::bigint[])))`

/** Unread ones, and those that wait for a decision: the badge. */
export async function countsOf(db: Db, viewer: Viewer, now: Date): Promise<{ unreadCount: number; openCount: number }> {
  const { rows } = await sql<{ unreadCount: number; openCount: number }>`
    select count(*) filter (where n.read_at is null)::int as "unreadCount",
      count(*) filter (where ${isOpen('n', now)})::int as "openCount"
    from notification n where ${isVisible(viewer)} and n.is_listed and (n.read_at is null or n.decision is null and n.settled_at is null)`.execute(
    db,
  )
  return rows[0] ?? { unreadCount: 0, openCount: 0 }
}

interface Named extends Row<'notification'> {
  merchantName: string | undefined
  marketplaceId: number | undefined
  campaignName: string | undefined
  /** Whether the viewer may change the merchant's campaigns. */
  isOwner: boolean
  total: number
}

const dismissWords: Record<string, string> = {
  EXPECTED: 'Dismissed: expected',
  NOT_IMPORTANT: 'Dismissed: not important',
  WRONG: 'Dismissed: wrong',
  LATER_MYSELF: 'Dismissed: done elsewhere',
}

type StatusColumns = Pick<Row<'notification'>, 'kind' | 'decision' | 'settled_at' | 'snoozed_until'>

/** What a notification waits for. */
export function statusOf(row: StatusColumns, now: Date): AppNotification['status'] {
  if (!kinds[row.kind].isDecision) return 'NEWS'
  if (row.decision) return row.decision
  if (row.settled_at) return 'SETTLED'
  return row.snoozed_until && row.snoozed_until > now ? 'SNOOZED' : 'OPEN'
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

function toAnswer(row: Named, now: Date, offered: ReadonlySet<string>): AppNotification {
  const status = statusOf(row, now)
  const isDone = status === 'DONE'
  return {
    id: row.id,
    kind: row.kind satisfies NotificationKind,
    title: row.title,
    body: row.body,
    url: row.url,
    createdAt: row.created_at.toISOString(),
    readAt: iso(row.read_at),
    merchant:
      row.merchant_id === null || row.merchantName === undefined
        ? null
        : { id: row.merchant_id, name: row.merchantName, marketplaceId: row.marketplaceId ?? null },
    campaign:
      row.campaign_id === null || row.campaignName === undefined
        ? null
        : { id: row.campaign_id, name: row.campaignName },
    evidence: row.evidence as Evidence[],
    stake:
      row.stake_micros === null || row.currency === null
        ? null
        : { amount: fromMicros(row.stake_micros), currency: row.currency },
    actions: row.isOwner ? (row.actions.filter(action => offered.has(action)) as NotificationAction[]) : [],
    proposed: row.proposed as AppNotification['proposed'],
    status,
    snoozedUntil: status === 'SNOOZED' ? iso(row.snoozed_until) : null,
    decidedAt: iso(row.decided_at),
    decision: isDone ? row.answer : status === 'DISMISSED' ? (dismissWords[row.decision_detail ?? ''] ?? null) : null,
    canUndo: status === 'SNOOZED' || status === 'DISMISSED' || (isDone && row.change_group !== null && row.isOwner),
  }
}

interface Choice {
  id?: number
  unread?: boolean
  open?: boolean
  page: number
  size: number
}

async function readRows(ctx: Ctx, { id, unread, open, page, size }: Choice, now: Date): Promise<Named[]> {
  const { accountId, merchantIds } = ctx.actor
  const mayChange = ctx.actor.authorities.includes('ACCOUNT_MANAGER')
    ? await ownedMerchants(ctx.db.system, accountId)
    : []
  return ctx.db.reading(merchantIds, async tx => {
    const { perEuro } = await currentRates(tx)
    const order = open
      ? sql`n.stake_micros / (${JSON.stringify(perEuro)}::jsonb ->> n.currency)::float8 desc nulls last, n.created_at desc, n.id desc`
      : sql`n.created_at desc, n.id desc`
    const chosen = [
      isVisible(ctx.actor),
      // A push may open what its user wants in no list.
      id === undefined ? sql`n.is_listed` : sql`n.id = ${id}`,
      ...(unread ? [sql`n.read_at is null`] : []),
      ...(open ? [isOpen('n', now)] : []),
    ]
    const { rows } = await sql<Row<'notification'> & { isOwner: boolean; total: number }>`
      select n.*, coalesce(n.merchant_id = any(${mayChange}::bigint[]), false) as "isOwner", count(*) over ()::int as total
      from notification n where ${sql.join(chosen, sql` and `)} order by ${order} limit ${size} offset ${page * size}`.execute(
      tx,
    )
    return withNames(tx, rows)
  })
}

/** With the names of what they are about, which is on other servers than they are. */
async function withNames<R extends Row<'notification'>>(tx: Db, rows: readonly R[]) {
  const idsOf = (column: 'merchant_id' | 'profile_id' | 'campaign_id') => [
    ...new Set(rows.map(row => row[column]).filter(id => id !== null)),
  ]
  const merchantIds = idsOf('merchant_id')
  const [merchants, profiles, campaigns] = await Promise.all([
    merchantNames(tx, merchantIds),
    tx
      .selectFrom('ads_profile')
      .select(['merchant_id', 'id', 'marketplace_id as value'])
      .where('merchant_id', '=', anyOf(merchantIds))
      .where('id', '=', anyOf(idsOf('profile_id')))
      .execute(),
    tx
      .selectFrom('campaign')
      .select(['merchant_id', 'id', 'name as value'])
      .where('merchant_id', '=', anyOf(merchantIds))
      .where('id', '=', anyOf(idsOf('campaign_id')))
      .execute(),
  ])
  const keyOf = (merchantId: number | null, id: number | null) => `${merchantId}/${id}`
  const marketplaces = new Map(profiles.map(one => [keyOf(one.merchant_id, one.id), one.value]))
  const campaignNames = new Map(campaigns.map(one => [keyOf(one.merchant_id, one.id), one.value]))
  return rows.map(row => ({
    ...row,
    merchantName: merchants.get(row.merchant_id),
    marketplaceId: marketplaces.get(keyOf(row.merchant_id, row.profile_id)),
    campaignName: campaignNames.get(keyOf(row.merchant_id, row.campaign_id)),
  }))
}

/** A page of the user's notifications, with counts. */
export async function listNotifications(ctx: Ctx, choice: Choice, offered: ReadonlySet<string>) {
  const now = ctx.clock.now()
  const [rows, counts] = await Promise.all([readRows(ctx, choice, now), countsOf(ctx.db.system, ctx.actor, now)])
  const { page, size } = choice
  // A page beyond the last does not say how many there are.
  const total =
    rows[0]?.total ?? (page > 0 ? ((await readRows(ctx, { ...choice, page: 0, size: 1 }, now))[0]?.total ?? 0) : 0)
  return {
    content: rows.map(row => toAnswer(row, now, offered)),
    page: pageInfo(page, size, total),
    ...counts,
  }
}

/** One notification of the user. Throws NOT_FOUND. */
export async function readNotification(ctx: Ctx, id: number, offered: ReadonlySet<string>): Promise<AppNotification> {
  const now = ctx.clock.now()
  const [row] = await readRows(ctx, { id, page: 0, size: 1 }, now)
  if (!row) throw noSuch()
  return toAnswer(row, now, offered)
}

export const noSuch = (): AppError => new AppError('NOT_FOUND', 'There is no such notification.')

/** The row of a notification of the user. Throws NOT_FOUND. */
export async function readNotificationRow(
  tx: Db,
  viewer: Viewer,
  id: number,
  lock: RawBuilder<unknown> = sql``,
): Promise<Row<'notification'>> {
  const { rows } = await sql<Row<'notification'>>`
    select n.* from notification n where n.id = ${id} and ${isVisible(viewer)} ${lock}`.execute(tx)
  const [row] = rows
  if (!row) throw noSuch()
  return row
}

/** The same, locked until the transaction ends. */
export const lockNotification = (tx: Db, viewer: Viewer, id: number): Promise<Row<'notification'>> =>
  readNotificationRow(tx, viewer, id, sql`for update`)
