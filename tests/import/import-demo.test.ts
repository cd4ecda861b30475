import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importDays } from '#features/metrics/server/public.ts'
import { onboardingJobs } from '#features/onboarding/server/jobs.ts'
import { refreshProfile } from '#features/onboarding/server/jobs/refresh-profile.job.ts'
import { seedProfile } from '#features/onboarding/server/jobs/seed-profile.job.ts'
import { startSeeding } from '#features/onboarding/server/jobs/seed-profile.job.ts'
import { listActiveSeeding } from '#features/onboarding/server/seeding.ts'
import { changeInConsole } from '#sandbox/console/console-change.ts'
import { importStructure } from '#features/structure/server/public.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { expectOwnBooks } from '../support/books.ts'
import { type ConnectedSeller, connectSeller } from '../support/connected-seller.ts'
import { servicesWithOutside } from '../support/outside.ts'
import { tableState } from '../support/table-state.ts'

type Opened = Awaited<ReturnType<typeof servicesWithOutside>>
const quiet = async () => undefined
const structure = ['campaign', 'ad_group', 'product_ad', 'target', 'negative']
const daily = ['campaign_day', 'ad_group_day', 'target_day', 'search_term_day', 'ad_day', 'placement_day']
// Figures of younger days may be restated between two reads.
const SETTLED = `date < current_date - 45`

let opened: Opened
let seller: ConnectedSeller
const runOf = (signal = new AbortController().signal) => ({ id: 'test', attempt: 0, lastAttempt: false, signal })
function ownerOf(country: string) {
  const profile = seller.profiles.find(p => p.countryCode === country)
  if (!profile) throw new Error(`no profile in ${country}`)
  return { profile, owner: { merchantId: profile.merchantId, profileId: profile.profileId } }
}

async function everything() {
  const { system } = opened.services.db
  const mirrored = structure.map(t => [t, tableState(system, t, { omit: ['updated_at', 'created_at'] })] as const)
  const figures = daily.map(t => [t, tableState(system, t, { where: SETTLED })] as const)
  const products = [
    'product',
    tableState(system, 'product', { omit: ['updated_at', 'eligibility_checked_at'] }),
  ] as const
  const stock = ['product_day', tableState(system, 'product_day', { omit: ['taken_at'] })] as const
  const states = await Promise.all(
    [...mirrored, ...figures, products, stock].map(async ([t, s]) => [t, await s] as const),
  )
  return Object.fromEntries(states)
}

beforeAll(async () => {
  opened = await servicesWithOutside({ jobs: onboardingJobs })
  const { services } = opened
  seller = await connectSeller(services, { login: 'agency@sandbox.test', sellerId: 'A1HARBORLANEUS' })
  const profileIds = seller.profiles.map(p => p.profileId)
  await startSeeding.run(services, { merchantId: seller.merchantId, profileIds }, runOf())
})
afterAll(() => opened.services.close())

describe('an import', () => {
  test('cut off again and again goes on where it was and ends complete, with nothing twice', async () => {
    const { services } = opened
    const { owner } = ownerOf('CA')
    const progressSums: number[] = []
    let cuts = 0
    // Cut off after ever more steps, as often as a run does not get through.
    for (const stepsUntilCut of [2, 7, 11, 16, 22, Number.POSITIVE_INFINITY]) {
      const cut = new AbortController()
      let steps = 0
      const stop = services.events.subscribe(seller.accountId, event => {
        if (event.type === 'seeding' && ++steps >= stepsUntilCut) cut.abort(new Error('the process is ending'))
      })
      await seedProfile.run(services, owner, runOf(cut.signal)).catch(() => cuts++)
      stop()
      const rows = await listActiveSeeding(seller.ctx)
      progressSums.push(
        rows.filter(row => row.displayName.includes('Canada')).reduce((sum, row) => sum + row.progress, 0),
      )
    }
    expect(cuts).toBeGreaterThanOrEqual(3)
    expect(progressSums).toEqual(progressSums.toSorted((a, b) => a - b))
    const rows = (await listActiveSeeding(seller.ctx)).filter(row => row.displayName.includes('Canada'))
    expect(rows.map(row => [row.kind, row.status, row.progress])).toEqual([
      ['STRUCTURE', 'COMPLETED', 1],
      ['INVENTORY', 'COMPLETED', 1],
      ['DAILY_FIGURES', 'COMPLETED', 1],
      ['HOURLY_FIGURES', 'COMPLETED', 1],
    ])
    await expectOwnBooks(opened, ownerOf('CA').profile)
  })

  test('run again it changes nothing', async () => {
    const before = await everything()
    const { profile, owner } = ownerOf('CA')
    const { services } = opened
    await services.db.system
      .updateTable('seeding_job')
      .set({ status: 'PENDING', progress: 0 })
      .where('profile_id', '=', owner.profileId)
      .execute()
    await seedProfile.run(services, { merchantId: profile.merchantId, profileId: profile.profileId }, runOf())
    expect(await everything()).toEqual(before)
  })
})

describe('an import that runs through', () => {
  beforeAll(() => seedProfile.run(opened.services, ownerOf('US').owner, runOf()))

  test('holds what the marketplace itself has in its books', () => expectOwnBooks(opened, ownerOf('US').profile))

  test('has every campaign, ad group, ad, keyword, target and negative of the books', async () => {
    const { profile, owner } = ownerOf('US')
    const { store: books } = opened.sandbox.world
    const amazonProfileId = Number(profile.amazonProfileId)
    const inBooks = (...kinds: Map<string, { profileId: number }>[]) =>
      kinds.flatMap(kind => [...kind.values()]).filter(entity => entity.profileId === amazonProfileId).length
    const expected = {
      SPONSORED_PRODUCTS: {
        campaign: inBooks(books.campaigns),
        ad_group: inBooks(books.adGroups),
        product_ad: inBooks(books.productAds),
        target: inBooks(books.keywords, books.targets),
        negative: inBooks(books.negativeKeywords, books.negativeTargets),
      },
      SPONSORED_BRANDS: {
        campaign: inBooks(books.brandCampaigns),
        ad_group: inBooks(books.brandAdGroups),
        product_ad: inBooks(books.brandAds),
        target: inBooks(books.brandKeywords, books.brandTargets),
        negative: inBooks(books.brandNegativeKeywords, books.brandNegativeTargets),
      },
      SPONSORED_DISPLAY: {
        campaign: inBooks(books.displayCampaigns),
        ad_group: inBooks(books.displayAdGroups),
        product_ad: inBooks(books.displayAds),
        target: inBooks(books.displayTargets),
        negative: inBooks(books.displayNegativeTargets),
      },
    }
    for (const [adType, tables] of Object.entries(expected)) {
      expect(tables.target).toBeGreaterThan(0)
      const where = `profile_id = ${owner.profileId} and ad_type = '${adType}'`
      for (const [table, count] of Object.entries(tables))
        expect([table, (await tableState(opened.services.db.system, table, { where })).rows]).toEqual([table, count])
    }
  })

  test('adds the targets of a campaign up to the campaign, and the ads likewise', async () => {
    const { rows } = await sql<{ table: string; cost: number; clicks: number; sales: number }>`
      select 'campaign_day' as table, sum(cost_micros) as cost, sum(clicks) as clicks, sum(sales_micros) as sales from campaign_day where ${sql.raw(SETTLED)}
      union all select 'target_day', sum(cost_micros), sum(clicks), sum(sales_micros) from target_day where ${sql.raw(SETTLED)}
      union all select 'ad_day', sum(cost_micros), sum(clicks), sum(sales_micros) from ad_day where ${sql.raw(SETTLED)}`.execute(
      opened.services.db.system,
    )
    const terms = await sql<{ adType: string }>`select distinct t.ad_type as "adType" from search_term_day s
      join target t on t.merchant_id = s.merchant_id and t.id = s.target_id where s.clicks > 0 order by 1`.execute(
      opened.services.db.system,
    )
    expect(terms.rows.map(row => row.adType)).toEqual(['SPONSORED_BRANDS', 'SPONSORED_PRODUCTS'])
    const [campaigns, ...others] = rows.map(({ cost, clicks, sales }) => ({ cost, clicks, sales }))
    expect(campaigns?.cost).toBeGreaterThan(0)
    for (const other of others) expect(other).toEqual(campaigns)
  })

  test('adds the places of a campaign up to the campaign, for the ad types that have places', async () => {
    const sums = async (table: 'campaign_day' | 'placement_day') => {
      const { rows } = await sql<{ adType: string; cost: number; orders: number }>`select c.ad_type as "adType",
          sum(d.cost_micros) as cost, sum(d.orders) as orders from ${sql.table(table)} d
        join campaign c on c.merchant_id = d.merchant_id and c.id = d.campaign_id
        where ${sql.raw(SETTLED)} and c.ad_type <> 'SPONSORED_DISPLAY' group by 1 order by 1`.execute(
        opened.services.db.system,
      )
      return rows
    }
    const places = await sums('placement_day')
    expect(places.map(row => row.adType)).toEqual(['SPONSORED_BRANDS', 'SPONSORED_PRODUCTS'])
    expect(places).toEqual(await sums('campaign_day'))
  })

  test('days that were restated are replaced whole, not added to', async () => {
    const { services } = opened
    const { profile } = ownerOf('US')
    const to = addDays(dayIn(services.clock.now(), profile.timezone), -60)
    const from = addDays(to, -2)
    const range = `profile_id = ${profile.profileId} and date between '${from}' and '${to}'`
    const states = () => Promise.all(daily.map(t => tableState(services.db.system, t, { where: range })))
    const before = await states()
    for (const table of daily) {
      await sql`update ${sql.table(table)} set clicks = clicks + 7, cost_micros = cost_micros * 2 where ${sql.raw(range)}`.execute(
        services.db.system,
      )
      await sql`delete from ${sql.table(table)} where ${sql.raw(range)} and date = ${to} and cost_micros > 0`.execute(
        services.db.system,
      )
    }
    // A campaign that the marketplace no longer reports on such a day has none.
    await sql`insert into campaign_day select merchant_id, profile_id, 999999, date, 1, 1, 1, 1, 1, 1 from campaign_day
      where ${sql.raw(range)} limit 1`.execute(services.db.system)
    expect(await states()).not.toEqual(before)
    await importDays(services, profile, { from, to, signal: runOf().signal, onProgress: quiet })
    expect(await states()).toEqual(before)
    await importDays(services, profile, { from, to, signal: runOf().signal, onProgress: quiet })
    expect(await states()).toEqual(before)
  })

  test('a refresh by the clock reads the days that may still move and no others', async () => {
    const { services } = opened
    const { owner } = ownerOf('US')
    const before = await everything()
    await refreshProfile.run(services, { ...owner, scope: 'RECENT' }, runOf())
    const { rows } = await sql<{
      first: string
      last: string
    }>`select min(start_date) as first, max(end_date) as last from report_request
      where profile_id = ${owner.profileId} and applied_at > now() - interval '1 minute' and start_date > current_date - 10`.execute(
      services.db.system,
    )
    expect(rows[0]?.first).toBe(addDays(rows[0]?.last ?? '', -3))
    expect(await everything()).toEqual(before)
  })

  test('what people change in the marketplace’s console of Brands and Display is mirrored, and nothing else', async () => {
    const { services, sandbox } = opened
    const { profile, owner } = ownerOf('US')
    const { world } = sandbox
    const own = <T extends { profileId: number }>(entities: Map<string, T>): [string, T] => {
      const found = [...entities].find(([, entity]) => entity.profileId === Number(profile.amazonProfileId))
      return found ?? expect.unreachable()
    }
    const [brandId, brand] = own(world.store.brandCampaigns)
    const [keywordId, keyword] = own(world.store.brandKeywords)
    const [groupId, group] = own(world.store.displayAdGroups)
    const [targetId, target] = own(world.store.displayTargets)
    const [adId] = own(world.store.brandAds)
    for (const change of [
      { entity: 'brandCampaign', id: brandId, action: 'pause' },
      { entity: 'brandKeyword', id: keywordId, action: 'bid', value: 1.11 },
      { entity: 'displayAdGroup', id: groupId, action: 'rename', value: 'Renamed there' },
      { entity: 'displayTarget', id: targetId, action: 'archive' },
    ])
      expect(changeInConsole(world, change)).toBeNull()
    world.change(store => {
      const endDate = addDays(brand.startDate, 400)
      const byHand = { bidOptimization: false, placements: [{ placement: 'HOME' as const, percentage: -20 }] }
      store.brandCampaigns.set(brandId, {
        ...brand,
        state: 'PAUSED',
        budgetType: 'LIFETIME',
        budgetMicros: 900e6,
        endDate,
        ...byHand,
      })
    })
    // The serving status of what is in a paused campaign follows it.
    const touched = [brandId, keyword.campaignId, group.campaignId, target.campaignId]
    const others = () =>
      sql<{ rows: number }>`select count(*)::int as rows from (select version, id as campaign_id from campaign
        union all select version, campaign_id from ad_group union all select version, campaign_id from target
        union all select version, campaign_id from product_ad) as r
        where version > 1 and campaign_id not in (select id from campaign where amazon_id = any(${touched}::text[]))`.execute(
        services.db.system,
      )
    const before = (await others()).rows[0]?.rows ?? 0
    await importStructure(services, profile, { signal: runOf().signal, onProgress: quiet })
    expect((await others()).rows[0]?.rows).toBe(before)
    const read = async (table: string, id: string) => {
      const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}
        where merchant_id = ${owner.merchantId} and amazon_id = ${id}`.execute(services.db.system)
      return rows[0]
    }
    // A budget for the whole run is no daily budget.
    expect(await read('campaign', brandId)).toMatchObject({
      ad_type: 'SPONSORED_BRANDS',
      state: 'PAUSED',
      daily_budget_micros: null,
      lifetime_budget_micros: 900_000_000,
      bidding: { strategy: 'MANUAL', placements: [{ placement: 'HOME_PAGE', percentage: -20 }] },
    })
    expect(await read('target', keywordId)).toMatchObject({ bid_micros: 1_110_000, kind: 'KEYWORD' })
    expect(await read('ad_group', groupId)).toMatchObject({ name: 'Renamed there', bid_optimization: 'CLICKS' })
    expect(await read('target', targetId)).toMatchObject({ state: 'ARCHIVED', ad_type: 'SPONSORED_DISPLAY' })
    const ad = world.store.brandAds.get(adId)
    expect(await read('product_ad', adId)).toMatchObject({ name: ad?.creative['headline'], asins: ad?.asins })
  })

  test('an account that may not use Sponsored Brands is imported all the same, and keeps what it had', async () => {
    const { services, sandbox } = opened
    const { profile, owner } = ownerOf('US')
    const brands = `profile_id = ${owner.profileId} and ad_type = 'SPONSORED_BRANDS'`
    const before = await tableState(services.db.system, 'target', { where: brands })
    sandbox.world.faults.add({
      match: { vendor: 'ads', method: 'POST', path: '/sb/v4/campaigns/list' },
      kind: 'status',
      status: 403,
      times: 9,
    })
    await importStructure(services, profile, { signal: runOf().signal, onProgress: quiet })
    sandbox.world.faults.clear()
    expect(await tableState(services.db.system, 'target', { where: brands })).toEqual(before)
  })
})

test('another merchant sees none of it', async () => {
  const { system } = opened.services.db
  const { rows } = await sql<{ table: string }>`select c.relname as table from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'merchant_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relrowsecurity order by 1`.execute(
    system,
  )
  const tables = rows.map(row => row.table)
  expect(tables).toEqual(expect.arrayContaining([...structure, ...daily, 'product', 'seeding_job', 'trade_day']))
  const stranger = seller.merchantId + 1000
  const seen = await opened.services.db.tenant(stranger, async tx => {
    const counts: [string, number][] = []
    for (const table of tables) counts.push([table, (await tableState(tx, table)).rows])
    return counts
  })
  expect(seen.filter(([, count]) => count > 0)).toEqual([])
})
