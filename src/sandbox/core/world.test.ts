import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { adsClient, campaignItem, START, smallScenario, startSmallSandbox } from '../../../tests/support/ads-world.ts'
import { createMarket, Market } from '../market/create-market.ts'
import { scenarios } from '../scenarios/scenarios.ts'
import type { Campaign } from './model/store.ts'
import { durationMs } from './world-clock.ts'
import { World } from './world.ts'
import { collectionNames } from './store/collections.ts'
import { Histories } from './store/histories.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-world-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function rowsOnDisk(table: 'entries' | 'changes'): number {
  const database = new DatabaseSync(join(folder, 'world.db'))
  const { count } = database.prepare(`SELECT count(*) AS count FROM ${table}`).get() as { count: number }
  database.close()
  return count
}

function openWorld(data = folder): World {
  return new World({
    scenarios: { small: smallScenario },
    scenario: 'small',
    createMarket,
    config: {
      publicUrl: 'http://sandbox.test',
      clients: new Map([['id', 'secret']]),
      sellingPartnerApp: 'app',
      controlToken: '',
    },
    clock: { now: () => START },
    data,
  })
}

describe('a world with a folder', () => {
  test('has every answered change, its clock and its tokens after a kill', async () => {
    // Never closed: what the next one finds is what a killed process leaves behind.
    const killed = await startSmallSandbox(folder)
    const ads = await adsClient(killed)
    await ads.create('campaigns', 'campaigns', 'spCampaign', [
      campaignItem('One', { targetingType: 'AUTO' }),
      campaignItem('Two'),
    ])
    const [one] = [...killed.world.store.campaigns.values()]
    await ads.create('adGroups', 'adGroups', 'spAdGroup', [
      { campaignId: one?.campaignId, name: 'Group', state: 'ENABLED', defaultBid: 1 },
    ])
    await killed.control('POST', 'clock', { advance: 'PT30M' })
    await ads.create('campaigns', 'campaigns', 'spCampaign', [campaignItem('Three')])
    const found = new World({
      scenarios: { small: smallScenario },
      scenario: 'small',
      createMarket,
      config: killed.world.config,
      clock: { now: () => START },
      data: folder,
    })
    expect([...found.store.campaigns.values()].map(campaign => campaign.name)).toEqual(['One', 'Two', 'Three'])
    expect(found.store.targets.size).toBe(4)
    expect(found.clock.now()).toEqual(new Date(START.getTime() + 30 * 60_000))
    expect(found.lwa.check(ads.accessToken)).toMatchObject({ email: 'owner@sandbox.test' })
    await killed.close()
  })

  test('is created again after a kill right after a reset, with shoppers and figures', () => {
    const open = () =>
      new World({
        scenarios,
        scenario: 'small',
        createMarket,
        config: { publicUrl: 'http://sandbox.test', clients: new Map(), sellingPartnerApp: 'app', controlToken: '' },
        clock: { now: () => START },
        data: folder,
      })
    const killed = open()
    killed.reset('small', { seed: 42, now: new Date(START.getTime() + 3_600_000) })
    // Writing all entries of a big scenario takes seconds, which a reset must not wait for.
    expect(rowsOnDisk('entries')).toBe(0)
    const [campaign] = killed.store.campaigns.values()
    killed.change(store => store.campaigns.set('1', { ...campaign, campaignId: '1', name: 'After' } as Campaign))
    killed.clock.advance(7_200_000)
    killed.market()
    killed.saveState('lwa')
    const found = open()
    found.clock.set(killed.clock.now())
    expect(found.market().dump()).toEqual(killed.market().dump())
    expect(found.store).toEqual(killed.store)
    found.close()
    expect(rowsOnDisk('entries')).toBe(collectionNames.reduce((sum, name) => sum + found.store[name].size, 0))
  })

  test('has the same figures after a kill as if it had continued', async () => {
    const world = openWorld()
    world.change((store, now) => {
      const dates = { createdAt: now.getTime(), updatedAt: now.getTime(), profileId: 111 }
      store.campaigns.set('1', {
        ...dates,
        campaignId: '1',
        name: 'Live',
        state: 'ENABLED',
        targetingType: 'MANUAL',
        budgetMicros: 50_000_000,
        strategy: 'LEGACY_FOR_SALES',
        placements: [],
        startDate: '2026-03-10',
        endDate: null,
        portfolioId: null,
        tags: {},
      })
      const state = 'ENABLED' as const
      store.adGroups.set('2', {
        ...dates,
        adGroupId: '2',
        campaignId: '1',
        name: 'G',
        state,
        defaultBidMicros: 2_000_000,
      })
      store.productAds.set('3', {
        ...dates,
        adId: '3',
        adGroupId: '2',
        campaignId: '1',
        asin: 'B0TEST0001',
        sku: 'SKU-1',
        state,
      })
      store.keywords.set('4', {
        ...dates,
        keywordId: '4',
        adGroupId: '2',
        campaignId: '1',
        keywordText: 'garlic press',
        matchType: 'BROAD',
        state,
        bidMicros: 2_000_000,
      })
    })
    const later = new Date(START.getTime() + 3 * 86_400_000)
    world.clock.set(later)
    const figures = world.market().facts(111, '2026-03-10', '2026-03-13', later)
    expect(figures.reduce((sum, fact) => sum + fact.clicks, 0)).toBeGreaterThan(0)
    // The journal alone: the snapshot is from before the campaign, so the three days are lived through again.
    const found = openWorld()
    found.clock.set(later)
    expect(found.market().facts(111, '2026-03-10', '2026-03-13', later)).toEqual(figures)
  })

  test.each<[string, (log: Buffer) => Buffer, boolean]>([
    ['cut short', log => log.subarray(0, -100), true],
    ['garbled', log => Buffer.concat([log.subarray(0, -100), Buffer.alloc(100, 7)]), true],
    ['complete but followed by garbage', log => Buffer.concat([log, Buffer.alloc(5000, 7)]), false],
  ])('opens after a kill during a write, when the last write is %s', async (_how, tear, isLost) => {
    const world = openWorld()
    world.change(store => store.sellers.delete('A2OTHERSELLER'))
    world.change(store => store.profiles.delete(333))
    const torn = await mkdtemp(join(tmpdir(), 'sandbox-torn-'))
    await copyFile(join(folder, 'world.db'), join(torn, 'world.db'))
    await writeFile(join(torn, 'world.db-wal'), tear(readFileSync(join(folder, 'world.db-wal'))))
    const found = openWorld(torn)
    expect([...found.store.sellers.keys()]).toEqual(['A1TESTSELLER'])
    expect(found.store.profiles.has(333)).toBe(isLost)
    found.close()
    await rm(torn, { recursive: true })
  })

  test('leaves one file with every entry and no pending change when it is closed', () => {
    const world = openWorld()
    world.change(store => store.sellers.delete('A2OTHERSELLER'))
    world.close()
    expect(readdirSync(folder)).toEqual(['world.db'])
    expect(rowsOnDisk('changes')).toBe(0)
    expect(openWorld().store.sellers.size).toBe(1)
  })

  test('writes only what changed since the last checkpoint, deletions and stock included', () => {
    const world = openWorld()
    world.save()
    const all = rowsOnDisk('entries')
    const other = world.store.sellers.get('A1TESTSELLER') ?? expect.unreachable()
    world.change(store => {
      store.sellers.delete('A2OTHERSELLER')
      store.sellers.set('A1TESTSELLER', { ...other, name: 'Renamed' })
    })
    const [[key, product] = expect.unreachable()] = world.store.products
    // As the market does, outside of a change.
    world.store.products.set(key, { ...product, fulfillable: 3 })
    world.save()
    expect([rowsOnDisk('entries'), rowsOnDisk('changes')]).toEqual([all - 1, 0])
    const found = openWorld()
    expect(found.store).toEqual(world.store)
    expect([...found.store.products.keys()]).toEqual([...world.store.products.keys()])
  })

  test('rejects a file that is not its database, and says what to do', async () => {
    await writeFile(join(folder, 'world.db'), 'not a database, but long enough to look like the beginning of some file')
    expect(() => openWorld()).toThrow(`${join(folder, 'world.db')} cannot be read; move it away to start over.`)
  })

  test('has every answered change after its process is killed in the midst of writing', async () => {
    const writer = spawn(
      process.execPath,
      [fileURLToPath(new URL('../../../tests/support/kill-test-writer.ts', import.meta.url)), folder],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    let answered = 0
    for await (const line of createInterface({ input: writer.stdout })) {
      answered = Number(line)
      if (answered === 300) writer.kill('SIGKILL')
    }
    const names = [...openWorld().store.sellers.values()].map(seller => seller.name)
    expect(answered).toBeGreaterThanOrEqual(300)
    expect(Number(names[0])).toBeGreaterThanOrEqual(answered)
  })
})

describe('a change', () => {
  test('that throws leaves nothing behind', () => {
    const world = openWorld()
    expect(() =>
      world.change(store => {
        store.sellers.delete('A1TESTSELLER')
        store.profiles.delete(111)
        throw new Error('no')
      }),
    ).toThrow('no')
    expect(world.store.sellers.has('A1TESTSELLER')).toBe(true)
    expect(world.store.profiles.has(111)).toBe(true)
    expect(openWorld().store.sellers.has('A1TESTSELLER')).toBe(true)
  })
})

describe('a watcher', () => {
  test('receives entries before and after each change, and after a kill the changes since the checkpoint', () => {
    const world = openWorld()
    const reported: unknown[] = []
    world.onChange(changes => reported.push(...changes))
    const before = world.store.sellers.get('A1TESTSELLER') ?? expect.unreachable()
    const after = { ...before, name: 'Renamed' }
    world.change(store => store.sellers.set('A1TESTSELLER', after))
    expect(reported).toEqual([{ collection: 'sellers', key: 'A1TESTSELLER', before, after }])
    expect(world.missedChanges).toEqual([])
    expect(openWorld().missedChanges).toMatchObject([
      { at: START, changes: [{ collection: 'sellers', before, after }] },
    ])
    expect(() =>
      world.change(store => {
        store.sellers.delete('A1TESTSELLER')
        throw new Error('no')
      }),
    ).toThrow('no')
    expect(reported).toHaveLength(1)
  })
})

describe('a reset', () => {
  test('restores store, grants, clock and faults, and rejects unknown scenarios', () => {
    const world = openWorld()
    world.change(store => store.sellers.delete('A2OTHERSELLER'))
    world.clock.advance(5000)
    world.faults.add({ match: { vendor: 'ads' }, kind: 'throttle' })
    world.lwa.issueCode({ login: 'owner@sandbox.test', scope: 's', redirectUri: null, clientId: 'id' })
    expect(world.reset('nowhere')).toBe(false)
    expect(world.reset('toString')).toBe(false)
    expect(world.reset('small')).toBe(true)
    expect(world.store.sellers.size).toBe(2)
    expect(world.clock.now()).toEqual(START)
    expect(world.faults.list()).toEqual([])
    expect(world.lwa.dump().codes).toEqual([])
    expect(openWorld().store.sellers.size).toBe(2)
  })
})

test('worlds that begin within an hour have one history, which the second takes from the cache, and continue alike', () => {
  const restored = vi.spyOn(Market.prototype, 'restore')
  const histories = new Histories(folder)
  const [simulated, cached] = ['2026-11-20T18:01:00Z', '2026-11-20T18:58:30Z'].map(
    now =>
      new World({
        scenarios,
        scenario: 'small',
        createMarket,
        config: { publicUrl: '', clients: new Map(), sellingPartnerApp: '', controlToken: '' },
        clock: { now: () => new Date(now) },
        histories,
      }),
  )
  if (!simulated || !cached) return expect.unreachable()
  expect(restored).toHaveBeenCalledOnce()
  restored.mockRestore()
  for (const { clock } of [simulated, cached]) clock.set(new Date('2026-11-22T09:00:00Z'))
  expect(cached.market().dump()).toEqual(simulated.market().dump())
  const stockOf = ({ store }: World) => [...store.products].map(([key, { fulfillable }]) => [key, fulfillable])
  expect(stockOf(cached)).toEqual(stockOf(simulated))
})

test.each([
  ['PT1H', 3_600_000],
  ['P1DT2H30M', 95_400_000],
  ['P2W', 1_209_600_000],
  ['PT0.5S', 500],
  ['P', null],
  ['an hour', null],
])('the duration %s is %s ms', (text, ms) => {
  expect(durationMs(text)).toBe(ms)
})
