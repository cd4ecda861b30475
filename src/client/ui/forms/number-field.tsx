import { useState } from 'react'
import { currencyDigits } from '#shared/money.ts'
import { type FieldProps, FieldFrame } from './field.tsx'

export interface NumberFieldProps extends FieldProps<number | null> {
  /** Decimals allowed; 0 asks for a whole number. */
  digits?: number
  /** Written before or after the number: a currency, a percent sign. */
  prefix?: string
  suffix?: string
  placeholder?: string
}

/** The number that a text stands for, or null when it is none. Takes a comma for the decimal point. */
export const readNumber = (text: string): number | null => {
  const plain = text
    .trim()
    .replace(/\s/g, '')
    .replace(/,(?=\d{1,2}$)/, '.')
    .replaceAll(',', '')
  return /^-?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : null
}

/** A number; null while the field is empty or holds no number. */
export const NumberField = ({
  label,
  error,
  help,
  value,
  onChange,
  digits = 2,
  prefix,
  suffix,
  ...rest
}: NumberFieldProps) => {
  // What is being typed ("1.") is not always what the number would be written as.
  const [text, setText] = useState(value === null ? '' : String(value))
  const shown = readNumber(text) === value ? text : value === null ? text : String(value)
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
            value={shown}
            onChange={event => {
              setText(event.target.value)
              onChange(readNumber(event.target.value))
            }}
          />
          {suffix && <span aria-hidden="true">{suffix}</span>}
        </span>
      )}
    </FieldFrame>
  )
}

/** An amount in a currency, with that currency's digits. */
export const MoneyField = ({
  currency,
  label,
  ...rest
}: Omit<NumberFieldProps, 'digits' | 'prefix' | 'suffix'> & { currency: string }) => (
  <NumberField {...rest} label={label} digits={currencyDigits(currency)} prefix={currency} />
)
