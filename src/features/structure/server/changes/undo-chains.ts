import { sql } from 'kysely'
import type { Field } from '#shared/fields.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import { entities, type EntityName, type UndoOutcome } from '../../contract.ts'
import type { ChangeOrigin } from './record-changes.ts'
import { adGroupOf, hasRejectedUndo, undoneBy } from './undone.ts'

// Which lines of the ledger are undone together, and which cannot be undone.

export interface Line {
  id: number
  groupId: string
  entity: EntityName
  entityId: number
  campaignId: number
  /** Null of campaigns, ad groups and negatives of a whole campaign. */
  adGroupId: number | null
  field: string | null
  before: unknown
  after: unknown
  /** Whose change undid this one; null when none did. */
  undoneBy: ChangeOrigin | null
  hasRejectedUndo: boolean
}
/** The lines of one field of one entity, the latest first: undone together, back to what was before the first. */
export interface Chain {
  groupId: string
  entity: EntityName
  entityId: number
  campaignId: number
  field: string
  /** It undoes that the row was created: whatever else was changed since of the row, or of what is in it, is newer. */
  isCreation: boolean
  lines: readonly [Line, ...Line[]]
  /** The lines of what is in the row: archived, it takes them with it. */
  with: Line[]
}

/** One text for a row. */
export const rowKey = ({ entity, entityId }: Pick<Line, 'entity' | 'entityId'>): string => `${entity} ${entityId}`

/** What an undo gives the field. */
export const wantedOf = ({ lines }: Chain): unknown => lines.at(-1)?.before ?? null

/** The lines that an undo is about, the latest first. */
export async function readLines(
  tx: Db,
  { merchantId, profileId }: Profile,
  choice: { id: number } | { groupId: string },
): Promise<Line[]> {
  const which = 'id' in choice ? sql`c.id = ${choice.id}` : sql`c.group_id = ${choice.groupId}::uuid`
  const { rows } = await sql<Line>`
    select c.id, c.group_id as "groupId", c.entity, c.entity_id as "entityId", c.campaign_id as "campaignId", ${adGroupOf('c', merchantId)} as "adGroupId",
      c.field, c.before, c.after, ${undoneBy('origin', merchantId)} as "undoneBy", ${hasRejectedUndo(merchantId)} as "hasRejectedUndo"
    from entity_change c where c.merchant_id = ${merchantId} and c.profile_id = ${profileId} and ${which} order by c.id desc`.execute(
    tx,
  )
  return rows
}

export const undoneAlready = 'This was undone already.'

function obstacle({ entity, field, after, undoneBy: by, hasRejectedUndo: isTriedInVain }: Line): string | null {
  if (by === 'MARKETPLACE') return 'The marketplace rejected this, so there is nothing to undo.'
  if (by) return undoneAlready
  if (isTriedInVain) return 'The marketplace rejected the undo of this. Open that undo in the history to try it again.'
  if (field === null) return null
  if (field === 'state' && after === 'ARCHIVED')
    return 'Archiving is permanent at the marketplace and cannot be undone.'
  const described: Field | undefined = (entities[entity].fields as Record<string, Field>)[field]
  return entities[entity].isEditable && described?.edit ? null : 'This cannot be changed here.'
}

// What was created came to be enabled, from what no longer runs.
const asState = (line: Line): Line =>
  line.field === null ? { ...line, field: 'state', before: 'ARCHIVED', after: 'ENABLED' } : line

/** What can be undone of the lines, and why not of the others. */
export function chainsOf(lines: readonly Line[]): { chains: Chain[]; outcomes: UndoOutcome[] } {
  // What is in a campaign that the marketplace did not archive waits for that, and is not archived on its own.
  const stuck = new Set(lines.filter(line => line.field === null && line.hasRejectedUndo).map(rowKey))
  const judged = lines.map(line => {
    const isStuck = parentKeys(line).some(key => stuck.has(key))
    return { line, message: obstacle(isStuck ? { ...line, hasRejectedUndo: true } : line) }
  })
  const open = judged.flatMap(({ line, message }) => (message ? [] : [line]))
  const fieldKey = (line: Line): string => `${rowKey(line)} ${line.field ?? 'state'}`
  const byField = Map.groupBy(open, fieldKey)
  const outcomes = judged.flatMap(({ line, message }): UndoOutcome[] => {
    // What was rejected at first and accepted when it was tried again is undone with its last try.
    const isTriedAgain = line.undoneBy === 'MARKETPLACE' && byField.has(fieldKey(line))
    return message && !isTriedAgain ? [{ changeId: line.id, status: 'INVALID', message }] : []
  })
  const chains = [...byField.values()].flatMap((own): Chain[] => {
    const [latest, ...earlier] = own.map(asState)
    if (!latest) return []
    const { groupId, entity, entityId, campaignId } = latest
    const isCreation = own.some(line => line.field === null)
    const lines = [latest, ...earlier] as const
    return [{ groupId, entity, entityId, campaignId, field: latest.field ?? 'state', isCreation, lines, with: [] }]
  })
  return { chains: withContents(chains), outcomes }
}

/** The keys of the campaign and ad group that the entity of a line is in. */
function parentKeys({ entity, campaignId, adGroupId }: Line): string[] {
  if (entity === 'campaign') return []
  const campaign = rowKey({ entity: 'campaign', entityId: campaignId })
  return adGroupId === null ? [campaign] : [campaign, rowKey({ entity: 'adGroup', entityId: adGroupId })]
}

/** Chains of what is in a campaign or ad group whose creation is undone go with that. */
function withContents(chains: readonly Chain[]): Chain[] {
  const created = new Map(chains.filter(({ isCreation }) => isCreation).map(chain => [rowKey(chain), chain]))
  return chains.filter(({ lines }) => {
    const [parent] = parentKeys(lines[0]).flatMap(key => created.get(key) ?? [])
    parent?.with.push(...lines)
    return !parent
  })
}
