import { useState } from 'react'
import { MoneyField, NumberField } from '#client/ui/forms/number-field.tsx'
import { Segment } from '#client/ui/forms/segment.tsx'
import { type AmountChange, amountChangeProblem } from '../../bulk-change.ts'

/** What is typed of a change of amounts; amounts are null while their input is empty. */
export interface AmountDraft {
  how: 'TO' | 'RAISE' | 'LOWER'
  unit: 'PERCENT' | 'BY'
  value: number | null
  floor: number | null
  ceiling: number | null
}
export const emptyAmount: AmountDraft = { how: 'RAISE', unit: 'PERCENT', value: null, floor: null, ceiling: null }

/** The change that a draft stands for, or what is missing. */
export function amountOf({ how, unit, value, floor, ceiling }: AmountDraft): AmountChange | { problem: string } {
  if (value !== null && value < 0) return { problem: 'Enter a number above 0, and choose to raise or lower' }
  const change: AmountChange = {
    kind: how === 'TO' ? 'TO' : unit,
    value: (value ?? Number.NaN) * (how === 'LOWER' ? -1 : 1),
    ...(floor !== null && { floor }),
    ...(ceiling !== null && { ceiling }),
  }
  const problem = amountChangeProblem(change)
  return problem ? { problem } : change
}

const hows = [
  { value: 'RAISE', label: 'Raise' },
  { value: 'LOWER', label: 'Lower' },
  { value: 'TO', label: 'Set to' },
] as const
const units = [
  { value: 'PERCENT', label: 'By percent' },
  { value: 'BY', label: 'By amount' },
] as const

interface AmountFormProps {
  /** "bid", "daily budget" */
  noun: string
  draft: AmountDraft
  currency: string
  onChange: (draft: AmountDraft) => void
}

/** How a bid or budget of every chosen row is changed: to an amount, or by an amount or percentage, within bounds. */
export function AmountForm({ noun, draft, currency, onChange }: AmountFormProps) {
  const [isLeft, setLeft] = useState(false)
  const { how, unit, value, floor, ceiling } = draft
  const set = (change: Partial<AmountDraft>): void => onChange({ ...draft, ...change })
  const checked = amountOf(draft)
  const error = isLeft && 'problem' in checked ? checked.problem : undefined
  const shared = {
    name: 'amount',
    value,
    error,
    onBlur: () => setLeft(true),
    onChange: (next: number | null) => set({ value: next }),
  }
  return (
    <div className="amount-form">
      <Segment label={`Change the ${noun}`} value={how} options={hows} onChange={next => set({ how: next })} />
      {how !== 'TO' && <Segment label="In" value={unit} options={units} onChange={next => set({ unit: next })} />}
      {how === 'TO' || unit === 'BY' ? (
        <MoneyField label={how === 'TO' ? `New ${noun}` : 'Amount'} currency={currency} {...shared} />
      ) : (
        <NumberField label="Percent" digits={1} suffix="%" {...shared} />
      )}
      {how !== 'TO' && (
        <div className="amount-bounds">
          <MoneyField
            label="Never below"
            name="floor"
            optional
            currency={currency}
            value={floor}
            onChange={next => set({ floor: next })}
          />
          <MoneyField
            label="Never above"
            name="ceiling"
            optional
            currency={currency}
            value={ceiling}
            onChange={next => set({ ceiling: next })}
          />
        </div>
      )}
    </div>
  )
}
