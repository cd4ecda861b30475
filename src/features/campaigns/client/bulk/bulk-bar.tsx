import './bulk.css'
import { formatNumber } from '#client/ui/figures/format.ts'
import { Button } from '#client/ui/states/button.tsx'
import type { RowKind } from '../form/field-labels.ts'
import type { Selection } from '../list/selection.ts'

interface BulkBarProps {
  /** Of a list of keywords `keyword`, of one of product targets and automatic groups `target`. */
  entity: RowKind
  /** What the rows are, in the plural: "campaigns". */
  what: string
  selection: Selection
  /** The list's query. */
  filter: object
  currency: string
}

/** What can be done with the chosen rows of a list, in the thumb's reach at the bottom of the screen. */
export function BulkBar({ what, selection }: BulkBarProps) {
  const count = selection.isAll ? selection.total : selection.ids.length
  return (
    <section className="bulk-bar" aria-label={`Chosen ${what}`}>
      <span aria-live="polite">{`${formatNumber(count)} ${what}`}</span>
      <Button onClick={selection.clear}>Clear</Button>
    </section>
  )
}
