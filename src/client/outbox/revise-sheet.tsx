import { useState } from 'react'
import { CheckField, ChoiceCards } from '../ui/forms/choices.tsx'
import { MoneyField, NumberField } from '../ui/forms/number-field.tsx'
import { Sheet } from '../ui/overlays/sheet.tsx'
import { Button } from '../ui/states/button.tsx'
import type { EditField, EditKind } from './flush-outbox.ts'
import { discardEdit, isSame, type PendingEdit, reviseEdit } from './outbox.ts'

interface ReviseSheetProps {
  edit: PendingEdit
  kind: EditKind
  /** The edit has other values and may be sent. */
  onRevised: () => void
  onClose: () => void
}

/** Changes what an edit will set before it is sent; where somebody else changed the same meanwhile, chooses which holds. */
export function ReviseSheet({ edit, kind, onRevised, onClose }: ReviseSheetProps) {
  const { conflict } = edit
  const fields = kind.fields?.(edit) ?? []
  const [values, setValues] = useState<Record<string, unknown>>({})
  const valueOf = ({ name, value }: EditField): unknown => (name in values ? values[name] : value)
  const contested = conflict ? fields.filter(field => isContested(edit, field.name)) : []
  const typed = contested.length > 0 ? [] : fields.filter(field => field.input)
  const problems = typed.map(field => [field.name, problemOf(field, valueOf(field))] as const)
  const isFine = problems.every(([, problem]) => problem === null)

  const save = (): void => {
    const revised = kind.revise?.(edit, values)
    const rest = revised && conflict ? withoutEqual(revised.set, conflict.now) : revised?.set
    if (!rest || Object.keys(rest).length === 0) discardEdit(edit.id)
    else
      reviseEdit(edit.id, { ...revised, set: rest, ...(conflict && { was: conflict.now, version: conflict.version }) })
    onRevised()
    onClose()
  }
  return (
    <Sheet
      open
      short
      title={conflict ? 'Changed in the meantime' : 'Edit before it is sent'}
      onClose={onClose}
      footer={
        <Button tone="primary" disabled={!isFine} onClick={save}>
          {conflict ? 'Use this' : 'Save'}
        </Button>
      }
    >
      <p className="revised-name">
        <strong>{edit.name}</strong>
        {contested.length > 0 && <span>You and somebody else both changed this. Choose which value to keep.</span>}
      </p>
      {contested.map(field => (
        <Contested
          key={field.name}
          field={field}
          edit={edit}
          value={valueOf(field)}
          onChange={value => setValues(before => ({ ...before, [field.name]: value }))}
        />
      ))}
      {typed.map((field, index) => (
        <Typed
          key={field.name}
          field={field}
          currency={edit.currency ?? 'USD'}
          was={edit.was[field.name]}
          value={valueOf(field)}
          problem={problems[index]?.[1] ?? null}
          onChange={value => setValues(before => ({ ...before, [field.name]: value }))}
        />
      ))}
    </Sheet>
  )
}

/** Both changed it, and differently. */
const isContested = ({ set, was, conflict }: PendingEdit, name: string): boolean =>
  !isSame(conflict?.now[name], was[name]) && !isSame(conflict?.now[name], set[name])

/** What of a change the row does not hold already. */
const withoutEqual = (set: Record<string, unknown>, now: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(set).filter(([name, value]) => !isSame(value, now[name])))

function problemOf({ input, problemOf: check }: EditField, value: unknown): string | null {
  return input === 'part' ? null : (check?.(typeof value === 'number' ? value : null) ?? null)
}

interface ContestedProps {
  field: EditField
  edit: PendingEdit
  value: unknown
  onChange: (value: unknown) => void
}

/** The three values of a field: before, as the user set it, and as it is by now. */
function Contested({ field: { name, label, format }, edit, value, onChange }: ContestedProps) {
  const mine = edit.set[name]
  const now = edit.conflict?.now[name]
  return (
    <ChoiceCards
      legend={`${label}, before: ${format(edit.was[name])}`}
      value={isSame(value, now) ? 'now' : 'mine'}
      onChange={choice => onChange(choice === 'mine' ? mine : now)}
      options={[
        { value: 'mine', label: format(mine), hint: 'Yours, not sent yet' },
        { value: 'now', label: format(now), hint: 'As it is now' },
      ]}
    />
  )
}

interface TypedProps {
  field: EditField
  currency: string
  was: unknown
  value: unknown
  problem: string | null
  onChange: (value: unknown) => void
}

function Typed({ field, currency, was, value, problem, onChange }: TypedProps) {
  const { name, label, input, format } = field
  if (input === 'part') return <CheckField label={label} checked={value === true} onChange={onChange} />
  const amount = typeof value === 'number' ? value : null
  const shown = {
    label,
    name,
    value: amount,
    onChange,
    error: problem ?? undefined,
    ...(was !== undefined && { help: `Before: ${format(was)}` }),
  }
  return input === 'money' ? (
    <MoneyField currency={currency} {...shown} />
  ) : (
    <NumberField optional digits={1} suffix="%" {...shown} />
  )
}
