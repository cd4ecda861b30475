import { addCircleOutline, removeCircleOutline } from 'ionicons/icons'
import { ListRow } from '#client/ui/lists/list-row.tsx'
import { type RowAction, RowMenu } from '#client/ui/lists/row-menu.tsx'
import { RowFigures } from '../figures/row-figures.tsx'
import type { TermRow } from './queries.ts'
import { adTypeShort, coverageWords, coverWords, originWords, verdictWords } from './term-words.ts'
import type { Picked } from './use-picked.ts'

export type TermSheet = 'harvest' | 'negate'
export type OpenTermSheet = (sheet: TermSheet, rows: readonly TermRow[]) => void

interface TermProps {
  row: TermRow
  /** Whether terms of other ad groups are next to it. */
  ofMany: boolean
}
interface TermRowProps extends TermProps {
  /** Absent for those who may not change anything. */
  acts?: { picked: Picked<TermRow>; open: OpenTermSheet } | undefined
}

/** What can be done with one term; without network it waits. */
export function termActions(row: TermRow, { open }: NonNullable<TermRowProps['acts']>): RowAction[] {
  const harvest = { label: 'Harvest as keyword', icon: addCircleOutline, onSelect: () => open('harvest', [row]) }
  const negate = { label: 'Negate', icon: removeCircleOutline, onSelect: () => open('negate', [row]) }
  return row.coverage === 'NEGATIVE' ? [harvest] : [harvest, negate]
}

/** The words of a term, or the product whose page showed the ad. */
export function TermName({ row }: { row: TermRow }) {
  return row.kind === 'PRODUCT' ? (
    <>
      {row.term.toUpperCase()} <span className="term-kind">product page</span>
    </>
  ) : (
    row.term
  )
}

/** Whether the term is new, or what covers it. */
export function TermCover({ row }: { row: TermRow }) {
  const { label, tone } = coverageWords[row.coverage]
  return (
    <div className="row-status">
      <span className={`tag ${tone}`}>{label}</span>
      <span>{coverWords(row)}</span>
    </div>
  )
}

/** What brought the term in, and where. */
export const termPlace = (row: TermRow, ofMany: boolean): string =>
  [ofMany && `${adTypeShort[row.adType]} · ${row.campaignName} · ${row.adGroupName}`, originWords(row)]
    .filter(Boolean)
    .join(', ')

function TermVerdict({ row }: { row: TermRow }) {
  const verdict = verdictWords(row)
  return verdict && <p className={verdict.isSure ? 'term-verdict term-verdict-sure' : 'term-verdict'}>{verdict.text}</p>
}

interface PickBoxProps {
  label: string
  checked: boolean
  disabled?: boolean
  onChange: () => void
}

/** A checkbox with room for a thumb. */
function PickBox({ label, ...rest }: PickBoxProps) {
  return (
    <label className="pick-box">
      <input type="checkbox" aria-label={label} {...rest} />
    </label>
  )
}

/** A term in the list of a phone. */
export function TermRowItem({ row, ofMany, acts }: TermRowProps) {
  const actions = acts ? termActions(row, acts) : []
  return (
    <div className={acts ? 'picked-row' : undefined}>
      {acts && (
        <PickBox
          label={`Select ${row.term}`}
          checked={acts.picked.has(row)}
          disabled={!acts.picked.has(row) && acts.picked.isFull}
          onChange={() => acts.picked.toggle(row)}
        />
      )}
      <ListRow
        title={<TermName row={row} />}
        detail={
          <>
            <TermCover row={row} />
            <div>{termPlace(row, ofMany)}</div>
          </>
        }
        end={actions.length > 0 && <RowMenu name={row.term} actions={actions} />}
        figures={
          <>
            <RowFigures figures={row} currency={row.currency} />
            <TermVerdict row={row} />
          </>
        }
      />
    </div>
  )
}
