import { CompiledQuery } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { MirrorTable } from './ids-of.ts'

type Cell = string | number | null

/** A row as the marketplace has it; parents by the marketplace's ids. */
export type MirrorRow = Record<string, Cell> & { amazon_id: string; campaign?: string; ad_group?: Cell }

interface Shape {
  columns: readonly (readonly [name: string, type: 'text' | 'bigint' | 'date' | 'jsonb'])[]
  parents: 'none' | 'campaign' | 'ad_group' | 'ad_group_or_campaign'
}

const served = [
  ['state', 'text'],
  ['serving_status', 'text'],
] as const

const shapes: Record<MirrorTable, Shape> = {
  campaign: {
    parents: 'none',
    columns: [
      ['name', 'text'],
      ['targeting_type', 'text'],
      ['daily_budget_micros', 'bigint'],
      ['bidding_strategy', 'text'],
      ['bidding', 'jsonb'],
      ['start_date', 'date'],
      ['end_date', 'date'],
      ['portfolio_amazon_id', 'text'],
      ...served,
    ],
  },
  ad_group: { parents: 'campaign', columns: [['name', 'text'], ['default_bid_micros', 'bigint'], ...served] },
  product_ad: { parents: 'ad_group', columns: [['asin', 'text'], ['sku', 'text'], ...served] },
  target: {
    parents: 'ad_group',
    columns: [
      ['kind', 'text'],
      ['text', 'text'],
      ['match_type', 'text'],
      ['expression', 'jsonb'],
      ['bid_micros', 'bigint'],
      ...served,
    ],
  },
  negative: {
    parents: 'ad_group_or_campaign',
    columns: [['kind', 'text'], ['text', 'text'], ['match_type', 'text'], ['expression', 'jsonb'], ...served],
  },
}

const parentSql = {
  none: { columns: [], select: [], joins: '' },
  campaign: {
    columns: ['campaign_id'],
    select: ['c.id'],
    joins: 'join campaign c on c.merchant_id = $1 and c.profile_id = $2 and c.amazon_id = u.campaign',
  },
  ad_group: {
    columns: ['campaign_id', 'ad_group_id'],
    select: ['g.campaign_id', 'g.id'],
    joins: 'join ad_group g on g.merchant_id = $1 and g.profile_id = $2 and g.amazon_id = u.ad_group',
  },
  ad_group_or_campaign: {
    columns: ['campaign_id', 'ad_group_id'],
    select: ['c.id', 'g.id'],
    joins: `join campaign c on c.merchant_id = $1 and c.profile_id = $2 and c.amazon_id = u.campaign
      left join ad_group g on g.merchant_id = $1 and g.profile_id = $2 and g.amazon_id = u.ad_group`,
  },
} as const

/** What the rows tell of one that is known already: all, or nothing new but its state. */
export type Told = 'ALL' | 'STATE'

/**
 * Brings rows of one account up to what the marketplace holds: new ones are added, changed ones get a new version,
 * equal ones are left as they are, and one with a change of ours still on its way is not touched; nor is one that changed
 * after `askedAt`, when the marketplace was asked (null: it told us just now). A row whose parent is not mirrored is left out. Returns how many rows
 * were added or changed.
 */
export const upsertMirror = async (
  tx: Db,
  table: MirrorTable,
  owner: { merchantId: number; profileId: number },
  rows: readonly MirrorRow[],
  at: Date,
  askedAt: Date | null = null,
  told: Told = 'ALL',
): Promise<number> => {
  if (!rows.length) return 0
  const { columns, parents } = shapes[table]
  const parent = parentSql[parents]
  const names = columns.map(([name]) => name)
  const inputs = [['amazon_id', 'text'], ['campaign', 'text'], ['ad_group', 'text'], ...columns] as const
  const arrays = inputs.map(([name]) => rows.map(row => row[name] ?? null))
  const unnest = inputs.map(([, type], i) => `$${i + 5}::${type === 'jsonb' ? 'text' : type}[]`).join(', ')
  const cast = (name: string, type: string) => (type === 'jsonb' ? `u.${name}::jsonb` : `u.${name}`)
  const all = [...parent.columns, ...names]
  const kept = told === 'STATE' ? ['state'] : names
  const text = `
    insert into ${table} (merchant_id, profile_id, amazon_id, ${all.join(', ')}, updated_at)
    select $1::bigint, $2::bigint, u.amazon_id, ${[...parent.select, ...columns.map(([n, t]) => cast(n, t))].join(', ')}, $3::timestamptz
    from unnest(${unnest}) as u(${inputs.map(([name]) => name).join(', ')})
    ${parent.joins}
    on conflict (merchant_id, profile_id, amazon_id) do update set
      ${kept.map(name => `${name} = excluded.${name}`).join(', ')},
      version = ${table}.version + 1, updated_at = excluded.updated_at, sync_state = 'SYNCED', sync_error = null, base = null, gone_at = null
    where ${table}.sync_state <> 'PENDING' and ($4::timestamptz is null or ${table}.updated_at <= $4::timestamptz)
      and (${table}.gone_at is not null or (${kept.map(n => `${table}.${n}`).join(', ')}) is distinct from (${kept.map(n => `excluded.${n}`).join(', ')}))`
  const result = await tx.executeQuery(
    CompiledQuery.raw(text, [owner.merchantId, owner.profileId, at, askedAt, ...arrays]),
  )
  return Number(result.numAffectedRows ?? 0)
}
