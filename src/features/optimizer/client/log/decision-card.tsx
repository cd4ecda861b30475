import { arrowRedoOutline, arrowUndoOutline, checkmarkOutline, closeOutline } from 'ionicons/icons'
import type { KeyboardEvent } from 'react'
import { formatNumber } from '#client/ui/figures/format.ts'
import type { RowAction } from '#client/ui/lists/row-menu.tsx'
import { SwipeRow } from '#client/ui/lists/swipe-row.tsx'
import { useMayChange } from '#features/accounts/client/public.ts'
import type { LogRow } from '../../contract.ts'
import { decisionText } from '../../decision-text.ts'
import { DecisionFoot, DecisionLink, nameOf, placeOf, StateTag } from './decision-parts.tsx'
import { Answer } from './proposal.tsx'
import type { LogActs } from './use-log-acts.ts'

interface DecisionCardProps {
  /** What is done and undone together; one or more. */
  rows: readonly [LogRow, ...LogRow[]]
  timezone: string
  acts: LogActs
}

/** A decision on a phone: what changed, why, what became of it. A swipe, its menu or the key U undo it. */
export function DecisionCard({ rows, timezone, acts }: DecisionCardProps) {
  const [first, ...others] = rows
  const undos = useActions(rows, acts)
  // A proposal has its answers as buttons.
  const actions = first.state === 'PROPOSED' ? [] : undos
  const [undo] = actions
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key.toLowerCase() !== 'u' || event.metaKey || event.ctrlKey || event.altKey || event.repeat) return
    if (!undo || first.canRedo) return
    event.preventDefault()
    undo.onSelect()
  }
  const content = (
    // The key belongs to the link that has the focus.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="decision-card" data-state={first.state} onKeyDown={onKeyDown}>
      {others.length > 0 && <p className="decision-together">{formatNumber(rows.length)} changes decided together</p>}
      {rows.map((row, index) => (
        <div key={row.id} className="decision">
          <div className="decision-head">
            <DecisionLink row={row} />
            {row.state !== 'SHADOW' && <StateTag row={row} />}
          </div>
          <p className="decision-place">{placeOf(row)}</p>
          {(index === 0 || row.cause !== first.cause) && <p className="decision-reason">{decisionText(row).reason}</p>}
          {row.state === 'FAILED' && row.answer && <p className="decision-answer">{row.answer}</p>}
        </div>
      ))}
      <DecisionFoot row={first} timezone={timezone} />
      {first.state === 'PROPOSED' && <Answer row={first} count={rows.length} acts={acts} />}
    </div>
  )
  if (actions.length === 0) return <div className="decision-plain">{content}</div>
  return (
    <SwipeRow name={nameOf(first)} actions={actions}>
      {content}
    </SwipeRow>
  )
}

export const redoLabel = ({ state }: LogRow): string => (state === 'FAILED' ? 'Try again' : 'Do it again')

/** What can be done about decisions by a swipe or from their menu. */
export function useActions(rows: readonly [LogRow, ...LogRow[]], acts: LogActs): RowAction[] {
  const mayChange = useMayChange()
  const [first, ...others] = rows
  if (!mayChange) return []
  if (first.state === 'PROPOSED')
    return [
      { label: 'Approve', icon: checkmarkOutline, onSelect: () => void acts.approve(first) },
      { label: 'Reject', icon: closeOutline, tone: 'danger', onSelect: () => void acts.reject(first) },
    ]
  // Of several that were undone together, each is done again by itself, in its detail.
  if (rows.every(({ canRedo }) => canRedo) && (others.length === 0 || rows.some(({ kind }) => kind === 'harvest')))
    return [{ label: redoLabel(first), icon: arrowRedoOutline, onSelect: () => void acts.redo(first) }]
  if (!rows.some(({ undo }) => undo.isPossible)) return []
  const label = others.length > 0 ? `Undo all ${formatNumber(rows.length)}` : 'Undo'
  const newest = rows.find(({ undo }) => undo.isPossible) ?? first
  return [{ label, icon: arrowUndoOutline, onSelect: () => void acts.undo(newest, rows.length > 1) }]
}
