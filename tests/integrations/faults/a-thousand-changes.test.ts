import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { EntityName } from '#features/structure/contract.ts'
import { pushJobs } from '#features/structure/server/push/send-changes.ts'
import type { Services } from '#server/context.ts'
import { addBrandCampaign } from '../../support/brand-campaign.ts'
import { type FaultOrder, openProductScene, type ProductScene } from '../../support/product-scene.ts'

// A seller changes a thousand keywords and adds a thousand negatives: whatever happens on the way, each is at the
// marketplace in the end, once, and no call is made that the batch limits do not need.

const COUNT = 1000
const BRAND_COUNT = 250
const patient = { timeoutMs: 20_000 }
let scene: ProductScene
let place: { campaignId: number; adGroupId: number; campaignAmazonId: string; adGroupAmazonId: string }

beforeAll(async () => {
  scene = await openProductScene({ login: 'agency@sandbox.test', sellerId: 'A1HARBORLANEUS', country: 'US' })
  await scene.importStructure()
  const { rows } = await sql<typeof place>`
    select c.id as "campaignId", c.amazon_id as "campaignAmazonId", g.id as "adGroupId", g.amazon_id as "adGroupAmazonId"
    from ad_group g join campaign c on c.merchant_id = g.merchant_id and c.id = g.campaign_id
    where g.merchant_id = ${scene.profile.merchantId} and c.ad_type = 'SPONSORED_PRODUCTS' and c.state = 'ENABLED' and g.state = 'ENABLED' and c.daily_budget_micros > 10000000
      and exists (select 1 from target t where t.merchant_id = ${scene.profile.merchantId} and t.ad_group_id = g.id and t.kind = 'KEYWORD') order by g.id limit 1`.execute(
    scene.services.db.system,
  )
  place = rows[0] as typeof place
  const { store } = scene.world
  const sibling = [...store.keywords.values()].find(one => one.adGroupId === place.adGroupAmazonId)
  if (!sibling) throw new Error('the scenario has no keyword in the ad group')
  scene.world.change(() => {
    for (let n = 0; n < COUNT; n++) {
      const keywordId = String(8_100_000_000_000_000 + n)
      store.keywords.set(keywordId, {
        ...sibling,
        keywordId,
        keywordText: `many ${n}`,
        bidMicros: 1e6,
        state: 'ENABLED',
      })
    }
  })
  await addBrandCampaign(scene.world, scene.services, scene.profile, BRAND_COUNT)
  await scene.importStructure()
  scene.calm(patient)
})
afterEach(() => scene.calm(patient))
afterAll(() => scene.close())

const run = { id: 'job', attempt: 0, lastAttempt: false, signal: new AbortController().signal }
function push(entity: EntityName, adType = 'SPONSORED_PRODUCTS', services: Services = scene.services) {
  const { merchantId, profileId } = scene.profile
  return pushJobs[entity].run(services, { merchantId, profileId, adType }, run).then(
    () => 'settled' as const,
    () => 'again' as const,
  )
}
/** Runs the job as the queue would, until it has nothing left to try. */
async function pushToTheEnd(entity: EntityName, adType?: string): Promise<void> {
  for (let tries = 0; tries < 5; tries++) if ((await push(entity, adType)) === 'settled') return
  throw new Error('the job does not come to an end')
}
const calls = (method: string, path: string) =>
  scene.world.journal.list({ vendor: 'ads', method, path }).filter(one => one.path.endsWith(path)).length

interface Row {
  id: number
  amazonId: string
  version: number
  bid: number
  syncState: string
}
async function keywords(adType: string, text: string): Promise<Row[]> {
  const { rows } = await sql<Row>`select t.id, t.amazon_id as "amazonId", t.version, t.bid_micros / 1e6::float8 as bid,
      t.sync_state as "syncState"
    from target t where t.ad_type = ${adType} and t.text like ${`${text} %`} and t.kind = 'KEYWORD' order by t.id`.execute(
    scene.services.db.system,
  )
  return rows
}
let bids = 100
/** Gives keywords a bid that none of them had before, as the bulk bar does. */
async function setBids(rows: readonly Row[]): Promise<number> {
  const bid = ++bids / 100
  const edits = rows.map(({ id, version }) => ({ entity: 'target', id, version, set: { bid } }))
  const { status, body } = await scene.call('POST', '/bulk', edits)
  expect([status, body.outcomes?.every((one: { status: string }) => one.status === 'CHANGED')]).toEqual([200, true])
  scene.world.journal.clear()
  return bid
}
const bidsAtMarketplace = (text: string) =>
  [...scene.world.store.keywords.values()]
    .filter(one => one.keywordText.startsWith(text))
    .map(one => (one.bidMicros ?? 0) / 1e6)
const statesOf = (rows: readonly Row[]) => [...new Set(rows.map(row => row.syncState))]

async function addNegatives(name: string, count: number): Promise<number[]> {
  const list = Array.from({ length: count }, (_, n) => ({ text: `${name} ${n}`, matchType: 'NEGATIVE_EXACT' }))
  const { campaignId, adGroupId } = place
  const { body } = await scene.call('POST', '/sp/negative-keyword/create', { campaignId, adGroupId, keywords: list })
  scene.world.journal.clear()
  return body.outcomes.map((one: { id: number }) => one.id)
}
async function negatives(name: string) {
  const { rows } = await sql<{
    amazonId: string
    syncState: string
  }>`select amazon_id as "amazonId", sync_state as "syncState"
    from negative where text like ${`${name} %`} order by id`.execute(scene.services.db.system)
  const there = [...scene.world.store.negativeKeywords.values()].filter(one => one.keywordText.startsWith(`${name} `))
  return { rows, there: there.map(one => one.keywordId).toSorted() }
}

describe('the calls', () => {
  test('of 1,000 keywords of Sponsored Products are one, of 250 of Sponsored Brands three', async () => {
    const products = await keywords('SPONSORED_PRODUCTS', 'many')
    const brands = await keywords('SPONSORED_BRANDS', 'brand keyword')
    expect([products.length, brands.length]).toEqual([COUNT, BRAND_COUNT])
    const bid = await setBids(products)
    await pushToTheEnd('target')
    expect([calls('PUT', '/sp/keywords'), scene.world.journal.list({ vendor: 'ads' }).length]).toEqual([1, 1])
    expect(new Set(bidsAtMarketplace('many'))).toEqual(new Set([bid]))
    const brandBid = await setBids(brands)
    await pushToTheEnd('target', 'SPONSORED_BRANDS')
    expect(calls('PUT', '/sb/keywords')).toBe(3)
    expect(
      new Set(
        [...scene.world.store.brandKeywords.values()]
          .filter(one => one.keywordText.startsWith('brand keyword'))
          .map(one => one.bidMicros / 1e6),
      ),
    ).toEqual(new Set([brandBid]))
    expect(
      statesOf([
        ...(await keywords('SPONSORED_PRODUCTS', 'many')),
        ...(await keywords('SPONSORED_BRANDS', 'brand keyword')),
      ]),
    ).toEqual(['SYNCED'])
  })

  test('of 1,000 new negatives are one, and removing them is one', async () => {
    const ids = await addNegatives('thousand', COUNT)
    await pushToTheEnd('negative')
    expect([calls('POST', '/sp/negativeKeywords'), scene.world.journal.list({ vendor: 'ads' }).length]).toEqual([1, 1])
    const { rows, there } = await negatives('thousand')
    expect(rows.map(row => row.amazonId).toSorted()).toEqual(there)
    expect(there).toHaveLength(COUNT)
    for (const id of ids.slice(0, 30)) await scene.call('DELETE', `/negatives/${id}`)
    scene.world.journal.clear()
    await pushToTheEnd('negative')
    expect(calls('POST', '/sp/negativeKeywords/delete')).toBe(1)
  })
})

const faults: FaultOrder[] = [
  { kind: 'throttle', retryAfterSeconds: 60 },
  { kind: 'throttle', retryAfterSeconds: 0.02, times: 1 },
  { kind: 'status', status: 500, times: 1 },
  { kind: 'status', status: 503, times: 1 },
  { kind: 'slow', delayMs: 200, times: 1 },
  { kind: 'hang', times: 1 },
  { kind: 'drop-before', times: 1 },
  { kind: 'drop-after', times: 1 },
  { kind: 'malformed', times: 1 },
  { kind: 'partial', selector: 'throttledError', reason: 'THROTTLED', times: 1 },
  { kind: 'partial', selector: 'internalServerError', times: 1 },
  { kind: 'expired-token', times: 1 },
]

describe('nothing is lost and nothing is there twice', () => {
  test.each(faults)(
    'of 1,000 changes that meet %j',
    async fault => {
      const bid = await setBids(await keywords('SPONSORED_PRODUCTS', 'many'))
      scene.calm({ timeoutMs: fault.kind === 'hang' ? 1500 : 20_000 })
      scene.order({ match: { vendor: 'ads', method: 'PUT', path: '/sp/keywords' }, times: 1000, ...fault })
      await push('target')
      const halfway = await keywords('SPONSORED_PRODUCTS', 'many')
      expect(statesOf(halfway)).not.toContain('FAILED')
      expect(halfway.every(row => row.bid === bid)).toBe(true)
      scene.calm(patient)
      await pushToTheEnd('target')
      expect(statesOf(await keywords('SPONSORED_PRODUCTS', 'many'))).toEqual(['SYNCED'])
      const there = bidsAtMarketplace('many')
      expect([there.length, new Set(there)]).toEqual([COUNT, new Set([bid])])
    },
    60_000,
  )

  test('of changes of which the marketplace rejects every second: those go back and say why', async () => {
    const before = await keywords('SPONSORED_PRODUCTS', 'many')
    const bid = await setBids(before)
    const reason = { selector: 'biddingError', reason: 'BID_GT_BUDGET' }
    scene.order({ match: { vendor: 'ads', method: 'PUT', path: '/sp/keywords' }, kind: 'partial', ...reason })
    await pushToTheEnd('target')
    const after = await keywords('SPONSORED_PRODUCTS', 'many')
    expect(after.map(row => row.syncState)).toEqual(after.map((_row, i) => (i % 2 ? 'FAILED' : 'SYNCED')))
    expect(after.map(row => row.bid)).toEqual(after.map((_row, i) => (i % 2 ? before[i]?.bid : bid)))
    for (const { amazonId, bid: own } of after)
      expect(scene.world.store.keywords.get(amazonId)?.bidMicros).toBe(own * 1e6)
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from entity_change where origin = 'MARKETPLACE'
      and entity = 'target' and note is not null`.execute(scene.services.db.system)
    expect(rows[0]?.n).toBe(COUNT / 2)
  })

  test('of a batch that is rejected as a whole because of one item', async () => {
    const some = (await keywords('SPONSORED_PRODUCTS', 'many')).slice(0, 64)
    const bid = await setBids(some)
    const [spoiled] = some as [Row]
    // The marketplace cannot even read this one.
    await sql`update target set state = 'UNHEARD_OF' where id = ${spoiled.id}`.execute(scene.services.db.system)
    await pushToTheEnd('target')
    const after = (await keywords('SPONSORED_PRODUCTS', 'many')).slice(0, 64)
    expect(after.map(row => row.syncState)).toEqual(['FAILED', ...Array.from({ length: 63 }, () => 'SYNCED')])
    expect(after.slice(1).every(row => row.bid === bid)).toBe(true)
    expect(calls('PUT', '/sp/keywords')).toBeLessThan(16)
  })

  test.each(faults)(
    'of new negatives that meet %j',
    async fault => {
      const name = `new ${faults.indexOf(fault)}`
      await addNegatives(name, 40)
      scene.calm({ timeoutMs: fault.kind === 'hang' ? 1000 : 20_000 })
      scene.order({ match: { vendor: 'ads', method: 'POST', path: '/sp/negativeKeywords' }, times: 1000, ...fault })
      await push('negative')
      scene.calm(patient)
      await pushToTheEnd('negative')
      const { rows, there } = await negatives(name)
      expect(there).toHaveLength(40)
      expect(rows.map(row => row.syncState)).toEqual(rows.map(() => 'SYNCED'))
      expect(rows.map(row => row.amazonId).toSorted()).toEqual(there)
    },
    60_000,
  )
})

/** Services whose process is killed before or after its `n`th transaction. */
function mortal(n: number, when: 'before' | 'after'): { services: Services; isDead: () => boolean } {
  let count = 0
  let isDead = false
  const die = () => {
    isDead = true
    throw new Error('killed')
  }
  const tenant: Services['db']['tenant'] = async (merchantIds, work) => {
    if (isDead) die()
    count++
    if (count === n && when === 'before') die()
    const result = await scene.services.db.tenant(merchantIds, work)
    if (count === n && when === 'after') die()
    return result
  }
  return { services: { ...scene.services, db: { ...scene.services.db, tenant } }, isDead: () => isDead }
}

describe.each(['before', 'after'] as const)('a process that is killed %s any of its transactions', when => {
  test('loses nothing and does nothing twice', async () => {
    let kills = 0
    for (let n = 1; ; n++) {
      const bid = await setBids((await keywords('SPONSORED_PRODUCTS', 'many')).slice(0, 20))
      const term = `killed ${when} ${n}`
      const items = ['EXACT', 'BROAD'].map(matchType => ({
        term,
        sourceAdGroupId: place.adGroupId,
        adGroupId: place.adGroupId,
        matchType,
        bid: 0.9,
        negateInSource: false,
      }))
      expect((await scene.call('POST', '/search-terms/harvest', { items })).status).toBe(200)
      const { services, isDead } = mortal(n, when)
      await push('target', undefined, services)
      if (isDead()) kills++
      await pushToTheEnd('target')
      const rows = (await keywords('SPONSORED_PRODUCTS', 'many')).slice(0, 20)
      expect(statesOf(rows)).toEqual(['SYNCED'])
      for (const { amazonId } of rows) expect(scene.world.store.keywords.get(amazonId)?.bidMicros).toBe(bid * 1e6)
      const made =
        await sql<Row>`select amazon_id as "amazonId", sync_state as "syncState" from target where text = ${term}`.execute(
          scene.services.db.system,
        )
      expect(statesOf(made.rows)).toEqual(['SYNCED'])
      const there = [...scene.world.store.keywords.values()].filter(one => one.keywordText === term)
      expect(there.map(one => one.keywordId).toSorted()).toEqual(made.rows.map(row => row.amazonId).toSorted())
      expect(there).toHaveLength(2)
      if (!isDead()) break
    }
    // Noted and settled, for what is new and what is changed.
    expect(kills).toBeGreaterThanOrEqual(4)
  })
})
