import { changesOf, type Field, type FieldChange, fieldsOfRow } from '#shared/fields.ts'
import { type MarketplaceFacts, marketplaceById } from '#shared/marketplaces.ts'
import { dayIn } from '#shared/time.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import { type Changes, type EditableEntity, entities } from '../../contract.ts'
import { nameKey, type RowWithParents, takenNames } from '../sql/edit-rows.ts'
import { editRules } from './edit-rules.ts'

export interface RequestedEdit<E extends EditableEntity = EditableEntity> extends RowWithParents<E> {
  change: Changes[E]
}

/** Whether a row can be changed as requested: what really changes, or why it cannot. */
export type Verdict =
  | { changes: FieldChange[] }
  /** `fields`: a sentence for each field that the marketplace would not accept. */
  | { changes: null; rule: string; fields: null }
  | { changes: null; rule: null; fields: Record<string, string> }

/** The sentence of a verdict against a change; null of one in favor. */
export const objection = (verdict: Verdict): string | null =>
  verdict.changes ? null : (verdict.rule ?? Object.values(verdict.fields)[0] ?? null)

/**
 * Checks edits of rows of one kind by every rule, in the order in which they would be made: of two that want one name the
 * first gets it. Reads at most once, however many rows there are, and changes nothing.
 */
export async function checkEdits<E extends EditableEntity>(
  tx: Db,
  profile: Profile,
  entity: E,
  edits: readonly RequestedEdit<E>[],
  now: Date,
): Promise<Verdict[]> {
  const market = marketOf(profile)
  const names = edits.flatMap(({ change }) => ('name' in change && typeof change.name === 'string' ? change.name : []))
  const taken = await takenNames(tx, profile, entity, names)
  const today = dayIn(now, profile.timezone)
  return edits.map(edit => {
    const verdict = verdictOn(entity, edit, { profile, market, today, isTaken: key => taken.has(key) })
    const name = verdict.changes?.find(change => change.name === 'name')?.after
    if (typeof name === 'string')
      taken.add(nameKey('campaignId' in edit.row ? Number(edit.row.campaignId) : null, name))
    return verdict
  })
}

function marketOf({ marketplaceId }: Profile): MarketplaceFacts {
  const market = marketplaceById(marketplaceId)
  if (!market) throw new Error(`an account in an unknown marketplace: ${marketplaceId}`)
  return market
}

interface Account {
  profile: Profile
  market: MarketplaceFacts
  today: string
  isTaken: (key: string) => boolean
}

function verdictOn<E extends EditableEntity>(
  entity: E,
  { row, parents, change }: RequestedEdit<E>,
  account: Account,
): Verdict {
  const { noun, check } = editRules[entity]
  const against = (rule: string): Verdict => ({ changes: null, rule, fields: null })
  if (row.state === 'ARCHIVED' || parents.campaign?.state === 'ARCHIVED')
    return against(`An archived ${noun(row)} cannot be changed.`)
  const { rule, fields } = check({ ...account, row, parents, change })
  if (rule) return against(rule)
  const found = Object.entries({ ...adTypeProblems(entities[entity].fields, row, change), ...fields }).filter(
    (entry): entry is [string, string] => Boolean(entry[1]),
  )
  if (found.length) return { changes: null, rule: null, fields: Object.fromEntries(found) }
  return { changes: changesOf(entities[entity].fields, row, change) }
}

function adTypeProblems(fields: Readonly<Record<string, Field>>, row: object, change: object): Record<string, string> {
  const present = fieldsOfRow(fields, row)
  const missing = Object.keys(change).filter(name => name in fields && !(name in present))
  return Object.fromEntries(missing.map(name => [name, absences[name] ?? 'This ad type does not have this setting']))
}

const absences: Record<string, string> = {
  budget: 'This campaign has no daily budget',
  lifetimeBudget: 'This campaign has no lifetime budget',
}
