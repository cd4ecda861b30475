import * as v from 'valibot'
import { expect, test } from 'vitest'
import type { Endpoint } from '#shared/define-endpoint.ts'
import { AppError } from '#shared/errors.ts'
import { parseInput } from '#server/http/parse-input.ts'
import { routes } from '../src/main/api.ts'

const endpoints = routes.map(route => route.endpoint)
const parts = ['params', 'query', 'body'] as const
type Part = (typeof parts)[number]

interface Inspected {
  type: string
  wrapped?: Inspected
  entries?: Record<string, Inspected>
  item?: Inspected
  pipe?: readonly Inspected[]
}
const unwrapped = (schema: Inspected): Inspected => (schema.wrapped ? unwrapped(schema.wrapped) : schema)
const entriesOf = (schema: Inspected): Record<string, Inspected> => unwrapped(schema).entries ?? {}

const wrongValues = [
  undefined,
  null,
  '',
  'no such thing',
  '-1',
  '1.5',
  -1,
  1.5,
  1e30,
  true,
  {},
  [],
  [{}],
  [null],
  { a: 1 },
  'x'.repeat(5000),
]

/** Inputs with one invalid value each, at every depth of the schema. */
function wrongInputs(schema: Inspected): unknown[] {
  const entries = Object.entries(entriesOf(schema))
  const within = entries.flatMap(([name, entry]) => {
    const inner = unwrapped(entry)
    const nested = inner.item ? wrongInputs(inner.item).map(one => [one]) : inner.entries ? wrongInputs(inner) : []
    return [...wrongValues, ...nested.slice(0, 200)].map(value => ({ [name]: value }))
  })
  return [...wrongValues, { unknownKey: 1 }, ...within]
}

function detailsOf(endpoint: Endpoint, part: Part, value: unknown): string[] {
  try {
    parseInput(endpoint, { params: {}, query: {}, body: {}, [part]: value })
    return []
  } catch (error) {
    if (error instanceof AppError) return error.details
    throw error
  }
}

const cases = endpoints.flatMap(endpoint =>
  parts.flatMap(part => (endpoint[part] ? [[`${endpoint.method} ${endpoint.path}`, part, endpoint] as const] : [])),
)

test('more than 40 inputs are covered', () => {
  expect(cases.length).toBeGreaterThan(40)
})

test.each(cases)('%s reports an invalid %s in our own sentences, not the validator’s', (_name, part, endpoint) => {
  const details = wrongInputs(endpoint[part] as unknown as Inspected).flatMap(value => detailsOf(endpoint, part, value))
  expect(details.length).toBeGreaterThan(0)
  const validators = details.filter(detail => /Invalid |Expected |[Rr]eceived|undefined|^.{0,3}$/.test(detail))
  expect(validators).toEqual([])
})

function endpoint(body: v.GenericSchema): Endpoint {
  return {
    method: 'POST',
    path: '/things',
    access: 'account',
    summary: 'Takes things',
    body,
    response: v.null(),
  }
}

test.each([
  [v.strictObject({ dailyBudget: v.number() }), {}, 'Daily budget is required'],
  [v.strictObject({ dailyBudget: v.number() }), { dailyBudget: 'ten' }, 'Daily budget must be a number'],
  [
    v.strictObject({ sortDir: v.picklist(['asc', 'desc']) }),
    { sortDir: 'up' },
    'The sort direction must be one of: asc, desc',
  ],
  [v.strictObject({}), { note: 1 }, 'The body has an unknown field, "note". Remove it'],
  [v.strictObject({ asins: v.array(v.string()) }), { asins: ['B0', 7] }, 'The list of ASINs: item 2 must be a text'],
  [
    v.strictObject({ name: v.pipe(v.string(), v.maxLength(3)) }),
    { name: 'abcd' },
    'Name must have at most 3 characters',
  ],
  [
    v.strictObject({ terms: v.pipe(v.array(v.string()), v.maxLength(1)) }),
    { terms: ['a', 'b'] },
    'Terms must have at most 1 items',
  ],
  [v.strictObject({ bid: v.nullable(v.pipe(v.number(), v.minValue(0))) }), { bid: -1 }, 'Bid must be at least 0'],
  [v.strictObject({ bid: v.number('Must be a number') }), { bid: 'x' }, 'Bid must be a number'],
  [v.strictObject({ name: v.string('Campaign name is required') }), { name: 1 }, 'Campaign name is required'],
])('problem %# names its field and says what to do', (body, value, sentence) => {
  expect(detailsOf(endpoint(body), 'body', value)).toEqual([sentence])
})
