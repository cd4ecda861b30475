import { formatNumber } from '#client/ui/figures/format.ts'
import type { Amount } from '#shared/money.ts'
import type { EditableEntity } from '#features/structure/contract.ts'
import type { BulkChange } from '../../bulk-contract.ts'
import type { RowKind } from '../form/field-labels.ts'

/** What can be done with many rows: at once, or after a form. */
export type BulkAction =
  | { name: 'STATE'; to: 'ENABLED' | 'PAUSED' | 'ARCHIVED' }
  /** `to`: the amount that the form begins with. */
  | { name: 'AMOUNT'; field: 'bid' | 'budget' | 'defaultBid'; to?: Amount }
  | { name: 'PORTFOLIO' }

/** What is done with many rows, as the address names it. */
export type ActionName = 'ENABLED' | 'PAUSED' | 'ARCHIVED' | 'AMOUNT' | 'PORTFOLIO' | 'NEGATE' | 'TAKE_OVER'

/** The amount that rows of each kind have, and what it is called. */
export const amountFields: Record<
  RowKind,
  { field: 'bid' | 'budget' | 'defaultBid'; noun: string; plural: string } | null
> = {
  campaign: { field: 'budget', noun: 'daily budget', plural: 'budgets' },
  adGroup: { field: 'defaultBid', noun: 'default bid', plural: 'default bids' },
  ad: null,
  keyword: { field: 'bid', noun: 'bid', plural: 'bids' },
  target: { field: 'bid', noun: 'bid', plural: 'bids' },
}

/** Keywords are targets to the calls of many rows. */
export const entityOf = (kind: RowKind): EditableEntity => (kind === 'keyword' ? 'target' : kind)

const stateVerbs = { ENABLED: 'Enable', PAUSED: 'Pause', ARCHIVED: 'Archive' } as const

const oneOf: Record<RowKind, string> = {
  campaign: 'campaign',
  adGroup: 'ad group',
  ad: 'ad',
  keyword: 'keyword',
  target: 'target',
}

interface Counted {
  count: number
  /** What the rows are, in the plural: "keywords". */
  what: string
  entity: RowKind
}

const rowsOf = ({ count, what, entity }: Counted): string =>
  count === 1 ? `1 ${oneOf[entity]}` : `${formatNumber(count)} ${what}`

function amountsOf(counted: Counted): string {
  const amount = amountFields[counted.entity]
  if (!amount) return rowsOf(counted)
  return counted.count === 1 ? `1 ${amount.noun}` : `${formatNumber(counted.count)} ${amount.plural}`
}

/** What an action is about: "Pause 12 keywords", "Change 12 bids". */
export function headingOf(action: BulkAction, counted: Counted): string {
  if (action.name === 'STATE') return `${stateVerbs[action.to]} ${rowsOf(counted)}`
  return action.name === 'PORTFOLIO' ? `Move ${rowsOf(counted)}` : `Change ${amountsOf(counted)}`
}

/** What a change does to so many rows: "Raise 12 bids". */
export function titleOf(change: BulkChange, counted: Counted): string {
  if (change.kind === 'STATE') return `${stateVerbs[change.to]} ${rowsOf(counted)}`
  if (change.kind === 'PORTFOLIO')
    return change.to === null ? `Take ${rowsOf(counted)} out of portfolios` : `Move ${rowsOf(counted)}`
  const { kind: how, value } = change.amount
  const verb = how === 'TO' ? 'Set' : value > 0 ? 'Raise' : 'Lower'
  return `${verb} ${amountsOf(counted)}`
}
