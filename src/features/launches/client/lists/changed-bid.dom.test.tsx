import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { marketplaces } from '#shared/marketplaces.ts'
import { ChosenItems } from './chosen-items.tsx'
import type { EditedList } from './edit-list.ts'
import { type ListItems, listFacts } from './list-changes.ts'

afterEach(cleanup)

type Target = ListItems['productTargets']
const unused = () => expect.unreachable()

/** The bid of an item after a change of all bids; a second item makes it a list. */
function changed(item: Omit<Target, 'asin'>, key: string, change: () => void): number | null | undefined {
  const market = marketplaces.find(m => m.key === key)
  if (!market) throw new Error(`There is no ${key}`)
  let bids: Readonly<Record<string, number | null>> = {}
  const items = [
    { asin: 'first', ...item },
    { asin: 'other', bid: 1, lowBid: 1, medianBid: 1, highBid: 1 },
  ]
  const list: EditedList<Target> = {
    ...listFacts.productTargets,
    scope: 'targets',
    market,
    items,
    ids: new Set(),
    setBids: next => {
      bids = next
    },
    add: unused,
    remove: unused,
  }
  render(<ChosenItems list={list} detailOf={() => 'Product'} />)
  change()
  cleanup()
  return bids['first']
}
const press = (name: string) => fireEvent.click(screen.getByText(name, { selector: 'button' }))
function type(field: string, text: string, button: string) {
  fireEvent.change(screen.getByLabelText(field), { target: { value: text } })
  press(button)
}
const setAll = (bid: string) => () => type('Same bid for all', bid, 'Set all')
const byPercent = (percent: number) => () => type('Change by percent (minus lowers)', String(percent), 'Change all')
const suggested = (level: string) => () => press(level)

it('sets, raises and lowers in the digits of the currency', () => {
  expect(changed({ bid: 1 }, 'US', setAll('0.55'))).toBe(0.55)
  expect(changed({ bid: 1.11 }, 'US', byPercent(15))).toBe(1.28)
  expect(changed({ bid: 0.8 }, 'US', byPercent(-50))).toBe(0.4)
  expect(changed({ bid: 101 }, 'JP', byPercent(1))).toBe(102)
})
it('stays within what the marketplace takes', () => {
  expect(changed({ bid: 0.03 }, 'US', byPercent(-90))).toBe(0.02)
  expect(changed({ bid: 900 }, 'US', byPercent(50))).toBe(1000)
  expect(changed({ bid: 900 }, 'US', byPercent(1e15))).toBe(1000)
  expect(changed({ bid: 1, highBid: 7.3 }, 'EG', suggested('High'))).toBe(5.5)
  expect(changed({ bid: 30, lowBid: 37.6 }, 'JP', suggested('Low'))).toBe(38)
})
it('takes what is suggested, and leaves the rest alone', () => {
  const range = { bid: 1, lowBid: 0.5, medianBid: 0.9, highBid: 1.4 }
  expect(changed(range, 'US', suggested('High'))).toBe(1.4)
  expect(changed({ bid: 1 }, 'US', suggested('High'))).toBe(1)
})
