import { useState } from 'react'
import { currencyDigits } from '#shared/money.ts'
import { decimalSign } from '#shared/region-format.ts'
import { region } from '../../api/region.ts'
import { formatEntered } from '../figures/format.ts'
import { FieldFrame, type FieldProps } from './fields.tsx'

export interface NumberFieldProps extends FieldProps<number | null> {
  digits?: number
  prefix?: string
  suffix?: string
  placeholder?: string
  /** The field may be empty; what is no number is then answered as NaN, so that it is not taken for an empty field. */
  optional?: boolean
}

const grouped = (sign: string) => new RegExp(`^-?[1-9]\\d{0,2}(\\${sign}\\d{2,3})*\\${sign}\\d{3}$`)

/**
 * The number that a text stands for, or null when it is none. Both a point and a comma can come before the decimals, on any
 * keyboard: the later of the two does, and one alone unless it parts groups of three digits the user's way (`sign` is the
 * user's own decimal sign). What could be read in no such way is no number, rather than one a hundred times as large.
 */
export function readNumber(text: string, sign = decimalSign(region().locale)): number | null {
  const bare = text
    .replace(/[\s'’]/g, '')
    .replace('−', '-')
    .replace(/^[$€£¥￥₹₺]|[$€£¥￥₹₺]$/, '')
  const [point, comma] = [bare.lastIndexOf('.'), bare.lastIndexOf(',')]
  const decimal = point < 0 && comma < 0 ? sign : decimalIn(bare, point, comma, sign)
  const group = decimal === ',' ? '.' : ','
  const [whole = '', ...decimals] = bare.split(decimal)
  if (decimals.length > 1 || decimals[0]?.includes(group)) return null
  if (whole.includes(group) && !grouped(group).test(whole)) return null
  const plain = [whole.replaceAll(group, ''), ...decimals].join('.')
  return /^-?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : null
}

function decimalIn(bare: string, point: number, comma: number, sign: string): string {
  if (point >= 0 && comma >= 0) return point > comma ? '.' : ','
  const only = point >= 0 ? '.' : ','
  if (only === sign && bare.indexOf(only) === bare.lastIndexOf(only)) return only
  return grouped(only).test(bare) ? (only === '.' ? ',' : '.') : only
}

// More digits than there should be stay in sight, so that their fault does.
function padded(value: number, digits: number): string {
  const text = value.toFixed(digits)
  return Number(text) === value ? text : String(value)
}

/** A number; null while the field is empty or, unless it is `optional`, holds no number. */
export const NumberField = (props: NumberFieldProps) => (
  <WrittenNumber {...props} write={value => formatEntered(String(value))} />
)

/** An amount in a currency, shown with that currency's digits but while it is typed. */
export function MoneyField({
  currency,
  ...rest
}: Omit<NumberFieldProps, 'digits' | 'prefix' | 'suffix'> & { currency: string }) {
  const digits = currencyDigits(currency)
  return (
    <WrittenNumber {...rest} digits={digits} prefix={currency} write={value => formatEntered(padded(value, digits))} />
  )
}

interface WrittenNumberProps extends NumberFieldProps {
  write: (value: number) => string
}

function WrittenNumber(props: WrittenNumberProps) {
  const { label, error, help, value, onChange, onBlur, digits = 2, prefix, suffix, write, optional, ...rest } = props
  const typing = useTyping(value, write)
  const numberIn = (text: string) => readNumber(text) ?? (optional && text.trim() !== '' ? Number.NaN : null)
  return (
    <FieldFrame label={label} error={error} help={help}>
      {described => (
        <span className="field-with-affix">
          {prefix && <span aria-hidden="true">{prefix}</span>}
          <input
            {...described}
            {...rest}
            type="text"
            inputMode={digits > 0 ? 'decimal' : 'numeric'}
            autoComplete="off"
            value={typing.shown}
            onChange={event => {
              typing.type(event.target.value)
              onChange(numberIn(event.target.value))
            }}
            onBlur={() => {
              typing.leave()
              onBlur?.()
            }}
          />
          {suffix && <span aria-hidden="true">{suffix}</span>}
        </span>
      )}
    </FieldFrame>
  )
}

interface Typed {
  text: string
  /** What was made of it, which may be another number than it says: one in bounds. */
  answer?: { value: number | null }
}

// What is being typed ("1.") is not always what the number would be written as; it stays until the field is left, or the
// number is set from elsewhere meanwhile: a tap on a button does not leave a field on every device.
function useTyping(value: number | null, write: (value: number) => string) {
  const [typed, setTyped] = useState<Typed | null>(null)
  if (typed && !typed.answer) setTyped({ ...typed, answer: { value } })
  const isTyped = typed && (readNumber(typed.text) === value || Object.is(typed.answer?.value, value))
  return {
    shown: isTyped ? typed.text : value === null ? '' : write(value),
    type: (text: string) => setTyped({ text }),
    // What is no number stays, or nobody could see what is wrong.
    leave: () => setTyped(typed && readNumber(typed.text) === null ? typed : null),
  }
}
