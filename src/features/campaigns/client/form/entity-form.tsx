import { Fragment, type ReactNode } from 'react'
import * as v from 'valibot'
import { ApiError } from '#client/api/api-error.ts'
import { formatMoney } from '#client/ui/figures/format.ts'
import { type FieldProps, SelectField, TextField } from '#client/ui/forms/fields.tsx'
import { MoneyField, NumberField } from '#client/ui/forms/number-field.tsx'
import type { Campaign } from '#features/structure/contract.ts'
import { type AdLimits, bidProblem, dailyBudgetProblem, lifetimeBudgetProblem } from '#shared/ad-limits.ts'
import { BUSY_DAY_FACTOR, optimizationsLike, worstCaseClick } from '#shared/campaign-rules.ts'
import { changesOf, editableNames, type Field, type Fields } from '#shared/fields.ts'
import { fromMicros, type Micros, toMicros } from '#shared/money.ts'
import { type FieldValue, optionsOf } from './field-labels.ts'

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
  /** What is worth knowing of a field's value, below it. */
  hint?: (name: string) => string | undefined
}

/** The inputs of an entity's fields, in the order of its table. */
export function FieldInputs({ fields, names, bind, currency, today, own = {}, hint }: FieldInputsProps) {
  return inputFields(fields, names).map(([name, field]) => (
    <Fragment key={name}>
      {own[name] ?? (
        <FieldInput
          name={name}
          field={field}
          bound={bind(name)}
          currency={currency}
          today={today}
          help={[field.help, hint?.(name)].filter(Boolean).join(' ')}
        />
      )}
    </Fragment>
  ))
}

interface FieldInputProps {
  name: string
  field: Field
  bound: object
  currency: string
  today: string | undefined
  help: string
}

function FieldInput({ name, field, bound, currency, today, help }: FieldInputProps) {
  const shared = { label: field.label, ...(help && { help }) }
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
    case 'word':
      return <SelectField options={choicesOf(name, text.value)} {...shared} {...text} />
    default:
      return <TextField {...shared} {...text} />
  }
}

// What the campaign pays for never changes, and with it what its bids may be optimized for.
function choicesOf(name: string, current: string) {
  const options = optionsOf(name)
  return name === 'bidOptimization'
    ? options.filter(({ value }) => optimizationsLike(current || null).includes(value))
    : options
}

/** What a form holds: texts, and numbers that are null while their input is empty. */
export type Draft = Record<string, string | number | null>

const isNumber = ({ kind }: Field): boolean => kind === 'money' || kind === 'percent'

/** A row as a form shows it at first. */
export function draftOf(fields: Fields, row: object): Draft {
  const values = row as Record<string, string | number | null>
  return Object.fromEntries(
    inputFields(fields).map(([name, field]) => [name, values[name] ?? (isNumber(field) ? null : '')]),
  )
}

/** Why a value cannot be saved; null when it can. */
type Checks = Record<string, (value: never) => string | null>

/** What a marketplace does not accept of amounts; no bid may pass the daily budget where that is given. */
export function amountChecks(limits: AdLimits | undefined, budget: number | null = null): Checks {
  if (!limits) return {}
  const checkBid = (bid: number | null) =>
    bid === null ? null : bidProblem(bid, limits, { budgetMicros: budget === null ? null : toMicros(budget) })
  return {
    bid: checkBid,
    defaultBid: checkBid,
    budget: (amount: number) => dailyBudgetProblem(amount, limits),
    lifetimeBudget: (amount: number) => lifetimeBudgetProblem(amount, limits),
  }
}

/** The schema of a form: that of each field's change, and the checks that know the row and the marketplace. */
export function formSchema(fields: Fields, checks: Checks, names?: readonly string[]) {
  const entries = inputFields(fields, names).map(([name, field]) => {
    // An empty choice or day stands for none until it is sent.
    const typed = field.kind === 'day' || field.kind === 'word' ? v.string() : (field.edit ?? v.unknown())
    const checked = v.rawCheck<unknown>(({ dataset, addIssue }) => {
      const problem = dataset.typed ? checks[name]?.(dataset.value as never) : null
      if (problem) addIssue({ message: problem })
    })
    return [name, v.pipe(typed, checked)] as const
  })
  return v.object(Object.fromEntries(entries))
}

/** Only what differs from the row, so that nothing else is overwritten, and what the same fields held before. */
export function editOf<Change extends object>(
  fields: Fields,
  row: object,
  values: object,
): { set: Change; was: Change } {
  const old = row as Record<string, unknown>
  const edited = Object.entries(values).flatMap(([name, value]) => {
    const isClearable = fields[name]?.kind === 'day' || fields[name]?.kind === 'word'
    const isNone = value === '' && (isClearable || (old[name] ?? null) === null)
    return [[name, isNone ? null : value]]
  })
  const changes = changesOf(fields, row, Object.fromEntries(edited))
  const set = Object.fromEntries(changes.map(({ name, after }) => [name, after]))
  // What no change may set cannot be restored either.
  const restorable = changes.filter(({ field, before }) => field.edit && v.is(field.edit, before))
  const was = Object.fromEntries(restorable.map(({ name, before }) => [name, before]))
  return { set: set as Change, was: was as Change }
}

const fieldMessages = v.record(v.string(), v.string())

/** The server's message for each rejected field; null when the error is about something else. */
export function rejectedFields(error: unknown): Record<string, string> | null {
  if (!(error instanceof ApiError) || error.code !== 'VALIDATION_FAILED') return null
  const parsed = v.safeParse(fieldMessages, error.extra.fields)
  if (!parsed.success) return null
  // Placements are rejected together; the first input shows the message.
  const { placements, ...others } = parsed.output
  return placements ? { ...others, TOP_OF_SEARCH: placements } : others
}

/** The fields of a form: those that people may change and type in. */
export function inputFields(fields: Fields, names: readonly string[] = editableNames(fields)): [string, Field][] {
  return names.flatMap((name): [string, Field][] => {
    const field = fields[name]
    return field && field.kind !== 'json' ? [[name, field]] : []
  })
}

/** How a campaign bids, as far as it tells what a click may cost. */
type Bidding = Pick<Campaign, 'biddingStrategy' | 'placements' | 'costType'>

/** What is worth knowing of an amount while it is typed: what the marketplace takes, and what it may cost. */
export function hintOf(
  name: string,
  value: FieldValue | undefined,
  limits: AdLimits | undefined,
  bidding?: Bidding,
): string | undefined {
  if (!limits) return undefined
  const { currency } = limits
  const amount = typeof value === 'number' && value > 0 ? value : null
  const range = (low: Micros, high: Micros): string =>
    `From ${formatMoney(fromMicros(low), currency)} to ${formatMoney(fromMicros(high), currency)}.`
  if (name === 'budget') {
    const busy = amount !== null && ` A busy day may cost up to ${formatMoney(amount * BUSY_DAY_FACTOR, currency)}.`
    return `${range(limits.minDailyBudgetMicros, limits.maxDailyBudgetMicros)}${busy || ''}`
  }
  if (name === 'lifetimeBudget') return range(limits.minLifetimeBudgetMicros, limits.maxLifetimeBudgetMicros)
  if (name !== 'bid' && name !== 'defaultBid') return undefined
  const isPerClick = bidding && bidding.costType !== 'VCPM'
  const most = amount !== null && isPerClick && ` ${clickHint(amount, bidding, currency)}`
  return `${range(limits.minBidMicros, limits.maxBidMicros)}${most || ''}`
}

/** What a click may cost at a bid, at worst. */
function clickHint(bid: number, bidding: Omit<Bidding, 'costType'>, currency: string): string {
  const most = worstCaseClick(bid, bidding)
  return most > bid
    ? `With the campaign’s strategy and placements a click may cost up to ${formatMoney(most, currency)}.`
    : 'A click costs at most this bid.'
}
