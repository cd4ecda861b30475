import { type RawBuilder, sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import { type Field, isSameValue } from '#shared/fields.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import { entities, type EntityName } from '../../contract.ts'
import { editOrder } from '../edit/bulk-edit.ts'
import { lockRows } from '../sql/edit-rows.ts'
import { readChanges } from './list-changes.ts'
import { type Chain, rowKey, wantedOf } from './undo-chains.ts'
import { adGroupOf } from './undone.ts'

// What an undo would do to rows, and what newer changes stand in its way.

export interface Placed {
  chain: Chain
  /** Null when the account no longer has the row. */
  now: { value: unknown } | null
  isNewer: boolean
}

async function place(tx: Db, profile: Profile, chains: readonly Chain[]): Promise<Placed[]> {
  const rows = new Map<string, object>()
  for (const entity of [...editOrder, 'negative'] as const) {
    const ids = chains.flatMap(chain => (chain.entity === entity ? chain.entityId : []))
    if (!ids.length) continue
    for (const [id, { row }] of await lockRows(tx, profile, entity, [...new Set(ids)]))
      rows.set(rowKey({ entity, entityId: id }), row)
  }
  const touched = await touchedSince(tx, profile, chains)
  return chains.map(chain => {
    const row = rows.get(rowKey(chain))
    if (!row) return { chain, now: null, isNewer: false }
    const value = (row as Record<string, unknown>)[chain.field] ?? null
    const field = (entities[chain.entity].fields as Record<string, Field>)[chain.field]
    const isAs = (other: unknown): boolean => field !== undefined && isSameValue(field, value, other ?? null)
    const isOther = chain.isCreation ? touched.has(rowKey(chain)) : !isAs(chain.lines[0].after)
    return { chain, now: { value }, isNewer: isOther && !isAs(wantedOf(chain)) }
  })
}

/** A line `c` that holds: nothing undid it, and it undoes nothing. */
const holds = (merchantId: number) => sql`c.field is distinct from 'syncState' and c.undoes is null and (
  select o.id from entity_change o where o.merchant_id = ${merchantId} and o.undoes = c.id) is null`

/** What creations `u` of rows are compared with: the line that created each, and the act that did. */
const creationsOf = (chains: readonly Chain[]): RawBuilder<unknown> => {
  const created = chains.filter(({ isCreation }) => isCreation)
  const all = <T>(read: (chain: Chain) => T): T[] => created.map(read)
  return sql`unnest(${all(c => c.entity)}::text[], ${all(c => c.entityId)}::bigint[], ${all(c => c.campaignId)}::bigint[],
    ${all(createdBy)}::bigint[], ${all(c => c.groupId)}::text[]) as u(entity, id, campaign, line, made_by)`
}
const createdBy = ({ lines }: Chain): number => lines.at(-1)?.id ?? 0

/**
 * That a line `c` is newer than a creation `u`: it changed or created something of what the row is, or of what is in it.
 * What the same act created is no newer change, and neither are the lines that are undone themselves.
 */
const isAfterCreation = (merchantId: number, chains: readonly Chain[]): RawBuilder<unknown> => {
  const own = chains.flatMap(({ lines, with: others }) => [...lines, ...others].map(({ id }) => id))
  return sql`(c.id > u.line and c.campaign_id = u.campaign and ${holds(merchantId)} and not (c.id = any(${own}::bigint[]))
    and not (c.field is null and c.group_id = u.made_by::uuid)
    and (u.entity = 'campaign' or c.entity = u.entity and c.entity_id = u.id or u.entity = 'adGroup' and ${adGroupOf('c', merchantId)} = u.id))`
}

/** Of chains that undo a creation: the keys of the rows of which anything was changed since, in them included. */
async function touchedSince(tx: Db, { merchantId }: Profile, chains: readonly Chain[]): Promise<Set<string>> {
  if (!chains.some(({ isCreation }) => isCreation)) return new Set()
  const { rows } = await sql<{ entity: EntityName; entityId: number }>`
    select u.entity, u.id as "entityId" from ${creationsOf(chains)}
    where (select count(*) from entity_change c where c.merchant_id = ${merchantId} and ${isAfterCreation(merchantId, chains)}) > 0`.execute(
    tx,
  )
  return new Set(rows.map(rowKey))
}

// Of two who undo the same change at the same moment the second finds it undone once the first lets go of the rows.
export async function placeOpen(tx: Db, profile: Profile, chains: readonly Chain[]): Promise<Placed[]> {
  const placed = await place(tx, profile, chains)
  const ids = chains.flatMap(({ lines }) => lines.map(({ id }) => id))
  const { rows } = await sql<{ undoes: number }>`select undoes from entity_change
    where merchant_id = ${profile.merchantId} and undoes = any(${ids}::bigint[])`.execute(tx)
  const undone = new Set(rows.map(row => row.undoes))
  return placed.filter(({ chain }) => !chain.lines.some(({ id }) => undone.has(id)))
}

const mostNewer = 20

export async function requireNothingNewer(tx: Db, profile: Profile, chains: readonly Chain[]): Promise<void> {
  const blocked = (await place(tx, profile, chains)).filter(({ isNewer }) => isNewer).map(({ chain }) => chain)
  if (!blocked.length) return
  const changed = blocked.filter(({ isCreation }) => !isCreation)
  const all = <T>(read: (chain: Chain) => T): T[] => changed.map(read)
  const isNewer = sql`(exists (select 1 from unnest(${all(c => c.entity)}::text[], ${all(c => c.entityId)}::bigint[],
      ${all(c => c.field)}::text[], ${all(c => c.lines[0].id)}::bigint[]) as u(entity, id, field, line)
    where c.entity = u.entity and c.entity_id = u.id and c.field = u.field and c.id > u.line)
    or (select count(*) from ${creationsOf(blocked)} where ${isAfterCreation(profile.merchantId, chains)}) > 0)`
  const narrowed = sql`c.campaign_id = any(${[...new Set(blocked.map(c => c.campaignId))]}::bigint[])`
  const { changes } = await readChanges(tx, profile, [narrowed, isNewer], { page: 0, size: mostNewer })
  const [first] = changes
  throw new AppError(
    'CONFLICT',
    blocked.length === 1
      ? `${first ? `“${first.name}”` : 'This'} was changed again since.`
      : `${blocked.length} of these have changed again since.`,
    { extra: { newer: changes, blocked: blocked.length, of: chains.length, currency: profile.currency } },
  )
}
