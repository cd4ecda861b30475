import { sql } from 'kysely'
import { fromMicros, toMicros } from '#shared/money.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import type { Rows } from '#features/structure/contract.ts'
import { lockRows, type Owner, tableOf } from '#features/structure/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import type { StoredDecision } from './decisions.ts'
import { topOfSearch, topRaiseOf } from './facts.ts'

// What decisions are about, as it is now: the value that each compares with before it writes.

type Subject = Pick<StoredDecision, 'kind' | 'entity' | 'entityId'>

/** The rows of the targets and campaigns of decisions, locked until the transaction ends. */
export interface Locked {
  targets: ReadonlyMap<number, Rows['target'] & { defaultBid: number | null }>
  campaigns: ReadonlyMap<number, Rows['campaign']>
}

export async function lockSubjects(tx: Db, profile: Profile, decisions: readonly Subject[]): Promise<Locked> {
  const idsOf = (entity: Subject['entity']) => [
    ...new Set(decisions.flatMap(one => (one.entity === entity && one.entityId !== null ? one.entityId : []))),
  ]
  const campaigns = await lockRows(tx, profile, 'campaign', idsOf('campaign'))
  const targets = await lockRows(tx, profile, 'target', idsOf('target'))
  const rows = [...targets.values()].map(({ row }) => row)
  const defaults = await defaultBids(
    tx,
    profile,
    rows.map(row => row.adGroupId),
  )
  return {
    targets: new Map(rows.map(row => [row.id, { ...row, defaultBid: defaults.get(row.adGroupId) ?? null }])),
    campaigns: new Map([...campaigns].map(([id, { row }]) => [id, row])),
  }
}

async function defaultBids(tx: Db, { merchantId }: Owner, ids: readonly number[]): Promise<Map<number, number | null>> {
  const { rows } = await sql<{ id: number; bid: number | null }>`select t.id, t.default_bid_micros / 1e6::float8 as bid
    from ${tableOf('adGroup')} t where t.merchant_id = ${merchantId} and t.id = any(${ids}::bigint[])`.execute(tx)
  return new Map(rows.map(({ id, bid }) => [id, bid]))
}

/** The field of the ledger that a decision changes; null where it creates something. */
export const fieldOf = ({
  kind,
  entity,
}: Pick<Subject, 'kind' | 'entity'>): 'bid' | 'budget' | 'placements' | 'biddingStrategy' | null => {
  if (entity === 'target') return 'bid'
  if (entity !== 'campaign') return null
  if (kind === 'strategy') return 'biddingStrategy'
  return kind === 'placement' ? 'placements' : 'budget'
}

/** The value now, as the decision names its own: micros, a fraction, or a strategy. Null where the row is no longer there. */
export function valueNow({ targets, campaigns }: Locked, one: Subject): number | string | null {
  if (one.entityId === null) return null
  const target = targets.get(one.entityId)
  if (one.entity === 'target') {
    const bid = target && target.state !== 'ARCHIVED' ? (target.bid ?? target.defaultBid) : null
    return bid === null ? null : toMicros(bid)
  }
  const campaign = campaigns.get(one.entityId)
  if (!campaign || campaign.state === 'ARCHIVED') return null
  if (one.kind === 'strategy') return campaign.biddingStrategy
  if (one.kind === 'placement') return topRaiseOf(campaign) / 100
  return campaign.budget === null ? null : toMicros(campaign.budget)
}

/** Raises are whole percent, so that fractions differ by their last digits only. */
export const isSame = (a: number | string | null, b: number | string | null): boolean =>
  typeof a === 'number' && typeof b === 'number' ? Math.abs(a - b) < 1e-6 : a === b

/** What is set for a decision to take a value. */
export function setFor(
  { campaigns }: Locked,
  one: Subject,
  newValue: StoredDecision['after'],
): Record<string, unknown> {
  if (one.kind === 'strategy') return { biddingStrategy: newValue }
  const value = Number(newValue)
  if (one.entity === 'target') return { bid: fromMicros(value) }
  if (one.kind !== 'placement') return { budget: fromMicros(value) }
  const others = (campaigns.get(one.entityId ?? 0)?.placements ?? []).filter(own => own.placement !== topOfSearch)
  const percentage = Math.round(value * 100)
  return { placements: [...others, ...(percentage ? [{ placement: topOfSearch, percentage }] : [])] }
}
