import { type RawBuilder, sql } from 'kysely'
import type { Field } from '#shared/fields.ts'
import type { Predicate } from '#integrations/amazon-ads/index.ts'
import type { Db } from '#server/db/tables.ts'
import { entities, type EntityName } from '../../contract.ts'
import { fieldsOf, type Owner, tableOf } from './entity-sql.ts'

// Rows that wait for the marketplace. Those made here have no id there yet: theirs is `new:` and a random one.

/** What one push job is about: the rows of one entity, by account and ad type. */
export interface PushKey extends Owner {
  adType: string
}

/** A field whose edits are sent to the marketplace. */
type PushedField = Field & { port: string }

/** The fields whose edits are sent to the marketplace, by name. */
export const pushedFields = (entity: EntityName): [name: string, field: PushedField][] =>
  fieldsOf(entity).flatMap(([name, field]) =>
    field.edit && field.port ? [[name, { ...field, port: field.port }] as [string, PushedField]] : [],
  )

/** Their columns: what `base` keeps, and what a rejected edit gives back. */
export function pushedColumns(entity: EntityName): string[] {
  return [...new Set(pushedFields(entity).flatMap(([, { column, part }]) => (part ? [column, part.column] : [column])))]
}

/** The pushed columns of a row `t`, by name. What is set to them stands in a subquery: an UPDATE takes no such function by itself. */
export const pushedValues = (entity: EntityName): RawBuilder<unknown> =>
  sql`jsonb_build_object(${sql.join(pushedColumns(entity).map(column => sql`${sql.lit(column)}, ${sql.ref(`t.${column}`)}`))})`

/** That a row `t` was made here and has no id at the marketplace yet. */
export const isNewRow = sql`t.amazon_id like 'new:%'`
/** The same of a row that was read. */
export const isNew = ({ amazonId }: { amazonId: string }): boolean => amazonId.startsWith('new:')

/** What a keyword, target or negative of either list says, as one text: equal ones are the same to the marketplace. */
export const clauseKey = (list: 't' | 'u'): RawBuilder<unknown> => {
  const name = (column: string) => sql.ref(`${list}.${column}`)
  return sql`(case when ${name('kind')} = 'KEYWORD' then ${name('match_type')} || ' ' || lower(${name('text')})
    else ${name('expression')}::jsonb::text end)`
}

type Values = Record<string, unknown>

/** Why a new negative waits although nothing keeps it from being sent: for its keyword. */
type KeywordState = 'PENDING' | 'FAILED' | 'THERE' | 'MISSING'

export interface PendingRow {
  id: number
  amazonId: string
  /** Our id of its campaign, or its own. */
  campaignId: number
  campaignAmazonId: string
  adGroupAmazonId: string | null
  kind: string | null
  text: string | null
  matchType: string | null
  expression: Predicate[] | null
  version: number
  editedAt: Date
  /** The pushed columns as the user wants them. */
  requested: Values
  /**
   * The same as the marketplace last had them. `sent` names those that were sent without a clear answer, `sentAt` since
   * when; `after` the keyword that must be accepted before this row may be sent.
   */
  base: Values & { sent?: string[]; sentAt?: string; after?: number }
  /** How far that keyword is; null for rows that wait for none. */
  keywordState: KeywordState | null
}

const hasClause = (entity: EntityName): boolean => entity === 'target' || entity === 'negative'

/** The next rows that wait, by id, at most `limit`. */
export async function readPendingRows(
  db: Db,
  entity: EntityName,
  { merchantId, profileId, adType }: PushKey,
  afterId: number,
  limit: number,
): Promise<PendingRow[]> {
  const isInGroup = entities[entity].parent === 'adGroup' || entity === 'negative'
  const campaignId = entity === 'campaign' ? sql`t.id` : sql`t.campaign_id`
  const group = isInGroup ? sql`left join ad_group g on g.merchant_id = t.merchant_id and g.id = t.ad_group_id` : sql``
  const clause = hasClause(entity)
    ? sql`t.kind, t.text, t.match_type as "matchType", t.expression`
    : sql`null as kind, null as text, null as "matchType", null as expression`
  const keywordState =
    entity === 'negative'
      ? sql`case when t.base ->> 'after' is not null then coalesce((
          select case when k.amazon_id not like 'new:%' then 'THERE' else k.sync_state end from target k
          where k.merchant_id = ${merchantId} and k.id = (t.base ->> 'after')::bigint), 'MISSING') end`
      : sql`null`
  const { rows } = await sql<PendingRow>`
    select t.id, t.amazon_id as "amazonId", c.id as "campaignId", c.amazon_id as "campaignAmazonId",
      ${isInGroup ? sql`g.amazon_id` : sql`null`} as "adGroupAmazonId", ${clause}, t.version, t.updated_at as "editedAt",
      ${pushedValues(entity)} as requested, ${pushedValues(entity)} || coalesce(t.base, '{}'::jsonb) as base, ${keywordState} as "keywordState"
    from ${tableOf(entity)} t join campaign c on c.merchant_id = t.merchant_id and c.id = ${campaignId} ${group}
    where t.merchant_id = ${merchantId} and t.profile_id = ${profileId} and t.sync_state = 'PENDING'
      and c.ad_type = ${adType} and t.id > ${afterId} order by t.id limit ${limit}`.execute(db)
  return rows
}

const column = <T, V>(rows: readonly T[], read: (row: T) => V): V[] => rows.map(read)
const isPendingOf = (merchantId: number): RawBuilder<unknown> =>
  sql`t.merchant_id = ${merchantId} and t.id = u.id and t.sync_state = 'PENDING'`

/** Notes which columns of which rows are about to be sent, so that they are sent again should the answer be lost. */
export async function noteSent(
  tx: Db,
  entity: EntityName,
  merchantId: number,
  rows: readonly { id: number; version: number; columns: readonly string[] }[],
  at: Date,
): Promise<void> {
  await sql`update ${tableOf(entity)} t set base = (select ${pushedValues(entity)} || coalesce(t.base, '{}'::jsonb)
      || jsonb_build_object('sent', u.columns::jsonb, 'sentAt', coalesce(t.base ->> 'sentAt', ${at.toISOString()}),
        'sentVersion', case when coalesce((t.base ->> 'sentVersion')::int, u.version) = u.version then u.version else -1 end))
    from unnest(${column(rows, row => row.id)}::bigint[], ${column(rows, row => row.version)}::int[],
      ${column(rows, row => JSON.stringify(row.columns))}::text[]) as u(id, version, columns)
    where ${isPendingOf(merchantId)}`.execute(tx)
}

export interface AcceptedRow extends Pick<PendingRow, 'id' | 'version' | 'requested'> {
  /** The marketplace's id of a new row. */
  newAmazonId?: string | undefined
}

/**
 * The marketplace accepted the rows as they were in their `version`. One that was edited again since continues to wait,
 * with the accepted values as its new base. A new row that an import has mirrored meanwhile gives way to the mirrored one.
 */
export async function settleAccepted(
  tx: Db,
  entity: EntityName,
  { merchantId, profileId }: Owner,
  rows: readonly AcceptedRow[],
  at: Date,
): Promise<void> {
  const created = rows.filter(row => row.newAmazonId !== undefined)
  if (created.length)
    await sql`delete from ${tableOf(entity)} t
      using unnest(${column(created, row => row.id)}::bigint[], ${column(created, row => row.newAmazonId)}::text[]) as u(id, amazon_id)
      where t.merchant_id = ${merchantId} and t.id = u.id and exists (
        select 1 from ${tableOf(entity)} o where o.merchant_id = ${merchantId} and o.profile_id = ${profileId}
          and o.amazon_id = u.amazon_id and o.id <> u.id)`.execute(tx)
  await sql`update ${tableOf(entity)} t set updated_at = ${at}, sync_error = null,
      amazon_id = coalesce(u.amazon_id, t.amazon_id),
      sync_state = case when t.version = u.version then 'SYNCED' else 'PENDING' end,
      base = case when t.version = u.version then null else u.requested::jsonb end
    from unnest(${column(rows, row => row.id)}::bigint[], ${column(rows, row => row.version)}::int[],
      ${column(rows, row => JSON.stringify(row.requested))}::text[], ${column(rows, row => row.newAmazonId ?? null)}::text[])
      as u(id, version, requested, amazon_id)
    where ${isPendingOf(merchantId)}`.execute(tx)
}

export interface RejectedRow extends Pick<PendingRow, 'id' | 'version'> {
  message: string
}

/**
 * The marketplace rejected the rows as they were in their `version`: they get their base back and say why. One that was
 * edited again since continues to wait. Returns the ids of those that it reverted.
 */
export async function settleRejected(
  tx: Db,
  entity: EntityName,
  merchantId: number,
  rows: readonly RejectedRow[],
  at: Date,
): Promise<Set<number>> {
  const table = tableOf(entity)
  const reverted = pushedColumns(entity).map(
    name =>
      sql`${sql.ref(name)} = (select case when t.base ? ${name} then (jsonb_populate_record(null::${table}, t.base)).${sql.ref(name)} else t.${sql.ref(name)} end)`,
  )
  return settleFailed(tx, entity, merchantId, rows, at, sql`${sql.join(reverted)}, base = null`)
}

/**
 * The marketplace did not take new rows: they stay as they are and say why, so that they can be removed or sent again.
 * What may have been created all the same is looked for before that. Returns the ids of those that it marked.
 */
export function settleNotCreated(
  tx: Db,
  entity: EntityName,
  merchantId: number,
  rows: readonly RejectedRow[],
  at: Date,
  isCertain: boolean,
): Promise<Set<number>> {
  const base = isCertain
    ? sql`base = (select case when t.base ? 'after' then jsonb_build_object('after', t.base -> 'after') end)`
    : sql`base = t.base`
  return settleFailed(tx, entity, merchantId, rows, at, base)
}

async function settleFailed(
  tx: Db,
  entity: EntityName,
  merchantId: number,
  rows: readonly RejectedRow[],
  at: Date,
  set: RawBuilder<unknown>,
): Promise<Set<number>> {
  const failed = await sql<{
    id: number
  }>`update ${tableOf(entity)} t set ${set}, sync_state = 'FAILED', sync_error = u.message,
      version = t.version + 1, updated_at = ${at}
    from unnest(${column(rows, row => row.id)}::bigint[], ${column(rows, row => row.version)}::int[],
      ${column(rows, row => row.message)}::text[]) as u(id, version, message)
    where ${isPendingOf(merchantId)} and t.version = u.version returning t.id`.execute(tx)
  return new Set(failed.rows.map(row => row.id))
}

/** Deletes new rows that never reached the marketplace; others stay. */
export async function removeNewRows(
  tx: Db,
  entity: EntityName,
  merchantId: number,
  ids: readonly number[],
): Promise<void> {
  await sql`delete from ${tableOf(entity)} t where t.merchant_id = ${merchantId} and t.id = any(${ids}::bigint[]) and ${isNewRow}`.execute(
    tx,
  )
}

/** The ad types of rows of an account. */
export async function adTypesOf(
  tx: Db,
  entity: EntityName,
  { merchantId, profileId }: Owner,
  ids: readonly number[],
): Promise<string[]> {
  const campaignId = entity === 'campaign' ? sql`t.id` : sql`t.campaign_id`
  const { rows } = await sql<{ adType: string }>`select distinct c.ad_type as "adType"
    from ${tableOf(entity)} t join campaign c on c.merchant_id = t.merchant_id and c.id = ${campaignId}
    where t.merchant_id = ${merchantId} and t.profile_id = ${profileId} and t.id = any(${ids}::bigint[])`.execute(tx)
  return rows.map(row => row.adType)
}

/** The new negatives that wait for keywords. */
export async function negativesAfter(tx: Db, merchantId: number, targetIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select t.id from negative t where t.merchant_id = ${merchantId}
    and t.sync_state = 'PENDING' and (t.base ->> 'after')::bigint = any(${targetIds}::bigint[])`.execute(tx)
  return rows.map(row => row.id)
}

/** Of all merchants: whose rows of an entity have waited since before a moment, at most `limit`. For jobs only. */
export async function readLongPending(db: Db, entity: EntityName, before: Date, limit: number): Promise<PushKey[]> {
  const campaignId = entity === 'campaign' ? sql`t.id` : sql`t.campaign_id`
  const { rows } = await sql<PushKey>`
    select distinct t.merchant_id as "merchantId", t.profile_id as "profileId", c.ad_type as "adType"
    from ${tableOf(entity)} t join campaign c on c.merchant_id = t.merchant_id and c.id = ${campaignId}
    where t.sync_state = 'PENDING' and t.updated_at < ${before} limit ${limit}`.execute(db)
  return rows
}
