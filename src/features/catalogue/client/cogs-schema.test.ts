import { expect, it } from 'vitest'
import { errorsOf } from '#client/ui/forms/use-form.ts'
import { cogsSchema } from './mutations.ts'

const faultOf = (cogs: number | null, currency = 'USD') => errorsOf(cogsSchema(currency), { cogs }).cogs

it.each([0, 0.01, 4.5, 1_000_000_000])('takes %d as a cost', cogs => expect(faultOf(cogs)).toBeUndefined())
it('asks for a cost that was not entered', () => expect(faultOf(null)).toBe('Enter what one unit costs you'))
it('takes no cost outside the range that the server takes', () => {
  expect(faultOf(-0.01)).toBe('Must be at least 0')
  expect(faultOf(1_000_000_000.01)).toBe('Must be at most 1,000,000,000')
  expect(faultOf(Number.POSITIVE_INFINITY)).toBe('Must be a number')
})
it('takes no amount that the currency cannot express', () => {
  expect(faultOf(4.505)).toBe('USD has no such small amounts')
  expect(faultOf(0.000_000_1)).toBe('USD has no such small amounts')
  expect(faultOf(450.5, 'JPY')).toBe('JPY has no such small amounts')
  expect(faultOf(450, 'JPY')).toBeUndefined()
})
