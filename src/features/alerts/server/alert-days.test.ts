import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWatchedAccount, type WatchedAccount, watchedProfileId } from '../../../../tests/support/watched-account.ts'

// Days of an emulated account on which it is known what is wrong, each from midnight to midnight.

let account: WatchedAccount
beforeAll(async () => {
  account = await openWatchedAccount(new Date('2026-06-01T07:00:00Z'))
})
afterAll(() => account.close())

const pushed = new Set<string>()
/** The kinds of what was pushed since the last look: an alert that only changes what it says is pushed no second time. */
function pushedKinds(): string[] {
  return account.said.splice(0).flatMap(({ signal, kind = '', occasion, cause }) => {
    const push = `${cause} ${occasion}`
    if (signal !== 'raised' || pushed.has(push)) return []
    pushed.add(push)
    return kind
  })
}

/** The campaigns by what their ads cost in the last week, dearest first. */
function dearest(n: number): string {
  const { world, day } = account
  const cost = new Map<string, number>()
  for (const fact of world.market().facts(watchedProfileId, day(-7), day(-1), world.clock.now()))
    cost.set(fact.campaignId, (cost.get(fact.campaignId) ?? 0) + fact.costMicros)
  return [...cost].toSorted(([, a], [, b]) => b - a)[n]?.[0] ?? expect.unreachable()
}

/** Types every bid of a campaign times a factor in the console. */
function multiplyBids(campaignId: string, factor: number): void {
  const { adGroups, keywords, targets } = account.world.store
  const type = (entity: string, id: string, micros: number): void =>
    account.console({ entity, id, action: 'bid', value: Math.round((micros / 1e6) * factor * 100) / 100 })
  const own = <T extends { campaignId: string }>(all: Map<string, T>): T[] =>
    [...all.values()].filter(one => one.campaignId === campaignId)
  for (const one of own(adGroups)) type('adGroup', one.adGroupId, one.defaultBidMicros)
  for (const one of own(keywords)) if (one.bidMicros !== null) type('keyword', one.keywordId, one.bidMicros)
  for (const one of own(targets)) if (one.bidMicros !== null) type('target', one.targetId, one.bidMicros)
}

test('a quiet day raises nothing', async () => {
  await account.playUntil(account.day(1), 24)
  expect(pushedKinds()).toEqual([])
})

test('a campaign whose bids run away is raised once, as a spike', async () => {
  const campaignId = dearest(1)
  await account.playUntil(account.day(2), 9)
  multiplyBids(campaignId, 10)
  await account.playUntil(account.day(2), 24)
  multiplyBids(campaignId, 0.1)
  await account.playUntil(account.day(3), 6)
  expect(pushedKinds()).toEqual(['SPEND_SPIKE'])
})

test('a product that is out of stock is raised once, however long it lasts, and is over when it is back', async () => {
  const { world } = account
  const campaignId = dearest(0)
  const sku = [...world.store.productAds.values()].find(ad => ad.campaignId === campaignId)?.sku
  const [key] = [...world.store.products].find(([, product]) => product.sku === sku) ?? expect.unreachable()
  account.console({ entity: 'product', id: key, action: 'stock', value: 0 })
  await account.playUntil(account.day(4), 18)
  expect(pushedKinds()).toEqual(['PRODUCT_INELIGIBLE'])
  account.console({ entity: 'product', id: key, action: 'stock', value: 100_000 })
  await account.playUntil(account.day(4), 24)
  expect(account.said.map(({ signal, kind }) => kind ?? signal)).toEqual(['settled'])
})

test('a runaway whose figures come late, twice and in disorder is raised once', async () => {
  const { sandbox } = account
  account.said.length = 0
  const campaignId = dearest(2)
  await account.playUntil(account.day(6), 8)
  expect(pushedKinds()).toEqual([])
  multiplyBids(campaignId, 10)
  await sandbox.control('POST', 'stream', { held: true })
  await account.playUntil(account.day(6), 17)
  expect(pushedKinds()).toEqual([])
  await sandbox.control('POST', 'stream', { held: false })
  for (const kind of ['duplicate-delivery', 'out-of-order'])
    await sandbox.control('POST', 'faults', { match: { vendor: 'sqs' }, kind, times: 100 })
  await account.playUntil(account.day(6), 24)
  multiplyBids(campaignId, 0.1)
  await account.playUntil(account.day(7), 6)
  expect(pushedKinds()).toEqual(['SPEND_SPIKE'])
})

test('a holiday on which more people come and buy raises nothing', async () => {
  await account.playUntil(account.day(7), 24)
  account.said.length = 0
  const event = { profileId: watchedProfileId, categoryId: null, demand: 2.5, conversion: 1.3, lasts: 'PT24H' }
  await account.sandbox.control('POST', 'events', event)
  await account.playUntil(account.day(9), 6)
  expect(pushedKinds()).toEqual([])
})
