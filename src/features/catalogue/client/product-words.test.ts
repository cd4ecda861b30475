import { expect, it } from 'vitest'
import { eligibilityWords, nameOf, shortened, spoken } from './product-words.ts'

it('calls a product by its title, else its ASIN, else its SKU', () => {
  expect(nameOf({ title: 'Mug', asin: 'B000000001', sku: 'M-1' })).toBe('Mug')
  expect(nameOf({ title: '  ', asin: 'B000000001', sku: 'M-1' })).toBe('B000000001')
  expect(nameOf({ title: null, asin: null, sku: 'M-1' })).toBe('M-1')
})
it('shortens absurd texts, and never in the middle of an emoji', () => {
  expect(shortened('x'.repeat(60))).toBe('x'.repeat(60))
  expect(shortened('x'.repeat(61))).toBe(`${'x'.repeat(59)}…`)
  const family = '👨‍👩‍👧‍👦'
  expect(shortened(family.repeat(80))).toMatch(new RegExp(`^(${family}){1,59}…$`, 'u'))
  expect(shortened('x'.repeat(100_000)).length).toBe(60)
})
it('gives the marketplace’s own reason before ours', () => {
  const words = eligibilityWords({ spEligibilityStatus: 'INELIGIBLE', spEligibilityMessage: 'Not in the Buy Box' })
  expect(words).toEqual({ label: 'Not eligible', tone: 'danger', reason: 'Not in the Buy Box' })
})
it('says why a product without a reason may not be advertised, and that an unknown answer is unknown', () => {
  const reasonOf = (spEligibilityStatus: 'INELIGIBLE' | 'ELIGIBLE' | null) =>
    eligibilityWords({ spEligibilityStatus, spEligibilityMessage: ' ' })
  expect(reasonOf('INELIGIBLE').reason).toBe('This product is not eligible for Sponsored Products campaigns.')
  expect(reasonOf('ELIGIBLE')).toEqual({ label: 'Eligible', tone: 'good', reason: null })
  expect(reasonOf(null).label).toBe('Eligibility not known')
})
it.each([
  ['IN_STOCK', 'In stock'],
  ['new_new', 'New'],
  ['used_very_good', 'Used very good'],
  ['New', 'New'],
])('says the marketplace’s code %s as %s', (code, words) => expect(spoken(code)).toBe(words))
