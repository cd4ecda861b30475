import { sql } from 'kysely'
import type { Owner } from '#features/structure/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import type { Holdings } from './entities.ts'

// What everything in a group was on the day of take-over, so that it can be put back.

/** The values of an entity by field, as its own answers carry them. */
export type Values = Record<string, unknown>

export interface SnapshotRow {
  entity: 'campaign' | 'adGroup' | 'target' | 'negative'
  entityId: number
  campaignId: number
  value: Values
}

/** What is kept of each kind: all that decisions may change. A bid that follows its ad group is kept as what that was. */
export function snapshotOf({ campaigns, adGroups, targets, negatives }: Holdings): SnapshotRow[] {
  const defaults = new Map(adGroups.map(one => [one.id, one.defaultBid]))
  return [
    ...campaigns.map(({ id, budget, biddingStrategy, placements, state }) => ({
      entity: 'campaign' as const,
      entityId: id,
      campaignId: id,
      value: { budget, biddingStrategy, placements, state },
    })),
    ...adGroups.map(({ id, campaignId, defaultBid, state }) => ({
      entity: 'adGroup' as const,
      entityId: id,
      campaignId,
      value: { defaultBid, state },
    })),
    ...targets.map(({ id, campaignId, adGroupId, bid, state }) => ({
      entity: 'target' as const,
      entityId: id,
      campaignId,
      value: { bid: bid ?? defaults.get(adGroupId) ?? null, state },
    })),
    ...negatives.map(({ id, campaignId, state }) => ({
      entity: 'negative' as const,
      entityId: id,
      campaignId,
      value: { state },
    })),
  ]
}

export async function saveSnapshot(tx: Db, { merchantId }: Owner, groupId: number, holdings: Holdings): Promise<void> {
  const rows = snapshotOf(holdings)
  const all = <T>(read: (row: SnapshotRow) => T): T[] => rows.map(read)
  await sql`insert into optimizer_snapshot (merchant_id, group_id, entity, entity_id, campaign_id, value)
    select ${merchantId}::bigint, ${groupId}::bigint, u.entity, u.entity_id, u.campaign_id, u.value::jsonb
    from unnest(${all(r => r.entity)}::text[], ${all(r => r.entityId)}::bigint[], ${all(r => r.campaignId)}::bigint[],
      ${all(r => JSON.stringify(r.value))}::text[]) as u(entity, entity_id, campaign_id, value)`.execute(tx)
}

export async function readSnapshot(tx: Db, { merchantId }: Owner, groupId: number): Promise<SnapshotRow[]> {
  const { rows } = await sql<SnapshotRow>`select entity, entity_id as "entityId", campaign_id as "campaignId", value
    from optimizer_snapshot where merchant_id = ${merchantId} and group_id = ${groupId} order by entity, entity_id`.execute(
    tx,
  )
  return rows
}
