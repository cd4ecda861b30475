import { sql } from 'kysely'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { selectProfile } from '#features/accounts/server/current-choice.ts'
import { campaignListEndpoints as lists } from '#features/campaigns/contract.ts'
import { campaignsRoutes } from '#features/campaigns/server/routes.ts'
import { type DashboardCard, homeEndpoints as home, metricOfCard } from '#features/home/contract.ts'
import { homeRoutes } from '#features/home/server/routes.ts'
import {
  differingDays,
  importDays,
  receiveHours,
  reconcile,
  ReportNotReady,
  subscribeHours,
} from '#features/metrics/server/public.ts'
import { onboardingJobs } from '#features/onboarding/server/jobs.ts'
import { reconcileFigures } from '#features/onboarding/server/jobs/reconcile-figures.job.ts'
import { searchTermEndpoints as terms } from '#features/search-terms/contract.ts'
import { searchTermRoutes } from '#features/search-terms/server/routes.ts'
import { importStructure } from '#features/structure/server/public.ts'
import { scenarios } from '#sandbox/scenarios/scenarios.ts'
import type { Fact } from '#sandbox/market/market.ts'
import type { Ctx, Services } from '#server/context.ts'
import { mailJobs } from '#server/mail/outbox.ts'
import type { Route } from '#server/http/route.ts'
import { type AdType, adTypes } from '#shared/campaign-rules.ts'
import type { Endpoint } from '#shared/define-endpoint.ts'
import { addSums, type Figures, type FigureSums, measuredNames, type Ratios, toFigures } from '#shared/metrics.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { bookedBy } from '../support/books.ts'
import { type ConnectedSeller, connectSeller } from '../support/connected-seller.ts'
import { bookedHours, receivedHours } from '../support/hour-sums.ts'
import { callerOf } from '../support/people.ts'
import { servicesWithOutside } from '../support/outside.ts'

// Every figure of every screen against the marketplace's own books, to the cent: three currencies and time zones, all ad
// types, days of 23 and 25 hours, young days as they are reported at that moment. One world, whose time only moves here.

const HOUR_MS = 3_600_000
// Months of figures take minutes in the embedded database; the same statements run on a server in half of that.
const needsServer = process.env['TEST_DATABASE_URL'] === undefined
const signal = new AbortController().signal
const quiet = { signal, onProgress: async () => undefined }
const countries = [
  { country: 'US', sellerId: 'A1HARBORLANEUS', regionId: 1 },
  { country: 'DE', sellerId: 'A2NORDHAFENDE1', regionId: 2 },
  { country: 'JP', sellerId: 'A3MINATOSHOJI1', regionId: 3 },
] as const

let opened: Awaited<ReturnType<typeof servicesWithOutside>>
let services: Services
const sellers = new Map<string, ConnectedSeller>()
const world = () => opened.sandbox.world
const sellerOf = (country: string) => sellers.get(country) ?? expect.unreachable()
const profileOf = (country: string) => sellerOf(country).profiles[0] ?? expect.unreachable()
const today = (country: string) => dayIn(services.clock.now(), profileOf(country).timezone)
const pass = (hours: number) => world().clock.advance(hours * HOUR_MS)
const pull = (country: string, from: string, to: string, more: Partial<Parameters<typeof importDays>[2]> = {}) =>
  importDays(services, profileOf(country), { from, to, ...quiet, ...more })

/** As a job does it, that comes back when a report is not ready or another pull was faster. */
async function pullAgain(country: string, from: string, to: string): Promise<void> {
  for (;;)
    try {
      return await pull(country, from, to)
    } catch (error) {
      if (!(error instanceof ReportNotReady)) throw error
    }
}

beforeAll(async () => {
  opened = await servicesWithOutside({
    scenario: 'true',
    scenarios: { true: withPaidViews },
    startsAt: new Date('2026-04-02T17:05:00Z'),
    jobs: [...onboardingJobs, ...mailJobs],
  })
  services = { ...opened.services, clock: world().clock }
  for (const { country, sellerId, regionId } of countries) {
    const seller = await connectSeller(services, {
      login: 'agency@sandbox.test',
      sellerId,
      regionId,
      countries: [country],
      // One user with three merchants, as an agency has them.
      ...(sellers.size && { accountId: sellerOf('US').accountId }),
    })
    sellers.set(country, seller)
    await importStructure(services, profileOf(country), quiet)
  }
})
afterAll(() => opened.services.close())

/** Some displays are paid for by views, whose orders count without a click; and stock lasts into autumn. */
function withPaidViews(start: Parameters<(typeof scenarios)['small']>[0]) {
  const scenario = (scenarios['small'] ?? expect.unreachable())(start)
  const { displayCampaigns, displayAdGroups, products } = scenario.store
  for (const [key, product] of products) products.set(key, { ...product, fulfillable: 100_000 })
  const seen = new Set<number>()
  for (const [id, campaign] of displayCampaigns) {
    if (seen.has(campaign.profileId)) continue
    seen.add(campaign.profileId)
    displayCampaigns.set(id, { ...campaign, costType: 'VCPM' })
    for (const [groupId, group] of displayAdGroups)
      if (group.campaignId === id)
        displayAdGroups.set(groupId, {
          ...group,
          bidOptimization: 'REACH',
          defaultBidMicros: 20 * group.defaultBidMicros,
        })
  }
  return scenario
}

type Row = Figures & Ratios & Record<string, unknown>
interface Page {
  content: Row[]
  page: { totalPages: number }
  totals: Figures & Ratios
}

async function workIn(country: string) {
  const seller = sellerOf(country)
  await selectProfile(seller.ctx, profileOf(country).amazonProfileId)
  sellers.set(country, { ...seller, ctx: await callerOf(services, seller.accountId) })
}

/** What an endpoint answers a query with, defaults filled in. */
async function answer<T>(country: string, routes: readonly Route[], endpoint: Endpoint, query: object): Promise<T> {
  const route = routes.find(one => one.endpoint === endpoint) ?? expect.unreachable()
  const parsed = { query: endpoint.query && v.parse(endpoint.query as v.GenericSchema, query) }
  const ctx: Ctx = { ...sellerOf(country).ctx, clock: services.clock }
  return (await route.handler(ctx as never, parsed as never)) as T
}

async function allRows(country: string, routes: readonly Route[], endpoint: Endpoint, query: object): Promise<Page> {
  const rows: Row[] = []
  for (let page = 0; ; page++) {
    const one = await answer<Page>(country, routes, endpoint, { ...query, page, size: 100 })
    rows.push(...one.content)
    if (page + 1 >= one.page.totalPages) return { ...one, content: rows }
  }
}

/** The figures of rows that have any, by key; a key that comes twice fails. */
function shown(rows: readonly Row[], keyOf: (row: Row) => string): Record<string, Figures> {
  const found: Record<string, Figures> = {}
  for (const row of rows) {
    if (measuredNames.every(name => row[name] === 0)) continue
    expect(found[keyOf(row)]).toBeUndefined()
    found[keyOf(row)] = measured(row)
  }
  return found
}
const measured = (row: Figures): Figures =>
  Object.fromEntries(measuredNames.map(name => [name, row[name]])) as unknown as Figures
const booked = (sums: ReadonlyMap<string, FigureSums>): Record<string, Figures> =>
  Object.fromEntries(
    [...sums].flatMap(([key, one]) => {
      const figures = measured(toFigures(one))
      return measuredNames.some(name => figures[name] !== 0) ? [[key, figures]] : []
    }),
  )

interface Days {
  from: string
  to: string
}
const query = ({ from, to }: Days) => ({ dateFrom: from, dateTo: to })
const books = (country: string, days: Days, keyOf: (fact: Fact, adType: AdType) => string | null, types?: AdType[]) =>
  bookedBy(world(), profileOf(country).amazonProfileId, days, keyOf, types)

/** Compares every screen of the country over the days, each in the shop of that country. */
async function expectTrue(country: string, days: Days) {
  await workIn(country)
  const byDay = books(country, days, fact => fact.day)
  const total = addSums([...byDay.values()])
  expect(total.salesMicros).toBeGreaterThan(0)
  const { currency } = profileOf(country)

  const { cards } = await answer<{ cards: DashboardCard[] }>(country, homeRoutes, home.cards, query(days))
  for (const [card, metric] of Object.entries(metricOfCard)) {
    const one = cards.find(({ metric: name }) => name === card)
    expect([card, one?.value]).toEqual([card, toFigures(total)[metric]])
    expect([card, one?.sparkline.length]).toEqual([card, daysIn(days).length])
  }
  const breakdown = await answer<{ rows: (Row & { currency: string })[] }>(
    country,
    homeRoutes,
    home.breakdown,
    query(days),
  )
  const ofShop = breakdown.rows.find(row => row.currency === currency)
  expect(ofShop && measured(ofShop)).toEqual(measured(toFigures(total)))
  const chart = await answer<{ points: (Row & { date: string })[] }>(country, homeRoutes, home.performance, query(days))
  expect(chart.points.map(({ date }) => date)).toEqual(daysIn(days))
  expect(shown(chart.points, row => String(row['date']))).toEqual(booked(byDay))

  const rows = (endpoint: Endpoint, more: object = {}) =>
    allRows(country, campaignsRoutes, endpoint, { ...query(days), ...more })
  const amazonId = (row: Row) => String(row['amazonId'])
  const expectList = async (endpoint: Endpoint, keyOf: (fact: Fact) => string) => {
    const page = await rows(endpoint)
    const expected = booked(books(country, days, keyOf))
    expect(shown(page.content, amazonId)).toEqual(expected)
    expect(measured(page.totals)).toEqual(measured(toFigures(total)))
  }
  await expectList(lists.campaigns, fact => fact.campaignId)
  await expectList(lists.adGroups, fact => fact.adGroupId)
  await expectList(lists.ads, fact => fact.adId)
  const [keywords, targets] = [await rows(lists.keywords), await rows(lists.targets)]
  expect(shown([...keywords.content, ...targets.content], amazonId)).toEqual(
    booked(books(country, days, fact => fact.targetId)),
  )
  // Each ad type apart: the views that sell belong to Display.
  for (const adType of adTypes) {
    const own = addSums([...books(country, days, fact => fact.day, [adType]).values()])
    expect(own.costMicros).toBeGreaterThan(0)
    const page = await rows(lists.campaigns, { adType })
    expect([adType, measured(page.totals)]).toEqual([adType, measured(toFigures(own))])
  }

  const searched = await allRows(country, searchTermRoutes, terms.ofAccount, query(days))
  const groups = await groupIds(country)
  const found = shown(searched.content, row => `${groups.get(Number(row['adGroupId']))} ${String(row['term'])}`)
  const withoutDisplay = books(
    country,
    days,
    fact => (fact.clicks > 0 ? `${fact.adGroupId} ${fact.searchTerm}` : null),
    ['SPONSORED_PRODUCTS', 'SPONSORED_BRANDS'],
  )
  // The marketplace lists no term of a day on which nobody clicked, so its impressions are not all there.
  const exceptImpressions = (all: Record<string, Figures>) =>
    Object.fromEntries(Object.entries(all).map(([key, figures]) => [key, { ...figures, impressions: 0 }]))
  expect(exceptImpressions(found)).toEqual(exceptImpressions(booked(withoutDisplay)))
}

const daysIn = ({ from, to }: Days): string[] => {
  const all: string[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) all.push(day)
  return all
}

async function groupIds(country: string): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; amazonId: string }>`select id, amazon_id as "amazonId" from ad_group
    where merchant_id = ${sellerOf(country).merchantId}`.execute(services.db.system)
  return new Map(rows.map(row => [row.id, row.amazonId]))
}

test.each(countries)(
  'in $country every figure is the marketplace’s, young days and the day of 23 hours included',
  async ({ country }) => {
    const days = { from: '2026-03-06', to: today(country) }
    const byViews = books(country, days, fact => (fact.purchases.some(one => one.byView) ? 'views' : null))
    // Few of them sell; in Japan none did.
    if (country !== 'JP') expect(byViews.get('views')?.orders).toBeGreaterThan(0)
    await pull(country, days.from, days.to)
    await expectTrue(country, days)
    const short = { US: '2026-03-08', DE: '2026-03-29', JP: '2026-03-29' }[country]
    await expectTrue(country, { from: short, to: short })
  },
)

test.skipIf(needsServer)(
  'nothing counts twice or goes back in time after pulls that overlap, fail halfway or end in another order',
  async () => {
    const country = 'US'
    const days = { from: '2026-03-06', to: today(country) }
    const recent = { from: addDays(days.to, -9), to: days.to }
    pass(7)
    // The reports of this one are made now, and read when others have brought newer figures.
    const breakOff = async (share: number) => {
      if (share > 0.4) throw new Error('the process is ending')
    }
    await expect(pull(country, recent.from, recent.to, { onProgress: breakOff })).rejects.toThrow(
      'the process is ending',
    )
    pass(5)
    world().faults.add({
      match: { vendor: 'ads', method: 'POST', path: '/reporting/reports' },
      kind: 'report-failed',
      times: 2,
    })
    await Promise.all([
      pullAgain(country, addDays(days.to, -20), days.to),
      pullAgain(country, addDays(days.to, -4), days.to),
    ])
    await expectTrue(country, recent)
    await pull(country, recent.from, recent.to)
    await expectTrue(country, recent)
    await pull(country, recent.from, recent.to)
    await expectTrue(country, { ...recent, from: addDays(days.to, -20) })
  },
)

describe.skipIf(needsServer)('in autumn', () => {
  const since = new Date('2026-10-24T12:05:00Z')
  const days = { from: '2026-10-20', to: '2026-11-03' }

  const receive = () => receiveHours(services, new Date(services.clock.now().getTime() + 120_000), signal)

  beforeAll(async () => {
    world().clock.advance(since.getTime() - world().clock.now().getTime())
    await subscribeHours(services, profileOf('DE'))
    await receive()
    pass(48)
  })

  test('every hour is the marketplace’s, the one that comes twice included', async () => {
    expect(await receive()).toBeGreaterThan(0)
    // What was taken from the queue and not acknowledged in time comes again.
    world().clock.advance(60_000)
    await receive()
    const first = new Date(Math.ceil(since.getTime() / HOUR_MS) * HOUR_MS)
    const booked = bookedHours(world(), profileOf('DE'), first)
    expect(Object.keys(booked).length).toBeGreaterThan(48)
    expect(await receivedHours(services, profileOf('DE'), first)).toEqual(booked)
  })

  test.each(countries)(
    'every figure is the marketplace’s over the day of 25 hours, in $country',
    async ({ country }) => {
      world().clock.advance(Math.max(0, Date.parse('2026-11-03T12:05:00Z') - world().clock.now().getTime()))
      await pull(country, days.from, today(country))
      await expectTrue(country, days)
      const long = { US: '2026-11-01', DE: '2026-10-25', JP: '2026-10-25' }[country]
      await expectTrue(country, { from: long, to: long })
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
  const cost = async (table: string) => {
    const { rows } = await sql<{ cost: number }>`select sum(cost_micros) as cost from ${sql.table(table)}
      where profile_id = ${profileOf(country).profileId} and date = ${settled}`.execute(services.db.system)
    return rows[0]?.cost ?? 0
  }

  test('finds a day that is broken in our database, and imports it again', async () => {
    await pull(country, '2026-09-18', today(country))
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
    const { amazonProfileId } = profileOf(country)
    const books = bookedBy(world(), amazonProfileId, { from: settled, to: settled }, fact => fact.day)
    expect(before[0]).toBe(books.get(settled)?.costMicros)
  })

  test('takes over what the marketplace restates, and says nothing', async () => {
    // Some orders are cancelled or found late weeks after they came. Nobody pulls these days meanwhile.
    pass(4 * 24)
    expect(await run()).toEqual([])
    expect((await outcomes())['REPAIRED']).toBeGreaterThan(0)
  })

  test('alarms an operator about a day that still differs, until it agrees', async () => {
    const { system } = services.db
    // Whatever is written of this day, it is a cent more: as a defect of ours would do it.
    await sql`create function spoil() returns trigger language plpgsql as $$ begin
      if new.date = '2026-10-16' then new.cost_micros := new.cost_micros + 10000; end if; return new; end $$`.execute(
      system,
    )
    await sql`create trigger spoil before insert or update on campaign_day for each row execute function spoil()`.execute(
      system,
    )
    await sql`update campaign_day set units = units where date = ${settled}`.execute(system)
    const errors: unknown[] = []
    const alarmed = {
      ...services,
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
    await sql`drop trigger spoil on campaign_day`.execute(system)
    await reconcileFigures.run(alarmed, { merchantId, profileId }, job)
    expect([errors.length, await differingDays(system)]).toEqual([1, 0])
  })
})
