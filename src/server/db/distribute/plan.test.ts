import { expect, test } from 'vitest'
import { type FoundTable, planOf } from './plan.ts'

const table = (name: string, part: Partial<FoundTable> = {}): FoundTable => ({
  name,
  kind: 'local',
  hasMerchant: true,
  refersTo: [],
  policies: [],
  hasRows: false,
  ...part,
})
const condition = '(merchant_id = ANY (( SELECT current_merchants() AS current_merchants)::bigint[]))'
const says = (tables: FoundTable[], nodesWithoutRole: string[] = []) =>
  planOf({ tables, nodesWithoutRole }, 8).map(step => step.says)

test('the merchants come first, each table after those that it refers to, and what was copied goes in the opposite order', () => {
  const tables = [
    table('account', { hasMerchant: false, hasRows: true }),
    table('ad_group', { refersTo: ['campaign'], hasRows: true }),
    table('campaign', { hasRows: true }),
    table('exchange_rate', { hasMerchant: false, hasRows: true }),
    table('merchant'),
    table('tenant_version', { hasRows: true }),
  ]
  expect(says(tables, ['10.0.0.2:5432'])).toEqual([
    'the role tideline_app may log in on 10.0.0.2:5432',
    'merchant: spread over the workers by merchant',
    'campaign: spread over the workers by merchant',
    'ad_group: spread over the workers by merchant',
    'exchange_rate: a copy on every node',
    "tenant_version: on the coordinator, in the cluster's metadata",
    "ad_group: remove the coordinator's copy of its rows",
    "campaign: remove the coordinator's copy of its rows",
  ])
})

test('what was begun is finished: only what is missing is planned', () => {
  const tables = [
    table('merchant', { kind: 'distributed' }),
    table('campaign', { kind: 'distributed', hasRows: true }),
    table('target', { refersTo: ['campaign'] }),
    table('exchange_rate', { hasMerchant: false, kind: 'reference' }),
    table('tenant_version', { kind: 'managed', hasRows: true }),
  ]
  expect(says(tables)).toEqual([
    'target: spread over the workers by merchant',
    "campaign: remove the coordinator's copy of its rows",
  ])
  expect(says(tables.filter(({ name }) => name !== 'target').map(one => ({ ...one, hasRows: false })))).toEqual([])
})

test('a policy loses its subquery in the statement that moves its table, and keeps its other conditions', () => {
  const policies = [
    { name: 'tenant', condition },
    { name: 'shared', condition: `((merchant_id IS NULL) OR ${condition})` },
    { name: 'free', condition: 'true' },
  ]
  const [step] = planOf({ tables: [table('merchant', { policies })], nodesWithoutRole: [] }, 8)
  expect(step?.sql.split('; ')).toEqual([
    'alter policy "tenant" on "merchant" using ((merchant_id = ANY (current_merchants())))',
    'alter policy "shared" on "merchant" using (((merchant_id IS NULL) OR (merchant_id = ANY (current_merchants()))))',
    "select create_distributed_table('merchant', 'merchant_id', colocate_with => 'none', shard_count => 8)",
  ])
})

test.each([
  ['nowhere to put', [table('stray', { hasMerchant: false })], /no merchant_id.*: stray\.$/],
  ['spread otherwise', [table('merchant', { kind: 'reference' })], /another way already: merchant \(reference\)/],
  [
    'that refer to each other',
    [table('a', { refersTo: ['b'] }), table('b', { refersTo: ['a'] })],
    /refer to each other/,
  ],
])('tables %s are refused by name', (_, tables, sentence) => {
  expect(() => says(tables)).toThrow(sentence)
})
