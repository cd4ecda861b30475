import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sumUpDay } from '../../../../tests/support/campaign-account.ts'
import {
  openWatchedAccount,
  signal,
  type WatchedAccount,
  watchedProfileId,
} from '../../../../tests/support/watched-account.ts'
import { hourIn } from '#shared/time.ts'
import { watchSome } from './jobs.ts'

let account: WatchedAccount
const HOUR_MS = 3_600_000
beforeAll(async () => {
  account = await openWatchedAccount(new Date('2026-06-02T15:00:00Z'))
})
afterAll(() => account.close())
beforeEach(() => {
  account.said.length = 0
})

const pass = (hours: number) => account.world.clock.advance(hours * HOUR_MS)
const job = { id: 'job', attempt: 0, lastAttempt: false, signal }
const watch = () => {
  const { merchantId, profileId } = account.profile
  // One that is not connected any more is left alone.
  const accounts = [
    { merchantId, profileId: 999_999 },
    { merchantId, profileId },
  ]
  return watchSome.run(account.services, { accounts }, job)
}
const short = () => account.said.map(({ signal, kind }) => [signal, kind].filter(Boolean).join(' '))
const change = (action: string, value?: number) =>
  account.console({ entity: 'profile', id: String(watchedProfileId), action, ...(value !== undefined && { value }) })

/** Four weeks on which the ads sold 70 a day, 30 of it of one product, of which 50 were sold with and without ads. */
async function sell(asin: string): Promise<void> {
  const { merchantId, profileId } = account.profile
  const { system } = account.services.db
  const owner = sql`${merchantId}, ${profileId}`
  for (let n = 4; n <= 28; n++) {
    const date = account.day(-n)
    await sql`insert into campaign_day (merchant_id, profile_id, campaign_id, date, impressions, clicks, cost_micros, sales_micros, orders, units)
      select ${owner}, min(id), ${date}, 100, 10, 10e6, 70e6, 2, 2 from campaign where merchant_id = ${merchantId}`.execute(
      system,
    )
    await sql`insert into product_sum (merchant_id, profile_id, asin, days, start, sales_micros, total_units, total_sales_micros)
      values (${owner}, ${asin}, 1, ${date}, 30e6, 2, 50e6)`.execute(system)
    await sumUpDay(system, account.profile, date)
  }
}

test('a payment that fails is raised once, with what a day sells, silences what follows from it, and is over when it is repaired', async () => {
  await watch()
  expect(short()).toEqual([])
  change('fail-payment')
  await watch()
  pass(26)
  await watch()
  expect(short()).toEqual(['raised PAYMENT_PROBLEM'])
  expect(account.said[0]).toMatchObject({
    cause: `payment-${account.profile.profileId}`,
    stakeMicros: null,
    actions: [],
  })
  change('repair-payment')
  await watch()
  expect(short().slice(1)).toEqual(['settled'])
})

test('an account that reached its own budget for a day is raised with the rest of the day, and is over at midnight', async () => {
  const { world } = account
  const [ad] = [...world.store.productAds.values()].filter(one => one.profileId === watchedProfileId)
  await sell(ad?.asin ?? '')
  change('budget', 1)
  pass(3)
  await watch()
  expect(short()).toEqual(['raised PAYMENT_PROBLEM'])
  const [raised] = account.said
  // 70 in a whole day, less what is over of it.
  const hour = hourIn(world.clock.now(), account.profile.timezone)
  expect(raised?.stakeMicros).toBeGreaterThan((70e6 * (23 - hour)) / 24)
  expect(raised?.stakeMicros).toBeLessThan((70e6 * (24 - hour)) / 24 + 1)
  expect(raised?.currency).toBe('USD')
  change('budget')
  pass(1)
  await watch()
  expect(short().slice(1)).toEqual(['settled'])
})

test('a product that cannot be bought or advertised is raised once with what it sells, and not while nothing runs anyway', async () => {
  const { world } = account
  const [ad] = [...world.store.productAds.values()].filter(one => one.profileId === watchedProfileId)
  const [key] = [...world.store.products].find(([, product]) => product.sku === ad?.sku) ?? expect.unreachable()
  const product = (action: string, value?: number) =>
    account.console({ entity: 'product', id: key, action, ...(value !== undefined && { value }) })
  change('fail-payment')
  product('ineligible')
  pass(1)
  await watch()
  expect(short()).toEqual(['raised PAYMENT_PROBLEM'])
  expect(account.said[0]?.stakeMicros).toBe(70e6)
  change('repair-payment')
  for (const hours of [1, 24]) {
    pass(hours)
    await watch()
  }
  expect(short().slice(1)).toEqual(['settled', 'raised PRODUCT_INELIGIBLE'])
  expect(account.said[2]).toMatchObject({ stakeMicros: 30e6, currency: 'USD' })
  product('eligible')
  pass(1)
  await watch()
  product('stock', 0)
  pass(2)
  await watch()
  expect(short().slice(3)).toEqual(['settled', 'raised PRODUCT_INELIGIBLE'])
  // Nothing of it is sold at all.
  expect(account.said[4]).toMatchObject({ stakeMicros: 50e6 })
})
