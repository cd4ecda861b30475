import { loadModule } from 'libpg-query'
import { beforeAll, expect, test } from 'vitest'
import type { Recorded } from './record.ts'
import { type Exception, reportOf } from './report.ts'
import type { Schema } from './rules.ts'

const schema: Schema = {
  column: 'merchant_id',
  kindOf: table => (table === 'campaign' || table === 'target' ? 'distributed' : null),
  volatilityOf: () => 'immutable',
  isTime: () => false,
}
const statements: Recorded[] = [
  { from: 'src/a.ts', text: 'select 1 from campaign' },
  { from: 'src/a.ts', text: 'select 2 from campaign' },
  { from: 'src/b.ts', text: '/* prepared */ select 1 from target' },
  { from: 'src/b.ts', text: 'begin; select 1; commit' },
]
const untied: Exception = {
  from: ['src/a.ts', 'src/z.ts'],
  rules: ['untied'],
  what: ['campaign'],
  why: 'a job for all merchants',
}

beforeAll(() => loadModule())

test('each kind of breach in a file is named once, with its place', () => {
  const { problems, excepted } = reportOf(statements, schema, [])
  expect(problems).toHaveLength(2)
  expect(problems[0]).toMatch(
    /^src\/a\.ts: untied campaign\n {4}a distributed table.*\n {4}… select 1 from campaign …$/,
  )
  expect(problems[1]).toContain('src/b.ts: untied target')
  expect(excepted).toBe(0)
})

test('an exception is for its files, rule and table alone', () => {
  const { problems, excepted } = reportOf(statements, schema, [untied])
  expect(problems.map(problem => problem.split('\n')[0])).toEqual(['src/b.ts: untied target'])
  expect(excepted).toBe(1)
})

test('an exception that no statement needs is named, and excepts nothing', () => {
  const others: Exception[] = [
    { ...untied, from: ['src/c.ts'] },
    { ...untied, rules: ['many'] },
    { ...untied, what: ['target'] },
  ]
  const { problems, unneeded } = reportOf(statements, schema, others)
  expect(problems).toHaveLength(2)
  expect(unneeded).toEqual(['src/c.ts: untied', 'src/a.ts, src/z.ts: many', 'src/a.ts, src/z.ts: untied'])
})
