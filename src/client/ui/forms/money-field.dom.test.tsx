import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { useState } from 'react'
import { MoneyField, NumberField } from './number-field.tsx'

afterEach(cleanup)

/** A bid that is entered, and set from elsewhere: restored, suggested, changed with others. At least zero, as a budget is. */
function Bid({
  from,
  currency = 'USD',
  set = [],
}: {
  from: number | null
  currency?: string
  set?: (number | null)[]
}) {
  const [bid, setBid] = useState(from)
  return (
    <>
      <MoneyField
        label="Bid"
        name="bid"
        currency={currency}
        value={bid}
        onChange={value => setBid(value === null ? null : Math.max(0, value))}
      />
      {set.map(value => (
        <button key={String(value)} type="button" onClick={() => setBid(value)}>
          Set {String(value)}
        </button>
      ))}
      <output>{String(bid)}</output>
    </>
  )
}
const field = () => screen.getByLabelText<HTMLInputElement>('Bid')
const status = () => screen.getByRole('status').textContent
const type = (text: string) => fireEvent.change(field(), { target: { value: text } })

it.each([
  [1.7, 'USD', '1.70'],
  [2, 'EUR', '2.00'],
  [0.05, 'GBP', '0.05'],
  [170, 'JPY', '170'],
  [1234.5, 'USD', '1234.50'],
])('%d in %s is shown as %s: with the digits of its currency', (bid, currency, shown) => {
  render(<Bid from={bid} currency={currency} />)
  expect(field().value).toBe(shown)
})
it('what is set from elsewhere is shown with its digits too, and nothing when it is taken away', () => {
  render(<Bid from={1.75} set={[0.9, null]} />)
  fireEvent.click(screen.getByText('Set 0.9'))
  expect(field().value).toBe('0.90')
  fireEvent.click(screen.getByText('Set null'))
  expect(field().value).toBe('')
})
it('what is being typed is never rewritten, only when the field is left', () => {
  render(<Bid from={null} />)
  field().focus()
  for (const text of ['1', '1.', '1.7', '1,', '1,7', '', '.', '.5', '-', '-3']) {
    type(text)
    expect(field().value).toBe(text)
  }
  expect(status()).toBe('0')
  fireEvent.blur(field())
  expect(field().value).toBe('0.00')
  type('1,7')
  fireEvent.blur(field())
  expect([field().value, status()]).toEqual(['1.70', '1.7'])
})
it('what is set from elsewhere while the field is being typed in is shown', () => {
  render(<Bid from={1.75} set={[0.9, null]} />)
  field().focus()
  type('1.8')
  fireEvent.click(screen.getByText('Set 0.9'))
  expect(field().value).toBe('0.90')
  type('-2')
  fireEvent.click(screen.getByText('Set null'))
  expect(field().value).toBe('')
})
it('more digits than the currency has stay in sight, and so does what is no number', () => {
  render(<Bid from={1.705} />)
  expect(field().value).toBe('1.705')
  for (const text of ['2.345', 'two']) {
    type(text)
    fireEvent.blur(field())
    expect(field().value).toBe(text)
  }
})
it('a yen that is typed with digits keeps them, so that its fault can be seen', () => {
  render(<Bid from={170} currency="JPY" />)
  type('170.5')
  fireEvent.blur(field())
  expect([field().value, status()]).toEqual(['170.5', '170.5'])
})
it('a number that is no money keeps the digits it has', () => {
  render(<NumberField label="Bid" name="share" value={12.5} onChange={() => undefined} />)
  fireEvent.blur(field())
  expect(field().value).toBe('12.5')
})
