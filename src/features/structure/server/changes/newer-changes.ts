import { sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import { type Field, isSameValue } from '#shared/fields.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import { entities, type EntityName } from '../../contract.ts'
import { editOrder } from '../edit/bulk-edit.ts'
import { lockRows } from '../sql/edit-rows.ts'
import { readChanges } from './list-changes.ts'
import type { ChangeOrigin } from './record-changes.ts'

// What an undo would do to rows, and what newer changes stand in its way.

export interface Line {
  id: number
  entity: EntityName
  entityId: number
  field: string | null
  before: unknown
  after: unknown
  /** Whose change undid this one; null when none did. */
  undoneBy: ChangeOrigin | null
}
/** The lines of one field of one entity, the latest first: undone together, back to what was before the first. */
export interface Chain {
  entity: EntityName
  entityId: number
  field: string
  /** It undoes that the row was created: whatever else was changed of the row since is newer. */
  isCreation: boolean
  lines: readonly [Line, ...Line[]]
}

/** One text for a row. */
export const rowKey = ({ entity, entityId }: Pick<Chain, 'entity' | 'entityId'>): string => `${entity} ${entityId}`

/** What an undo gives the field. */
export const wantedOf = ({ lines }: Chain): unknown => lines.at(-1)?.before ?? null

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
    const isOther = !isAs(chain.lines[0].after) || touched.has(rowKey(chain))
    return { chain, now: { value }, isNewer: isOther && !isAs(wantedOf(chain)) }
  })
}

/** A line `c` that holds: nothing undid it, and it undoes nothing. */
const holds = sql`c.field is not null and c.field <> 'syncState' and c.undoes is null and not exists (
  select 1 from entity_change o where o.merchant_id = c.merchant_id and o.undoes = c.id)`

/** Of chains that undo a creation: the keys of the rows of which anything was changed since. */
async function touchedSince(tx: Db, { merchantId }: Profile, chains: readonly Chain[]): Promise<Set<string>> {
  const created = chains.filter(({ isCreation }) => isCreation)
  if (!created.length) return new Set()
  const all = <T>(read: (chain: Chain) => T): T[] => created.map(read)
  const { rows } = await sql<{ entity: EntityName; entityId: number }>`
    select distinct c.entity, c.entity_id as "entityId" from entity_change c
    join unnest(${all(c => c.entity)}::text[], ${all(c => c.entityId)}::bigint[], ${all(c => c.lines[0].id)}::bigint[])
      as u(entity, id, line) on c.entity = u.entity and c.entity_id = u.id and c.id > u.line
    where c.merchant_id = ${merchantId} and ${holds}`.execute(tx)
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
  const all = <T>(read: (chain: Chain) => T): T[] => blocked.map(read)
  const isNewer = sql`exists (select 1 from unnest(${all(c => c.entity)}::text[], ${all(c => c.entityId)}::bigint[],
      ${all(c => (c.isCreation ? null : c.field))}::text[], ${all(c => c.lines[0].id)}::bigint[]) as u(entity, id, field, line)
    where c.entity = u.entity and c.entity_id = u.id and (u.field is null and ${holds} or c.field = u.field) and c.id > u.line)`
  const narrowed = sql`c.entity_id = any(${all(c => c.entityId)}::bigint[])`
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
