import type { AdType } from '#shared/campaign-rules.ts'
import { CompiledQuery, sql } from 'kysely'
import { changesOf, type Field } from '#shared/fields.ts'
import type { Db } from '#server/db/tables.ts'
import { entities, type EntityName } from '../../contract.ts'
import { recordChanges, type RecordedChange } from '../changes/record-changes.ts'
import { columnTypes, fieldsOf, type Owner, tableOf } from './entity-sql.ts'
import { addKeywordTexts } from './keyword-texts.ts'
import { clauseKey, isNewRow, pushedColumns } from './pending-rows.ts'
import { noteRecount } from './target-counts.ts'

/** An entity as the integration's port has it, with its id under one name; parents by the marketplace's ids. */
export type Mirrored = { amazonId: string; campaignId: string; adGroupId?: string | null } & Record<string, unknown>

const parentSql = {
  none: { columns: [], select: [], joins: '' },
  campaign: {
    columns: ['campaign_id'],
    select: ['c.id'],
    joins: 'join campaign c on c.merchant_id = $1 and c.profile_id = $2 and c.amazon_id = u.campaign',
  },
  adGroup: {
    columns: ['campaign_id', 'ad_group_id'],
    select: ['g.campaign_id', 'g.id'],
    joins: 'join ad_group g on g.merchant_id = $1 and g.profile_id = $2 and g.amazon_id = u.ad_group',
  },
  adGroupOrCampaign: {
    columns: ['campaign_id', 'ad_group_id'],
    select: ['c.id', 'g.id'],
    joins: `join campaign c on c.merchant_id = $1 and c.profile_id = $2 and c.amazon_id = u.campaign
      left join ad_group g on g.merchant_id = c.merchant_id and g.profile_id = $2 and g.amazon_id = u.ad_group`,
  },
} as const

interface Column {
  name: string
  type: string
  read: (item: Mirrored) => unknown
}

const parentColumns: readonly Column[] = [
  { name: 'amazon_id', type: 'text', read: item => item.amazonId },
  { name: 'campaign', type: 'text', read: item => item.campaignId },
  { name: 'ad_group', type: 'text', read: item => item.adGroupId ?? null },
]

const addedAt: Column = { name: 'added_at', type: 'timestamptz', read: item => item['createdAt'] ?? null }

function readPort(item: Mirrored, path: string): unknown {
  const value = path
    .split('.')
    .reduce<unknown>((from, key) => (from === null ? null : (from as Record<string, unknown>)[key]), item)
  if (value === undefined) throw new Error(`the port's entity has no ${path}`)
  return value
}

/** The columns that the marketplace fills. */
function mirroredColumns(entity: EntityName): Column[] {
  return fieldsOf(entity).flatMap(([, { column, kind, port }]) => {
    if (!port) return []
    const read = (item: Mirrored): unknown => {
      const value = readPort(item, port)
      if (kind === 'json') return value === null ? null : JSON.stringify(value)
      // An empty day is none.
      return kind === 'day' ? value || null : value
    }
    return [{ name: column, type: columnTypes[kind], read }]
  })
}

export interface SaveOptions {
  /** When the marketplace was asked; a row that changed since then is newer than the answer and stays. Absent: just now. */
  askedAt?: Date
  /** What is saved of rows that exist already. */
  update?: 'ALL' | 'STATE'
  /** Who made the changes; the marketplace when absent. Rows that a launch added are recorded too. */
  launch?: { groupId: string; accountId: number | null }
  /** Whether rows that were added are recorded although no launch added them. */
  recordsAdded?: boolean
}

interface SavedRow {
  id: number
  campaignId: number
  /** The editable fields from before; null of a row that was added or is back. */
  before: Record<string, unknown> | null
  after: Record<string, unknown>
}

/**
 * Brings rows of one account up to what the marketplace has: adds new ones, gives changed ones a new version and leaves
 * equal ones alone, as well as those with an edit on its way. A row without a mirrored parent is left out. What changed of
 * existing rows goes to the ledger, and so does what a launch added. Returns how many rows were added or changed.
 */
export async function saveMirrored(
  tx: Db,
  entity: EntityName,
  owner: Owner,
  items: readonly Mirrored[],
  at: Date,
  { askedAt, update = 'ALL', launch, recordsAdded = launch !== undefined }: SaveOptions = {},
): Promise<number> {
  if (!items.length) return 0
  await adoptCreated(tx, entity, owner, items)
  const { table, parent } = entities[entity]
  const parents = parentSql[parent ?? 'none']
  const columns = mirroredColumns(entity)
  // Only some answers carry the date, so an answer without it leaves it unchanged.
  const dates: readonly Column[] = entity === 'negative' ? [addedAt] : []
  const inputs = [...parentColumns, ...columns, ...dates]
  const names = columns.map(({ name }) => name)
  const updated = update === 'STATE' ? ['state'] : names
  const of = (alias: string) => updated.map(name => `${alias}.${name}`).join(', ')
  // The driver has no arrays of JSON.
  const unnest = inputs.map(({ type }, i) => `$${i + 4}::${type === 'jsonb' ? 'text' : type}[]`).join(', ')
  const values = [...columns, ...dates].map(({ name, type }) => (type === 'jsonb' ? `u.${name}::jsonb` : `u.${name}`))
  // A parameter is refused here where tables are distributed, and a moment needs no quoting.
  const isOlder = askedAt ? `and t.updated_at <= '${askedAt.toISOString()}'::timestamptz` : ''
  // Read first: what is written may be written before anything else of the statement is read.
  const text = `with old as materialized (
    select o.id, ${recordedColumns(entity)} from ${table} o
    where o.merchant_id = $1 and o.profile_id = $2 and o.amazon_id = any($4::text[]) and o.gone_at is null
  ), saved as (
    insert into ${table} as t (merchant_id, profile_id, amazon_id, ${[...parents.columns, ...names, ...dates.map(({ name }) => name)].join(', ')}, updated_at)
    select $1::bigint, $2::bigint, u.amazon_id, ${[...parents.select, ...values].join(', ')}, $3::timestamptz
    from unnest(${unnest}) as u(${inputs.map(({ name }) => name).join(', ')}) ${parents.joins}
    on conflict (merchant_id, profile_id, amazon_id) do update set
      ${updated.map(name => `${name} = excluded.${name}`).join(', ')},
      ${dates.map(({ name }) => `${name} = coalesce(excluded.${name}, t.${name}),`).join(' ')}
      version = t.version + 1, updated_at = excluded.updated_at, sync_state = 'SYNCED', sync_error = null, base = null, gone_at = null
    where t.sync_state <> 'PENDING' ${isOlder}
      and (t.gone_at is not null or (${of('t')}) is distinct from (${of('excluded')})
        ${dates.map(({ name }) => `or (t.${name} is null and excluded.${name} is not null)`).join(' ')})
    returning t.*)
    select t.id, ${entity === 'campaign' ? 't.id' : 't.campaign_id'} as "campaignId", ${recordedValues(entity, 't')} as after,
      (select ${recordedValues(entity, 'o')} from old o where o.id = t.id) as before
    from saved t`
  const arrays = inputs.map(({ read }) => items.map(read))
  const parameters = [owner.merchantId, owner.profileId, at, ...arrays]
  const { rows } = await tx.executeQuery<SavedRow>(CompiledQuery.raw(text, parameters))
  if (entity === 'target')
    await addKeywordTexts(
      tx,
      owner,
      rows.map(({ id }) => id),
    )
  await noteRecount(
    tx,
    owner,
    entity,
    rows.map(row => row.campaignId),
  )
  const act = { origin: launch ? ('LAUNCH' as const) : ('MARKETPLACE' as const), accountId: null, at, ...launch }
  await recordChanges(
    tx,
    owner,
    act,
    rows.flatMap(row => ledgerOf(entity, row, recordsAdded)),
  )
  return rows.length
}

const recordedFields = (entity: EntityName): [string, Field][] =>
  fieldsOf(entity).filter(([name, { edit, port, of }]) => port && !of && (edit || name === 'state'))

const recordedColumns = (entity: EntityName): string =>
  [...new Set(recordedFields(entity).map(([, { column }]) => `o.${column}`))].join(', ')

/** The fields of a row that the ledger records, as answers carry them, as JSON. */
function recordedValues(entity: EntityName, alias: string): string {
  const members = recordedFields(entity).map(([name, { column, kind, part }]) => {
    const value = `${alias}.${column}`
    if (part?.column === column) return `'${name}', coalesce(${value} -> '${part.key}', '[]'::jsonb)`
    return `'${name}', ${kind === 'money' ? `${value} / 1e6::float8` : value}`
  })
  return `jsonb_build_object(${members.join(', ')})`
}

function ledgerOf(
  entity: EntityName,
  { id, campaignId, before, after }: SavedRow,
  isRecorded: boolean,
): RecordedChange[] {
  const place = { entity, entityId: id, campaignId }
  if (!before) return isRecorded ? [{ ...place, field: null, before: null, after: null }] : []
  const changes = changesOf(Object.fromEntries(recordedFields(entity)), before, after)
  return changes.map(change => ({ ...place, field: change.name, before: change.before, after: change.after }))
}

/**
 * Marks the account's rows of an ad type that the marketplace did not list (`listedIds`) as gone and archived. Rows added or changed
 * since `before` stay, since they may be newer than the list; so do those with an edit on its way: it would be sent as a
 * wish to archive them, which is final, and those that the marketplace did not accept. Returns how many rows were marked.
 */
export async function markGone(
  tx: Db,
  entity: EntityName,
  owner: Owner & { adType: AdType },
  listedIds: readonly string[],
  before: Date,
): Promise<number> {
  const { rows } = await sql<{ id: number; campaignId: number; state: string }>`with gone as (
    update ${tableOf(entity)} t set gone_at = ${before}, state = 'ARCHIVED', version = version + 1, updated_at = ${before}
    where merchant_id = ${owner.merchantId} and profile_id = ${owner.profileId} and ad_type = ${owner.adType} and gone_at is null
      and created_at < ${before} and updated_at <= ${before} and sync_state <> 'PENDING'
      and amazon_id not like 'new:%' and not (amazon_id = any(${listedIds}::text[]))
    returning t.id, ${entity === 'campaign' ? sql`t.id` : sql`t.campaign_id`} as "campaignId")
    select gone.*, o.state from gone join ${tableOf(entity)} o on o.merchant_id = ${owner.merchantId} and o.id = gone.id`.execute(
    tx,
  )
  const changed = rows.filter(({ state }) => state !== 'ARCHIVED')
  await noteRecount(
    tx,
    owner,
    entity,
    changed.map(row => row.campaignId),
  )
  const act = { origin: 'MARKETPLACE', accountId: null, at: before } as const
  await recordChanges(
    tx,
    owner,
    act,
    changed.map(({ id, campaignId, state }) => ({
      entity,
      entityId: id,
      campaignId,
      field: 'state',
      before: state,
      after: 'ARCHIVED',
      note: 'The marketplace no longer lists it.',
    })),
  )
  return rows.length
}

type Listed = { amazonId: string; campaignId: string; adGroupId?: string | null } & Record<string, unknown>

/**
 * Gives new rows that were sent without an answer the ids of what the marketplace lists in their place, so that an import
 * does not add them a second time. They are sent once more as they are wanted, since nobody knows what was accepted.
 */
async function adoptCreated(
  tx: Db,
  entity: EntityName,
  { merchantId, profileId }: Owner,
  items: readonly Listed[],
): Promise<void> {
  if (entity !== 'target' && entity !== 'negative') return
  const table = tableOf(entity)
  const sent = sql`t.merchant_id = ${merchantId} and t.profile_id = ${profileId} and ${isNewRow} and t.base ? 'sent'`
  const { rows } = await sql`select 1 from ${table} t where ${sent} limit 1`.execute(tx)
  if (!rows.length) return
  const live = items.filter(item => item.state !== 'ARCHIVED')
  const all = (read: (item: Listed) => unknown) => live.map(item => read(item) ?? null)
  const base = JSON.stringify({ sent: pushedColumns(entity) })
  await sql`update ${table} t set amazon_id = u.amazon_id, sync_state = 'PENDING', sync_error = null, base = ${base}::jsonb
    from unnest(${all(item => item.amazonId)}::text[], ${all(item => item.campaignId)}::text[], ${all(item => item.adGroupId)}::text[],
        ${all(item => item.kind)}::text[], ${all(item => item.text)}::text[], ${all(item => item.matchType)}::text[],
        ${all(item => (item.expression ? JSON.stringify(item.expression) : null))}::text[])
      as u(amazon_id, campaign, ad_group, kind, text, match_type, expression)
    join campaign c on c.merchant_id = ${merchantId} and c.profile_id = ${profileId} and c.amazon_id = u.campaign
    left join ad_group g on g.merchant_id = ${merchantId} and g.profile_id = ${profileId} and g.amazon_id = u.ad_group
    where ${sent} and t.campaign_id = c.id and t.ad_group_id is not distinct from g.id
      and ${clauseKey('t')} = ${clauseKey('u')}
      and not exists (select 1 from ${table} o where o.merchant_id = ${merchantId} and o.profile_id = ${profileId}
        and o.amazon_id = u.amazon_id)`.execute(tx)
}
