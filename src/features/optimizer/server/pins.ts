import { sql } from 'kysely'
import { addDays, dayIn } from '#shared/time.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import type { Owner } from '#features/structure/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import type { Memory } from '../engine/settings.ts'
import type { Group } from './groups.ts'

// What is left alone, because a person changed, undid or rejected it.

const pinDays = 14

export interface Pin {
  id: number
  entity: 'target' | 'campaign' | 'adGroup'
  entityId: number
  /** The search that an ad group leaves alone; empty for all of the entity. */
  term: string
  until: string
}

export interface NewPin extends Omit<Pin, 'id' | 'until'> {
  reason: 'HAND' | 'UNDONE' | 'REJECTED'
  /** Each source pins once. */
  source: string
}

export async function addPins(
  tx: Db,
  { merchantId, id: groupId }: Pick<Group, 'merchantId' | 'id'>,
  { timezone }: Pick<Profile, 'timezone'>,
  pins: readonly NewPin[],
  at: Date,
): Promise<void> {
  if (!pins.length) return
  const all = <T>(read: (pin: NewPin) => T): T[] => pins.map(read)
  await sql`insert into optimizer_pin (merchant_id, group_id, entity, entity_id, term, reason, source, since, until_day)
    select ${merchantId}::bigint, ${groupId}::bigint, u.entity, u.entity_id, u.term, u.reason, u.source, ${at}::timestamptz,
      ${addDays(dayIn(at, timezone), pinDays)}::date
    from unnest(${all(p => p.entity)}::text[], ${all(p => p.entityId)}::bigint[], ${all(p => p.term)}::text[],
      ${all(p => p.reason)}::text[], ${all(p => p.source)}::text[]) as u(entity, entity_id, term, reason, source)
    on conflict do nothing`.execute(tx)
}

/** What is left alone on a day, the latest end of each first. */
export async function pinsOn(tx: Db, { merchantId }: Owner, groupId: number, day: string): Promise<Pin[]> {
  const { rows } =
    await sql<Pin>`select distinct on (entity, entity_id, term) id, entity, entity_id as "entityId", term,
      until_day as until from optimizer_pin where merchant_id = ${merchantId} and group_id = ${groupId}
      and ended_at is null and until_day > ${day}
    order by entity, entity_id, term, until_day desc, id desc`.execute(tx)
  return rows
}

/**
 * Pins what people changed since a moment in the campaigns of a group, here or at the marketplace itself, by the ledger. What
 * the marketplace gave back because it rejected a change is no wish of anybody, and neither is what a rule did.
 */
export async function pinHandEdits(tx: Db, group: Group, profile: Profile, now: Date): Promise<void> {
  const since = new Date(Math.max(group.takenOverAt.getTime(), now.getTime() - pinDays * 86_400_000))
  const { rows } = await sql<{ id: number; entity: 'target' | 'campaign'; entityId: number; at: Date }>`
    select c.id, c.entity, c.entity_id as "entityId", c.at from entity_change c
    where c.merchant_id = ${group.merchantId} and c.campaign_id = any(${group.campaignIds}::bigint[]) and c.at > ${since}
      and c.origin in ('USER', 'MARKETPLACE') and (c.origin = 'USER' or c.undoes is null)
      and (c.entity = 'target' and c.field in ('bid', 'state')
        or c.entity = 'campaign' and c.field in ('budget', 'placements', 'biddingStrategy', 'state'))
      and not exists (select from optimizer_pin p where p.merchant_id = ${group.merchantId} and p.group_id = ${group.id}
        and p.source = 'change ' || c.id)
    order by c.id`.execute(tx)
  for (const [at, changes] of Map.groupBy(rows, row => row.at.getTime()))
    await addPins(
      tx,
      group,
      profile,
      changes.map(({ id, entity, entityId }) => ({
        entity,
        entityId,
        term: '',
        reason: 'HAND' as const,
        source: `change ${id}`,
      })),
      new Date(at),
    )
}

/** Ends all pins of what these are about: somebody wants it changed after all. */
export async function endPinsOf(
  tx: Db,
  { merchantId, id: groupId }: Pick<Group, 'merchantId' | 'id'>,
  subjects: readonly Pick<Pin, 'entity' | 'entityId' | 'term'>[],
  at: Date,
): Promise<void> {
  for (const { entity, entityId, term } of subjects)
    await sql`update optimizer_pin set ended_at = ${at} where merchant_id = ${merchantId} and group_id = ${groupId}
      and entity = ${entity} and entity_id = ${entityId} and term = ${term} and ended_at is null`.execute(tx)
}

/** The memory with exactly these pins, whatever it knew of pins before. */
export function withPins(memory: Memory, pins: readonly Pin[]): Memory {
  const targets: Record<string, NonNullable<Memory['targets']>[string]> = {}
  for (const [id, { pinnedUntil: _before, ...own }] of Object.entries(memory.targets ?? {})) targets[id] = own
  for (const { entity, entityId, term, until } of pins)
    if (entity === 'target' && term === '') targets[entityId] = { ...targets[entityId], pinnedUntil: until }
  return Object.keys(targets).length ? { ...memory, targets } : memory
}

/** Ends a pin, and every other of the same entity. False where there is none. */
export async function endPin(tx: Db, { merchantId, profileId }: Owner, id: number, at: Date): Promise<boolean> {
  const { rows } = await sql`update optimizer_pin p set ended_at = ${at} from optimizer_pin o, optimizer_group g
    where o.merchant_id = ${merchantId} and o.id = ${id} and g.merchant_id = ${merchantId} and g.id = o.group_id
      and g.profile_id = ${profileId} and p.merchant_id = ${merchantId} and p.group_id = o.group_id and p.entity = o.entity
      and p.entity_id = o.entity_id and p.term = o.term and p.ended_at is null
    returning p.id`.execute(tx)
  return rows.length > 0
}
