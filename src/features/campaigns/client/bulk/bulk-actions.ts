import type { EditableEntity } from '#features/structure/contract.ts'
import type { BulkChange } from '../../bulk-contract.ts'
import type { RowKind } from '../form/field-labels.ts'

/** What can be done with many rows: at once, or after a form. */
export type BulkAction =
  | { name: 'STATE'; to: 'ENABLED' | 'PAUSED' | 'ARCHIVED' }
  | { name: 'AMOUNT'; field: 'bid' | 'budget' | 'defaultBid' }
  | { name: 'PORTFOLIO' }

/** The amount that rows of each kind have, and what it is called. */
export const amountFields: Record<RowKind, { field: 'bid' | 'budget' | 'defaultBid'; noun: string } | null> = {
  campaign: { field: 'budget', noun: 'daily budget' },
  adGroup: { field: 'defaultBid', noun: 'default bid' },
  ad: null,
  keyword: { field: 'bid', noun: 'bid' },
  target: { field: 'bid', noun: 'bid' },
}

/** Keywords are targets to the calls of many rows. */
export const entityOf = (kind: RowKind): EditableEntity => (kind === 'keyword' ? 'target' : kind)

const stateVerbs = { ENABLED: 'Enable', PAUSED: 'Pause', ARCHIVED: 'Archive' } as const

/** What a change does to so many rows: "Pause 12 keywords". */
export function titleOf(change: BulkChange, rows: string, kind: RowKind): string {
  if (change.kind === 'STATE') return `${stateVerbs[change.to]} ${rows}`
  if (change.kind === 'PORTFOLIO') return change.to === null ? `Take ${rows} out of their portfolios` : `Move ${rows}`
  const noun = amountFields[kind]?.noun ?? 'amount'
  const { kind: how, value } = change.amount
  return `${how === 'TO' ? 'Set' : value > 0 ? 'Raise' : 'Lower'} the ${noun} of ${rows}`
}
