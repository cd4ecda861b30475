import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { AppError } from '#shared/errors.ts'
import { inputLimits } from './parse-input.ts'
import { parseInput } from './parse-input.ts'

let visits = 0
const counted = v.pipe(
  v.unknown(),
  v.check(() => {
    visits += 1
    return true
  }),
)
const item = v.pipe(counted, v.string('Must be a text'))
const endpoint = defineEndpoint({
  method: 'POST',
  path: '/lists',
  access: 'account',
  summary: 'Takes lists',
  body: v.strictObject({
    items: v.optional(v.array(item), []),
    rows: v.optional(v.array(v.strictObject({ name: item })), []),
    any: v.optional(v.unknown()),
  }),
  response: v.null(),
})

const parse = (body: unknown) => parseInput(endpoint, { params: {}, query: {}, body })
function failureOf(body: unknown): AppError {
  visits = 0
  try {
    parse(body)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('the body was accepted')
}
const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown

describe('a hostile body', () => {
  test.each([20_000, 40_000, 150_000])('of %i wrong items is read as far as its first problems', count => {
    const { code, details } = failureOf({ items: Array(count).fill(1) })
    expect([code, details.length]).toEqual(['VALIDATION_FAILED', inputLimits.problems])
    expect(visits).toBeLessThan(20 * inputLimits.problems)
  })

  test('of wrong items within objects is read as far as its first problems', () => {
    const { details } = failureOf({ rows: Array.from({ length: 40_000 }, () => ({ name: 1 })) })
    expect(details).toHaveLength(inputLimits.problems)
    expect(visits).toBeLessThan(20 * inputLimits.problems)
  })

  test('has its odd texts reported up to the limit, each field once', () => {
    const { details, extra } = failureOf({ any: Array(60_000).fill('\0') })
    expect(details).toHaveLength(inputLimits.problems)
    expect(Object.keys(extra.fields ?? {})[0]).toBe('any.0')
  })

  test.each([
    ['5,000 lists deep', nested(5000), 'too deep'],
    ['a million lists deep', nested(1_000_000), 'too deep'],
    ['of 200,000 items', Array(200_000).fill(1), '200,000 values'],
    ['with a text of a megabyte', 'x'.repeat(1_000_000), '10,000 characters'],
    ['with a name of a megabyte', { ['x'.repeat(1_000_000)]: 1 }, '10,000 characters'],
  ])('%s is refused before a schema sees it', (_name, any, words) => {
    const { code, details } = failureOf({ any, items: Array(10).fill('a') })
    expect(code).toBe('VALIDATION_FAILED')
    expect(details).toEqual([expect.stringContaining(words)])
    expect(visits).toBe(0)
  })

  test('with unknown fields reports one of them', () => {
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`field${i}`, 1]))
    expect(failureOf(many).details).toHaveLength(1)
  })
})

test('a body with a problem in each field has all of them reported', () => {
  const { extra } = failureOf({ items: [1, 'a', 2], rows: [{ name: 3 }], any: '\ud800' })
  expect(Object.keys(extra.fields ?? {})).toEqual(['items.0', 'items.2', 'rows.0.name', 'any'])
})

test('a large body without a problem is parsed whole', () => {
  const body = { items: Array<string>(100_000).fill('a'), rows: [] }
  expect(parse(body)).toEqual({ body })
})
