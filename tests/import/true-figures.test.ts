import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { differingDays, receiveHours, reconcile, subscribeHours } from '#features/metrics/server/public.ts'
import { onboardingJobs } from '#features/onboarding/server/jobs.ts'
import { reconcileFigures } from '#features/onboarding/server/jobs/reconcile-figures.job.ts'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { mailJobs } from '#server/mail/outbox.ts'
import { adTypes } from '#shared/campaign-rules.ts'
import { addDays } from '#shared/time.ts'
import { expectTrueBudgets, expectTrueHours, expectTrueMonth } from '../support/true-hours.ts'
import { expectTrueLists } from '../support/true-lists.ts'
import { expectTrueProducts, importProducts } from '../support/true-products.ts'
import { expectTrueReasons } from '../support/true-reasons.ts'
import { openTrueWorld, signal, trueCountries, type TrueWorld } from '../support/true-world.ts'

// Every figure of every screen against the marketplace's own books, to the cent: three currencies and time zones, all ad
// types, days of 23 and 25 hours, young days as they are reported at that moment. One world, whose time only moves here.

// Months of figures take minutes in the embedded database; the same statements run on a server in half of that.
const needsServer = process.env['TEST_DATABASE_URL'] === undefined
const countries = needsServer ? trueCountries.slice(1, 2) : trueCountries

let trueWorld: TrueWorld
let services: Services
const profileOf = (country: string) => trueWorld.profileOf(country)
const today = (country: string) => trueWorld.today(country)

beforeAll(async () => {
  trueWorld = await openTrueWorld(new Date('2026-04-02T17:05:00Z'), [...onboardingJobs, ...mailJobs])
  services = trueWorld.services
})
afterAll(() => trueWorld.close())

test.each(countries)(
  'in $country every figure is the marketplace’s, young days and the day of 23 hours included',
  async ({ country }) => {
    const days = { from: '2026-03-06', to: today(country) }
    const byViews = trueWorld.books(country, days, fact => (fact.purchases.some(one => one.byView) ? 'views' : null))
    // Few of them sell; in Japan none did.
    if (country !== 'JP') expect(byViews.get('views')?.orders).toBeGreaterThan(0)
    await trueWorld.pull(country, days)
    await expectTrueLists(trueWorld, country, days)
    const short = { US: '2026-03-08', DE: '2026-03-29', JP: '2026-03-29' }[country]
    await expectTrueLists(trueWorld, country, { from: short, to: short })
  },
)

test.each(countries)(
  'in $country stock, sales of products, profit, budgets and the reasons of a change are the marketplace’s',
  async ({ country }) => {
    const days = { from: addDays(today(country), -6), to: today(country) }
    await importProducts(trueWorld, country, days)
    await expectTrueProducts(trueWorld, country, days)
    await expectTrueReasons(trueWorld, country, { from: addDays(days.to, -13), to: days.to })
    await expectTrueBudgets(trueWorld, country, 'DAYS')
    await expectTrueMonth(trueWorld, country)
  },
)

test.skipIf(needsServer)(
  'nothing counts twice or goes back in time after pulls that overlap, fail halfway or end in another order',
  async () => {
    const country = 'US'
    const { pull, pullAgain, world } = trueWorld
    const days = { from: '2026-03-06', to: today(country) }
    const recent = { from: addDays(days.to, -9), to: days.to }
    trueWorld.pass(7)
    // The reports of this one are made now, and read when others have brought newer figures.
    const breakOff = async (share: number) => {
      if (share > 0.4) throw new Error('the process is ending')
    }
    await expect(pull(country, recent, { onProgress: breakOff })).rejects.toThrow('the process is ending')
    trueWorld.pass(5)
    world.faults.add({
      match: { vendor: 'ads', method: 'POST', path: '/reporting/reports' },
      kind: 'report-failed',
      times: 2,
    })
    await Promise.all([
      pullAgain(country, { from: addDays(days.to, -20), to: days.to }),
      pullAgain(country, { from: addDays(days.to, -4), to: days.to }),
    ])
    await expectTrueLists(trueWorld, country, recent)
    await pull(country, recent)
    await expectTrueLists(trueWorld, country, recent)
    await pull(country, recent)
    await expectTrueLists(trueWorld, country, { ...recent, from: addDays(days.to, -20) })
  },
)

describe.skipIf(needsServer)('in autumn', () => {
  // Half a day before Germany's clocks go back.
  const since = new Date('2026-10-24T12:05:00Z')
  const days = { from: '2026-10-20', to: '2026-11-03' }
  const receive = () => receiveHours(services, new Date(services.clock.now().getTime() + 120_000), signal)

  beforeAll(async () => {
    trueWorld.moveTo(since)
    for (const { country } of trueCountries) await subscribeHours(services, profileOf(country))
    await receive()
    trueWorld.pass(50)
    expect(await receive()).toBeGreaterThan(0)
    // What was taken from the queue and not acknowledged in time comes again.
    trueWorld.world.clock.advance(60_000)
    await receive()
  })

  test.each(trueCountries)(
    'every hour and today’s budgets are the marketplace’s, the hour that comes twice included, in $country',
    async ({ country }) => {
      await expectTrueHours(trueWorld, country, since)
      await expectTrueBudgets(trueWorld, country, 'HOURS')
    },
  )

  test.each(trueCountries)(
    'every figure is the marketplace’s over the day of 25 hours, in $country',
    async ({ country }) => {
      trueWorld.moveTo(new Date('2026-11-03T12:05:00Z'))
      await trueWorld.pull(country, { from: days.from, to: today(country) })
      await expectTrueLists(trueWorld, country, days)
      const long = { US: '2026-11-01', DE: '2026-10-25', JP: '2026-10-25' }[country]
      await expectTrueLists(trueWorld, country, { from: long, to: long })
    },
  )
})

describe.skipIf(needsServer)('the daily check', () => {
  const country = 'US'
  const run = () => reconcile(services, profileOf(country), signal)
  const outcomes = async () => {
    const { rows } = await sql<{ outcome: string; days: number }>`select outcome, count(*)::int as days
      from reconciliation where profile_id = ${profileOf(country).profileId} group by 1 order by 1`.execute(
      services.db.system,
    )
    return Object.fromEntries(rows.map(row => [row.outcome, row.days]))
  }
  const settled = '2026-10-16'
  const settledDay = () => {
    const { merchantId, profileId } = profileOf(country)
    return sql`merchant_id = ${merchantId} and profile_id = ${profileId} and date = ${settled}`
  }
  const cost = async (table: string, db: Db = services.db.system) => {
    const { rows } = await sql<{ cost: number }>`select sum(cost_micros) as cost from ${sql.table(table)}
      where ${settledDay()}`.execute(db)
    return rows[0]?.cost ?? 0
  }

  test('finds a day that is broken in our database, and imports it again', async () => {
    await trueWorld.pull(country, { from: '2026-09-18', to: today(country) })
    expect(await run()).toEqual([])
    expect(await outcomes()).toEqual({ EQUAL: expect.any(Number) })
    const before = [await cost('campaign_day'), await cost('target_day')]
    await sql`update target_day set cost_micros = cost_micros + 10000 where profile_id = ${profileOf(country).profileId}
      and date = ${settled} and cost_micros > 0`.execute(services.db.system)
    await sql`delete from campaign_day where profile_id = ${profileOf(country).profileId} and date = '2026-10-17'`.execute(
      services.db.system,
    )
    expect(await run()).toEqual([])
    expect((await outcomes())['REPAIRED']).toBeGreaterThanOrEqual(2)
    expect([await cost('campaign_day'), await cost('target_day')]).toEqual(before)
    const books = trueWorld.books(country, { from: settled, to: settled }, fact => fact.day)
    expect(before[0]).toBe(books.get(settled)?.costMicros)
  })

  test('takes over what the marketplace restates, and says nothing', async () => {
    // Some orders are cancelled or found late weeks after they came. Nobody pulls these days meanwhile.
    trueWorld.pass(4 * 24)
    expect(await run()).toEqual([])
    expect((await outcomes())['REPAIRED']).toBeGreaterThan(0)
  })

  test('alarms an operator about a day that still differs, until it agrees', async () => {
    const { system } = services.db
    // Whatever is written of this day, it is a cent more: as a defect of ours would do it.
    const right = await cost('campaign_day')
    const spoil = async (tx: Db) => {
      if ((await cost('campaign_day', tx)) === right)
        await sql`update campaign_day set cost_micros = cost_micros + 10000 where ${settledDay()}`.execute(tx)
    }
    await spoil(system)
    const tenant: Services['db']['tenant'] = (id, work) =>
      services.db.tenant(id, async tx => {
        const result = await work(tx)
        await spoil(tx)
        return result
      })
    const errors: unknown[] = []
    const alarmed = {
      ...services,
      db: { ...services.db, tenant },
      config: { ...services.config, OPERATOR_MAIL: 'operator@tideline.test' },
      log: Object.assign(Object.create(services.log) as Services['log'], {
        error: (fields: unknown) => void errors.push(fields),
      }),
    }
    const { merchantId, profileId } = profileOf(country)
    const job = { id: 'test', attempt: 0, lastAttempt: false, signal }
    await reconcileFigures.run(alarmed, { merchantId, profileId }, job)
    expect(errors).toEqual([expect.objectContaining({ code: 'FIGURES_DIFFER', merchantId, profileId })])
    expect(await differingDays(system)).toBe(adTypes.length)
    const { rows } = await sql<{
      text: string
    }>`select text from mail_outbox where to_address = 'operator@tideline.test'`.execute(system)
    expect(rows.map(row => row.text)).toEqual([expect.stringContaining(`${settled} SPONSORED_PRODUCTS`)])
    await reconcileFigures.run({ ...alarmed, db: services.db }, { merchantId, profileId }, job)
    expect([errors.length, await differingDays(system)]).toEqual([1, 0])
  })
})
