import { arrowDownOutline, arrowUpOutline } from 'ionicons/icons'
import { CheckField } from '#client/ui/forms/choices.tsx'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type { RowKind } from '../form/field-labels.ts'
import { columnsOf, useShownColumns } from './columns.tsx'

interface ColumnChoiceProps {
  kind: RowKind
  /** The text of an address. */
  columns: string | undefined
  onChange: (columns: string | undefined) => void
}

/** Which columns the table shows and in which order: the shown ones first, each with the way up and down. */
export function ColumnChoice({ kind, columns, onChange }: ColumnChoiceProps) {
  const shown = useShownColumns(kind, columns)
  const names = shown.map(({ name }) => name)
  const others = columnsOf(kind).filter(({ name }) => !names.includes(name))
  const set = (next: string[]): void => onChange(next.join())
  const move = (from: number, to: number): void => {
    const next = [...names]
    next.splice(to, 0, ...next.splice(from, 1))
    set(next)
  }
  return (
    <fieldset className="column-choice">
      <legend>Columns</legend>
      <ol aria-label="Shown columns">
        {shown.map(({ name, label }, index) => (
          <li key={name}>
            <CheckField
              label={label}
              checked
              disabled={names.length === 1}
              onChange={() => set(names.filter(one => one !== name))}
            />
            <MoveButton
              label={`Move ${label} up`}
              icon={arrowUpOutline}
              off={index === 0}
              onMove={() => move(index, index - 1)}
            />
            <MoveButton
              label={`Move ${label} down`}
              icon={arrowDownOutline}
              off={index === names.length - 1}
              onMove={() => move(index, index + 1)}
            />
          </li>
        ))}
      </ol>
      <ul aria-label="Hidden columns">
        {others.map(({ name, label }) => (
          <li key={name}>
            <CheckField label={label} checked={false} onChange={() => set([...names, name])} />
          </li>
        ))}
      </ul>
      <Button disabled={columns === undefined} onClick={() => onChange(undefined)}>
        Usual columns
      </Button>
    </fieldset>
  )
}

function MoveButton({ label, icon, off, onMove }: { label: string; icon: string; off: boolean; onMove: () => void }) {
  return (
    <button type="button" className="icon-button" aria-label={label} disabled={off} onClick={onMove}>
      <Icon icon={icon} />
    </button>
  )
}
