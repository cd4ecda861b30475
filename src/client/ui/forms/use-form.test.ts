import * as v from 'valibot'
import { expect, it } from 'vitest'
import { rangeSearch, resolveRange } from './date-range.ts'
import { errorsOf } from './use-form.ts'
import { readNumber } from './number-field.tsx'

const schema = v.object({
  name: v.pipe(v.string(), v.nonEmpty('Name is required'), v.maxLength(5, 'Too long')),
  address: v.optional(v.object({ city: v.string('City is required') })),
})

it('gives the first message of each field by its path', () => {
  expect(errorsOf(schema, { name: '', address: { city: 3 } })).toEqual({
    name: 'Name is required',
    'address.city': 'City is required',
  })
  expect(errorsOf(schema, { name: 'ok' })).toEqual({})
})
it.each([
  ['1.5', 1.5],
  ['1,5', 1.5],
  ['1,234', 1234],
  ['1 234,50', 1234.5],
  ['.5', 0.5],
  ['1.234,56', 1234.56],
  ['-1.234.567,5', -1234567.5],
  ['$20', 20],
  ['12,50 €', 12.5],
  ['$', null],
  ['', null],
  ['1.2.3', null],
  ['1,50,00', null],
  ['12,34,567', 1234567],
  ['−2,5', -2.5],
  ['abc', null],
])('reads %s as %s where a point comes before decimals', (text, value) => expect(readNumber(text, '.')).toBe(value))
it.each([
  ['1,50', 1.5],
  ['1.50', 1.5],
  ['1,500', 1.5],
  ['1.500', 1500],
  ['0.125', 0.125],
  ['1.234,56', 1234.56],
  ['1,234.56', 1234.56],
  ['1.234.567', 1234567],
  ['1 234,5', 1234.5],
  ['1.50,00', null],
])('reads %s as %s where a comma does', (text, value) => expect(readNumber(text, ',')).toBe(value))

it('is the last 30 days by default, including today', () => {
  expect(resolveRange({}, '2026-11-18')).toEqual({ from: '2026-10-20', to: '2026-11-18' })
  expect(resolveRange({ days: 7 }, '2026-11-18')).toEqual({ from: '2026-11-12', to: '2026-11-18' })
  expect(resolveRange({ from: '2026-11-05', to: '2026-11-01' }, '2026-11-18')).toEqual({
    from: '2026-11-01',
    to: '2026-11-05',
  })
})
it('drops what is broken in the search params', () => {
  const search = v.object(rangeSearch)
  expect(v.parse(search, { days: 8, from: '2026-02-30', to: 3 })).toEqual({
    days: undefined,
    from: undefined,
    to: undefined,
  })
  expect(v.parse(search, { days: 60 })).toEqual({ days: 60 })
})
