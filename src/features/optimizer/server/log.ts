import { type RawBuilder, sql } from 'kysely'
import type { EndpointOutput, EndpointParsed } from '#shared/define-endpoint.ts'
import { AppError } from '#shared/errors.ts'
import { fromMicros } from '#shared/money.ts'
import { pageInfo } from '#shared/query-schemas.ts'
import { dayIn } from '#shared/time.ts'
import { type Profile, readAccount } from '#features/accounts/server/public.ts'
import { accountNames } from '#features/auth/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { logEndpoints, LogRow } from '../contract.ts'
import type { Explained } from '../decision-text.ts'
import type { Receipt } from '../proof/receipts.ts'
import { decisionColumns, isChange, type StoredDecision } from './decisions.ts'

type Query = EndpointParsed<typeof logEndpoints.list>['query']

interface ListedDecision extends StoredDecision {
  groupName: string
  groupState: string
  groupSize: number
  entityName: string | null
  matchType: string | null
  adGroupName: string | null
  campaignName: string | null
  isNewest: boolean
  pin: { id: number; until: string } | null
  receipt: Receipt | null
}

/** What an adGroup's decision is about: the search of its negative or new target. */
const termOf = sql`case d.kind when 'negative' then d.after #>> '{}' when 'harvest' then d.before #>> '{}' else '' end`

const listedFrom = ({ merchantId, profileId }: Profile, today: string, filters: readonly RawBuilder<unknown>[]) => sql`
  from optimizer_decision d
  join optimizer_group g on g.merchant_id = d.merchant_id and g.id = d.group_id
  left join target t on d.entity = 'target' and t.merchant_id = d.merchant_id and t.id = d.entity_id
  left join ad_group a on a.merchant_id = d.merchant_id
    and a.id = case d.entity when 'adGroup' then d.entity_id when 'target' then t.ad_group_id end
  left join campaign c on c.merchant_id = d.merchant_id and c.id = d.campaign_id
  left join lateral (select jsonb_build_object('id', p.id, 'until', p.until_day) as pin from optimizer_pin p
    where p.merchant_id = ${merchantId} and p.group_id = d.group_id and p.entity = d.entity and p.entity_id = d.entity_id
      and p.term in ('', ${termOf}) and (p.term <> '' or d.entity <> 'adGroup') and p.ended_at is null and p.until_day > ${today}
    order by p.until_day desc limit 1) p on true
  where ${sql.join([sql`d.merchant_id = ${merchantId} and d.profile_id = ${profileId}`, ...filters], sql` and `)}`

const listedColumns = (
  merchantId: number,
) => sql`${decisionColumns}, d.receipt, g.name as "groupName", g.state as "groupState",
  (select count(*)::int from optimizer_decision o where o.merchant_id = ${merchantId} and o.group_id = d.group_id
    and o.decision_group = d.decision_group) as "groupSize",
  t.text as "entityName", t.match_type as "matchType", a.name as "adGroupName", c.name as "campaignName", p.pin,
  not exists (select from optimizer_decision o where o.merchant_id = ${merchantId} and o.group_id = d.group_id
    and o.entity = d.entity and o.entity_id = d.entity_id and o.id > d.id and o.kind = d.kind
    and o.kind not in ('negative', 'harvest') and o.state in ('QUEUED', 'SENT', 'CONFIRMED')) as "isNewest"`

/** What was decided in the current account, the latest first. */
export function listLog(ctx: Ctx, query: Query): Promise<EndpointOutput<typeof logEndpoints.list>> {
  const { page, size, campaignId, groupId, kind, state, dateFrom, dateTo } = query
  const filters = [
    ...(campaignId === undefined ? [] : [sql`d.campaign_id = ${campaignId}`]),
    ...(groupId === undefined ? [] : [sql`d.group_id = ${groupId}`]),
    ...(kind === undefined ? [] : [sql`d.kind = ${kind}`]),
    ...(state === undefined ? [] : [sql`d.state = ${state}`]),
    ...(dateFrom === undefined ? [] : [sql`d.day >= ${dateFrom}`]),
    ...(dateTo === undefined ? [] : [sql`d.day <= ${dateTo}`]),
  ]
  return readAccount(ctx, async (tx, profile) => {
    const today = dayIn(ctx.clock.now(), profile.timezone)
    const counted = await sql<{ total: number }>`select count(*)::float8 as total from optimizer_decision d
      where ${sql.join([sql`d.merchant_id = ${profile.merchantId} and d.profile_id = ${profile.profileId}`, ...filters], sql` and `)}`.execute(
      tx,
    )
    const content = await readRows(
      tx,
      profile,
      today,
      filters,
      sql`order by d.id desc limit ${size} offset ${page * size}`,
    )
    return { content, page: pageInfo(page, size, counted.rows[0]?.total ?? 0) }
  })
}

/** One decision of the current account. Throws NOT_FOUND. */
export function getLogRow(ctx: Ctx, id: number): Promise<LogRow> {
  return readAccount(ctx, (tx, profile) => logRowOf(tx, profile, id, ctx.clock.now()))
}

/** The same within a transaction. */
export async function logRowOf(tx: Db, profile: Profile, id: number, now: Date): Promise<LogRow> {
  const [row] = await readRows(tx, profile, dayIn(now, profile.timezone), [sql`d.id = ${id}`], sql``)
  if (!row) throw noDecision()
  return row
}
export const noDecision = () => new AppError('NOT_FOUND', 'There is no such decision.')

async function readRows(
  tx: Db,
  profile: Profile,
  today: string,
  filters: readonly RawBuilder<unknown>[],
  end: RawBuilder<unknown>,
): Promise<LogRow[]> {
  const { rows } =
    await sql<ListedDecision>`select ${listedColumns(profile.merchantId)} ${listedFrom(profile, today, filters)} ${end}`.execute(
      tx,
    )
  const names = await accountNames(
    tx,
    rows.flatMap(row => row.accountId ?? []),
  )
  return rows.map(row =>
    present(row, profile.currency, row.accountId === null ? null : (names.get(row.accountId) ?? null)),
  )
}

const percent = (share: number): number => share * 100
const mapped = <T, V>(value: T | undefined, convert: (value: T) => V): V | undefined =>
  value === undefined ? undefined : convert(value)

type Reasoned = Pick<StoredDecision, 'kind' | 'cause' | 'entity' | 'before' | 'after' | 'evidence' | 'forecast'>

/** What the words of a decision are made of. */
export function explained(
  { evidence, forecast, ...row }: Reasoned,
  currency: string,
): Explained & Pick<LogRow, 'unit'> {
  return {
    kind: row.kind,
    cause: row.cause,
    ...presentValues(row),
    currency,
    evidence: withoutUndefined({
      ...pick(evidence, ['clicks', 'orders', 'effectiveClicks', 'rate', 'parentRate', 'multiplier', 'moneyFactor']),
      cost: mapped(evidence.costMicros, fromMicros),
      sales: mapped(evidence.salesMicros, fromMicros),
      band: mapped(evidence.band, ([low, high]) => ({ low, high })),
      worth: mapped(evidence.worthMicros, fromMicros),
      order: mapped(evidence.orderMicros, fromMicros),
      margin: mapped(evidence.margin, value => (value === null ? null : percent(value))),
      worstClick: mapped(evidence.worstClickMicros, fromMicros),
      cap: evidence.cap,
      forecastAcos: mapped(evidence.forecastAcos, value => (value === null ? null : percent(value))),
      targetAcos: mapped(evidence.targetAcos, percent),
      certainty: mapped(evidence.certainty, percent),
      coverDays: evidence.coverDays,
      brokeOn: evidence.brokeOn,
      stayed: evidence.stayed,
      rules: evidence.rules && [...evidence.rules],
    }),
    forecast: forecast && {
      clicks: forecast.clicks,
      cost: fromMicros(forecast.costMicros),
      orders: forecast.orders,
      acos: forecast.acos === null ? null : percent(forecast.acos),
    },
  }
}

function present(row: ListedDecision, currency: string, by: string | null): LogRow {
  const entityName = row.entityName ?? (row.entity === 'adGroup' ? row.adGroupName : row.campaignName)
  return {
    id: row.id,
    groupId: row.groupId,
    groupName: row.groupName,
    decisionGroup: row.decisionGroup,
    decisionGroupSize: row.groupSize,
    at: row.at.toISOString(),
    day: row.day,
    entity: {
      type: row.entity,
      id: row.entityId,
      name: row.entity === 'group' ? row.groupName : (entityName ?? ''),
      matchType: row.matchType,
      adGroupName: row.adGroupName,
      campaignId: row.campaignId,
      campaignName: row.campaignName,
    },
    ...explained(row, currency),
    asks: row.asks,
    state: row.state,
    answer: row.answer,
    sentAt: row.sentAt?.toISOString() ?? null,
    confirmedAt: isChange(row) ? (row.confirmedAt?.toISOString() ?? null) : null,
    receipt: row.receipt && presentReceipt(row.receipt),
    atStake: atStakeOf(row),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    settled: row.settledAt && { at: row.settledAt.toISOString(), by, reason: row.reason },
    undo: undoOf(row),
    canRedo: row.groupState === 'RUNNING' && (row.state === 'UNDONE' || (row.state === 'FAILED' && row.isNewest)),
    pin: row.pin,
    changeGroup: row.changeGroup,
    engineVersion: row.engineVersion,
  }
}

/** Orders of one keyword are too few to be held against their band. */
const presentReceipt = ({ verdict, from, to, figures }: Receipt): LogRow['receipt'] => ({
  dateFrom: from,
  dateTo: to,
  verdict,
  figures: figures.flatMap(({ figure, low, high, actual }) => {
    if (figure === 'ORDERS') return []
    const convert = (value: number) => (figure === 'CPC' ? fromMicros(value) : value)
    return [{ figure, low: convert(low), high: convert(high), actual: actual === null ? null : convert(actual) }]
  }),
})

function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Partial<Pick<T, K>> {
  const found: Partial<Pick<T, K>> = {}
  for (const key of keys) if (from[key] !== undefined) found[key] = from[key]
  return found
}
// An absent figure is missing in the answer, not null.
const withoutUndefined = <T extends object>(all: T) =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }

/** The values in the units that the answer names. */
export function presentValues({
  kind,
  entity,
  before,
  after,
}: Pick<StoredDecision, 'kind' | 'entity' | 'before' | 'after'>): Pick<LogRow, 'unit' | 'before' | 'after'> {
  if (entity === 'group' && kind !== 'hours') return { unit: null, before: null, after: null }
  const unit =
    kind === 'placement' || kind === 'hours' ? 'PERCENT' : kind === 'negative' || kind === 'strategy' ? 'TEXT' : 'MONEY'
  const convert = (value: number | string | null) =>
    typeof value === 'number' ? (unit === 'PERCENT' ? Math.round(value * 100) : fromMicros(value)) : value
  return { unit, before: convert(before), after: convert(after) }
}

/** Days of which a search's figures are summed. */
const termDays = 60
/** How a day's spend follows a bid: clicks and their price, each by 0.7. */
const spendElasticity = 1.4

function atStakeOf({ kind, before, after, evidence, forecast }: StoredDecision): number | null {
  if (kind === 'budget' && typeof before === 'number' && typeof after === 'number')
    return fromMicros(Math.abs(after - before))
  if (kind === 'negative' && evidence.costMicros !== undefined)
    return fromMicros(Math.round(evidence.costMicros / termDays))
  if (forecast && typeof before === 'number' && typeof after === 'number' && after > 0)
    return fromMicros(Math.round(forecast.costMicros * Math.abs(1 - (before / after) ** spendElasticity)))
  return null
}

function undoOf(row: ListedDecision): LogRow['undo'] {
  const not = (reason: NonNullable<LogRow['undo']['reason']>) => ({ isPossible: false, reason })
  if (!isChange(row)) return not('NOTHING_CHANGED')
  if (row.state === 'UNDONE') return not('UNDONE')
  if (row.state !== 'SENT' && row.state !== 'CONFIRMED') return not('NOTHING_SENT')
  return row.isNewest ? { isPossible: true, reason: null } : not('NOT_NEWEST')
}
