import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type ExchangeRates, shippedRates, toExchangeRates } from '#shared/exchange-rates.ts'
import { servicesWithOutside } from '../../../../tests/support/outside.ts'
import { currentRates } from './public.ts'
import { implausibleCurrencies, refreshRates } from './refresh-rates.job.ts'

let opened: Awaited<ReturnType<typeof servicesWithOutside>>
const run = { id: 'test', attempt: 0, lastAttempt: false, signal: new AbortController().signal }
function refresh(now: Date) {
  const { services, sandbox } = opened
  sandbox.world.clock.set(now)
  return refreshRates.run({ ...services, clock: sandbox.world.clock }, {}, run)
}
const storedRates = () => currentRates(opened.services.db.system)
const store = ({ day, perEuro }: ExchangeRates) =>
  opened.services.db.system
    .insertInto('exchange_rate')
    .values(Object.entries(perEuro).map(([currency, per_euro]) => ({ day, currency, per_euro })))
    .execute()
const published = ({ world }: typeof opened.sandbox, path: string) => world.journal.list({ vendor: 'ecb', path }).length

beforeAll(async () => {
  opened = await servicesWithOutside()
})
afterEach(() => opened.sandbox.world.faults.clear())
afterAll(() => opened.services.close())

test('before the bank was reached the shipped table counts, with its own day', async () => {
  expect(await storedRates()).toEqual(shippedRates)
})

test('the bank’s newest rates are stored by their day, pegged currencies among them', async () => {
  await refresh(new Date('2026-11-20T18:00:00Z'))
  const rates = await storedRates()
  expect(rates.day).toBe('2026-11-20')
  expect(rates.perEuro.AED).toBeCloseTo((rates.perEuro.USD ?? 0) * 3.6725, 6)
  expect(Object.keys(rates.perEuro)).toEqual(expect.arrayContaining(Object.keys(shippedRates.perEuro)))
})

test('a merchant’s cached answers end with the rates they were made with', async () => {
  const { db } = opened.services
  await db.system.insertInto('tenant_version').values({ merchant_id: 7, version: 3 }).execute()
  await refresh(new Date('2026-11-23T18:00:00Z'))
  const raised = await db.system.selectFrom('tenant_version').select('version').where('merchant_id', '=', 7).execute()
  expect([(await storedRates()).day, raised]).toEqual(['2026-11-23', [{ version: 4 }]])
})

test.each([
  ['answers with an error', { kind: 'status', status: 503 }],
  ['cannot be reached', { kind: 'drop-before' }],
  ['sends half a file', { kind: 'malformed' }],
] as const)(
  'while the bank %s the last known rates stay in use and nothing fails',
  async (_what, fault) => {
    const before = await storedRates()
    opened.sandbox.world.faults.add({ match: { vendor: 'ecb' }, times: 100, ...fault })
    await refresh(new Date(opened.sandbox.world.clock.now().getTime() + 86_400_000))
    expect(await storedRates()).toEqual(before)
  },
  60_000,
)

test('rates never go back to an older day', async () => {
  const { db } = opened.services
  await store({ ...(await storedRates()), day: '2027-05-03' })
  const before = await storedRates()
  await refresh(new Date('2027-05-03T09:00:00Z'))
  expect(published(opened.sandbox, '/ecb/stats/eurofxref/eurofxref-daily.xml')).toBeGreaterThan(0)
  expect(await storedRates()).toEqual(before)
  await db.system.deleteFrom('exchange_rate').where('day', '=', '2027-05-03').execute()
})

test('a table in which a currency jumped is left out', async () => {
  const { db } = opened.services
  const { day, perEuro } = await storedRates()
  await store({ day: '2027-06-01', perEuro: { ...perEuro, JPY: (perEuro.JPY ?? 0) * 100 } })
  await refresh(new Date('2027-06-02T18:00:00Z'))
  expect((await storedRates()).day).toBe('2027-06-01')
  await db.system.deleteFrom('exchange_rate').where('day', '=', '2027-06-01').execute()
  expect((await storedRates()).day).toBe(day)
})

test('how far a rate may move grows with the days between two tables', () => {
  const on = (date: string, change: number) =>
    toExchangeRates(date, Object.fromEntries(Object.entries(shippedRates.perEuro).map(([c, r]) => [c, r * change])))
  const before = on('2027-03-01', 1)
  expect(implausibleCurrencies(before, on('2027-03-02', 1.2))).toEqual([])
  expect(implausibleCurrencies(before, on('2027-03-02', 1.3))).toContain('TRY')
  expect(implausibleCurrencies(before, on('2027-03-02', 0.7))).toContain('GBP')
  expect(implausibleCurrencies(before, on('2027-03-15', 1.4))).toEqual([])
  expect(implausibleCurrencies(before, toExchangeRates('2027-03-02', { USD: 1.1 }))).toContain('JPY')
})
