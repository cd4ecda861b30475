import { expect, test } from 'vitest'
import { nameAgain } from './name-again.ts'

test.each([
  ['Mats', 'Mats (2)'],
  ['Mats (2)', 'Mats (3)'],
  ['Mats (9)', 'Mats (10)'],
  ['Mats 2026', 'Mats 2026 (2)'],
  ['(2)', '(2) (2)'],
])('after “%s” comes “%s”', (name, next) => {
  expect(nameAgain(name)).toBe(next)
})
test('a long name gives way to its number, and is never cut within a character', () => {
  expect(nameAgain('m'.repeat(100))).toBe(`${'m'.repeat(96)} (2)`)
  expect(nameAgain(`${'m'.repeat(95)}🧄🧄`)).toBe(`${'m'.repeat(95)} (2)`)
})
