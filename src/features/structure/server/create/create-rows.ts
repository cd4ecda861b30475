import { sql } from 'kysely'
import type { Micros } from '#shared/money.ts'
import { accountsOf } from '#features/accounts/server/public.ts'
import type { Predicate } from '#integrations/amazon-ads/index.ts'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { type ChangeOrigin, recordChanges } from '../changes/record-changes.ts'
import { sendChanges } from '../push/send-changes.ts'
import { type Owner, tableOf } from '../sql/entity-sql.ts'
import { addKeywordTexts } from '../sql/keyword-texts.ts'
import { clauseKey, isNewRow, removeNewRows } from '../sql/pending-rows.ts'
import { noteRecount } from '../sql/target-counts.ts'

/** A keyword, product target or negative to add. The caller has checked that its place is the account's. */
export interface NewRow {
  campaignId: number
  /** Null: a negative of the whole campaign. */
  adGroupId: number | null
  kind: 'KEYWORD' | 'PRODUCT'
  /** What people read: a keyword, or what a target aims at. */
  text: string
  matchType: string | null
  /** Of a target. */
  expression: readonly Predicate[] | null
  /** Absent or null: the ad group's default bid. */
  bidMicros?: Micros | null
  /** Of a negative: our id of the keyword or target that the marketplace must have accepted first. */
  after?: number
}

/** EXISTS: it was there already, and stays as it is. */
export interface CreatedRow {
  id: number
  state: string
  status: 'CREATED' | 'EXISTS'
}

interface CreateAct {
  origin: ChangeOrigin
  accountId: number | null
  groupId: string
  at: Date
}

type CreatedEntity = 'target' | 'negative'

/**
 * Adds keywords, targets or negatives, in the caller's transaction: seen at once as PENDING, in the ledger, and queued for
 * the marketplace. What it does not accept stays as FAILED and says why, until it is removed or sent again.
 * Answers what became of each, in their order.
 */
export async function createRows(
  services: Pick<Services, 'jobs' | 'events'>,
  tx: Db,
  owner: Owner,
  entity: CreatedEntity,
  rows: readonly NewRow[],
  act: CreateAct,
): Promise<CreatedRow[]> {
  if (!rows.length) return []
  const { merchantId } = owner
  const campaignIds = [...new Set(rows.map(row => row.campaignId))]
  // Two calls that add the same must not both find it missing.
  await sql`select 1 from campaign c where c.merchant_id = ${merchantId} and c.id = any(${campaignIds}::bigint[])
    order by c.id for update`.execute(tx)
  const existing = await findLike(tx, owner, entity, rows)
  const failed = [...existing.values()].flatMap(row => (row.isFailedNew ? [row.id] : []))
  await removeNewRows(tx, entity, merchantId, failed)
  const firsts = new Map<string, number>()
  for (const [i, row] of rows.entries()) if (!firsts.has(keyOf(row))) firsts.set(keyOf(row), i)
  const isThere = (i: number) => existing.get(i)?.isFailedNew === false
  const added = rows.filter((row, i) => firsts.get(keyOf(row)) === i && !isThere(i))
  const ids = await insertNew(tx, owner, entity, added, act.at)
  if (entity === 'target') await addKeywordTexts(tx, owner, ids)
  await noteRecount(tx, owner, entity, campaignIds)
  const idOf = new Map(added.map((row, i) => [keyOf(row), ids[i] as number]))
  await recordChanges(
    tx,
    owner,
    act,
    added.map((row, i) => {
      const { kind, text, matchType } = row
      const after = { kind, text, matchType }
      return { entity, entityId: ids[i] as number, campaignId: row.campaignId, field: null, before: null, after }
    }),
  )
  if (ids.length) await sendChanges(services, tx, owner, entity, ids)
  await services.events.publish(tx, await accountsOf(tx, merchantId), 'campaigns', {
    campaignIds: campaignIds.slice(0, 500),
  })
  return rows.map((row, i) => {
    const there = existing.get(i)
    if (there && isThere(i)) return { id: there.id, state: there.state, status: 'EXISTS' }
    return {
      id: idOf.get(keyOf(row)) as number,
      state: 'ENABLED',
      status: firsts.get(keyOf(row)) === i ? 'CREATED' : 'EXISTS',
    }
  })
}

const keyOf = ({ campaignId, adGroupId, text, matchType, expression }: NewRow): string =>
  JSON.stringify([campaignId, adGroupId, expression ?? [text.toLowerCase(), matchType]])

interface Like {
  id: number
  state: string
  /** The marketplace did not accept it; it can be added again. */
  isFailedNew: boolean
}

/** Which of the rows are there already, by their place in the list; archived ones do not count. */
export async function findLike(
  tx: Db,
  { merchantId, profileId }: Owner,
  entity: CreatedEntity,
  rows: readonly NewRow[],
): Promise<Map<number, Like>> {
  const all = <V>(read: (row: NewRow) => V) => rows.map(read)
  const found = await sql<Like & { place: number }>`
    select distinct on (u.place) (u.place - 1)::int as place, t.id, t.state,
      t.sync_state = 'FAILED' and ${isNewRow} as "isFailedNew"
    from unnest(${all(row => row.campaignId)}::bigint[], ${all(row => row.adGroupId)}::bigint[], ${all(row => row.kind)}::text[],
        ${all(row => row.text)}::text[], ${all(row => row.matchType)}::text[],
        ${all(row => row.expression && JSON.stringify(row.expression))}::text[])
      with ordinality as u(campaign_id, ad_group_id, kind, text, match_type, expression, place)
    join ${tableOf(entity)} t on t.merchant_id = ${merchantId} and t.profile_id = ${profileId}
      and t.campaign_id = u.campaign_id and t.ad_group_id is not distinct from u.ad_group_id and t.kind = u.kind
      and ${clauseKey('t')} = ${clauseKey('u')}
    where t.state <> 'ARCHIVED' and t.gone_at is null
    order by u.place, "isFailedNew", t.id`.execute(tx)
  return new Map(found.rows.map(row => [row.place, row]))
}

async function insertNew(
  tx: Db,
  { merchantId, profileId }: Owner,
  entity: CreatedEntity,
  rows: readonly NewRow[],
  at: Date,
): Promise<number[]> {
  if (!rows.length) return []
  const all = <V>(read: (row: NewRow) => V) => rows.map(read)
  const keys = rows.map(() => `new:${crypto.randomUUID()}`)
  const bid =
    entity === 'target' ? { column: sql`, bid_micros`, value: sql`, u.bid_micros` } : { column: sql``, value: sql`` }
  const inserted = await sql<{ id: number; key: string }>`
    insert into ${tableOf(entity)} (merchant_id, profile_id, ad_type, campaign_id, ad_group_id, amazon_id, kind, text, match_type, expression,
      state, sync_state, base, created_at, updated_at${bid.column})
    select ${merchantId}::bigint, ${profileId}::bigint, c.ad_type, u.campaign_id, u.ad_group_id, u.key, u.kind, u.text, u.match_type, u.expression::jsonb,
      'ENABLED', 'PENDING', case when u.after is not null then jsonb_build_object('after', u.after) end, ${at}::timestamptz,
      ${at}::timestamptz${bid.value}
    from unnest(${all(row => row.campaignId)}::bigint[], ${all(row => row.adGroupId)}::bigint[], ${keys}::text[],
      ${all(row => row.kind)}::text[], ${all(row => row.text)}::text[], ${all(row => row.matchType)}::text[],
      ${all(row => row.expression && JSON.stringify(row.expression))}::text[], ${all(row => row.bidMicros ?? null)}::bigint[],
      ${all(row => row.after ?? null)}::bigint[])
      as u(campaign_id, ad_group_id, key, kind, text, match_type, expression, bid_micros, after)
    join campaign c on c.merchant_id = ${merchantId} and c.id = u.campaign_id
    returning id, amazon_id as key`.execute(tx)
  const idOf = new Map(inserted.rows.map(row => [row.key, row.id]))
  return keys.map(key => idOf.get(key) as number)
}
