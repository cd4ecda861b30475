import { Fragment, type ReactNode } from 'react'
import { type FieldProps, SelectField, TextField } from '#client/ui/forms/fields.tsx'
import { MoneyField, NumberField } from '#client/ui/forms/number-field.tsx'
import type { Field, Fields } from '#shared/fields.ts'
import { inputFields } from './entity-form.ts'

const states = [
  { value: 'ENABLED', label: 'Enabled' },
  { value: 'PAUSED', label: 'Paused' },
] as const

interface FieldInputsProps {
  fields: Fields
  /** Those that the form has; all that people may change when absent. */
  names?: readonly string[]
  /** What the form holds of a field, spread into its input. */
  bind: (name: string) => object
  currency: string
  /** The earliest day that can be chosen. */
  today?: string
  /** Inputs of fields that need their own, after or instead of the usual ones. */
  own?: Partial<Record<string, ReactNode>>
}

/** The inputs of an entity's fields, in the order of its table. */
export function FieldInputs({ fields, names, bind, currency, today, own = {} }: FieldInputsProps) {
  return inputFields(fields, names).map(([name, field]) => (
    <Fragment key={name}>
      {own[name] ?? <FieldInput name={name} field={field} bound={bind(name)} currency={currency} today={today} />}
    </Fragment>
  ))
}

interface FieldInputProps {
  name: string
  field: Field
  bound: object
  currency: string
  today: string | undefined
}

function FieldInput({ name, field, bound, currency, today }: FieldInputProps) {
  const shared = { label: field.label, ...(field.help && { help: field.help }) }
  // The kind of a field decides what its draft holds: a text, or a number that is null while the input is empty.
  const text = bound as Omit<FieldProps<string>, 'label'>
  const number = bound as Omit<FieldProps<number | null>, 'label'>
  if (name === 'state')
    return <SelectField options={states} {...shared} {...(bound as Omit<FieldProps<'ENABLED' | 'PAUSED'>, 'label'>)} />
  switch (field.kind) {
    case 'money':
      return <MoneyField currency={currency} {...shared} {...number} />
    case 'percent':
      return <NumberField optional digits={1} suffix="%" {...shared} {...number} />
    case 'day':
      return <TextField type="date" {...(today && { min: today })} {...shared} {...text} />
    default:
      return <TextField {...shared} {...text} />
  }
}
