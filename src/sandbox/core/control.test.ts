import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adsClient, campaignItem, enterConsole, startSmallSandbox } from '../../../tests/support/ads-world.ts'
import type { Sandbox } from '../start-sandbox.ts'

let sandbox: Sandbox
let cookie = ''
beforeAll(async () => {
  sandbox = await startSmallSandbox()
  cookie = await enterConsole(sandbox)
})
afterAll(() => sandbox.close())

const get = async (path: string) => (await (await sandbox.control('GET', path)).json()) as Record<string, unknown>
async function post(path: string, body: object) {
  const response = await sandbox.control('POST', path, body)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('the control calls', () => {
  test('report the state', async () => {
    expect(await get('state')).toMatchObject({
      scenario: 'small',
      now: '2026-03-10T18:30:00.000Z',
      counts: { sellers: 2, profiles: 3, products: 3, campaigns: 0 },
      logins: ['owner', 'other', 'tester'].map(name => ({ email: `${name}@sandbox.test` })),
    })
    expect(await (await fetch(`${sandbox.url}/healthz`)).json()).toMatchObject({ status: 'ok' })
  })

  test('make things happen in the market, by their kind or by what they change', async () => {
    const coupon = await post('events', { kind: 'COUPON', asin: 'B0TEST0001', profileId: 111, size: 0.2 })
    expect(coupon).toMatchObject({ status: 201, body: { asin: 'B0TEST0001', price: 0.8, demand: 1 } })
    expect(Number(coupon.body.to) - Number(coupon.body.from)).toBe(7 * 24 * 3_600_000)
    const holiday = await post('events', { lasts: 'PT6H', demand: 2.5 })
    expect(holiday.body).toMatchObject({ demand: 2.5, rivals: 1, conversion: 1, profileId: null, categoryId: null })
    expect(holiday.body).not.toHaveProperty('price')
    expect((await post('events', { kind: 'SALE_DAY', lasts: 'PT48H', demand: 4 })).body).toMatchObject({ demand: 4 })
    for (const wrong of [
      { demand: 2 },
      { kind: 'FLOOD' },
      { kind: 'COUPON', lasts: 'soon' },
      { kind: 'COUPON', price: 0 },
    ])
      expect((await post('events', wrong)).status).toBe(400)
    expect((await sandbox.control('DELETE', 'events')).status).toBe(204)
  })

  test('move the clock forwards, never backwards', async () => {
    expect((await post('clock', { advance: 'PT1H' })).body).toEqual({ now: '2026-03-10T19:30:00.000Z' })
    expect((await post('clock', { now: '2026-03-11T00:00:00Z' })).body).toEqual({
      now: '2026-03-11T00:00:00.000Z',
    })
    expect((await post('clock', { now: '2026-03-10T00:00:00Z' })).status).toBe(400)
    expect((await post('clock', { advance: 'soon' })).status).toBe(400)
    expect(await get('clock')).toEqual({ now: '2026-03-11T00:00:00.000Z' })
  })

  test('let shoppers shop, budgets reset and conversions settle as the clock advances', async () => {
    await post('reset', { scenario: 'demo', now: '2026-03-10T18:30:00Z' })
    const { world } = sandbox
    const us = 1100000000000011
    const on = (days: string) => world.market().facts(us, days, days, world.clock.now())
    const clicks = () => on('2026-03-10').reduce((sum, fact) => sum + fact.clicks, 0)
    const orders = () => on('2026-03-10').reduce((sum, fact) => sum + fact.orders.d7, 0)
    const spent = () =>
      [...world.store.campaigns.values()]
        .filter(campaign => campaign.profileId === us)
        .reduce((sum, { campaignId }) => sum + world.market().budgetUsage(campaignId, world.clock.now()).spentMicros, 0)
    const [morning, spentByNoon] = [clicks(), spent()]
    await post('clock', { advance: 'PT8H' })
    expect(clicks()).toBeGreaterThan(morning)
    expect(spent()).toBeGreaterThan(spentByNoon)
    await post('clock', { now: '2026-03-11T07:30:00Z' })
    expect(spent()).toBeLessThan(spentByNoon)
    const early = orders()
    await post('clock', { advance: 'P9D' })
    expect(orders()).toBeGreaterThan(early)
    await post('reset', { scenario: 'small' })
  })

  test('reset to a scenario and reject an unknown one', async () => {
    expect((await post('reset', { scenario: 'atlantis' })).status).toBe(400)
    expect((await post('reset', { scenario: 'new-seller' })).body).toMatchObject({ scenario: 'new-seller' })
    expect((await post('reset', { scenario: 'small' })).body).toMatchObject({ scenario: 'small' })
  })

  test('show every request received, with its body, by vendor', async () => {
    const ads = await adsClient(sandbox)
    await ads.create('campaigns', 'campaigns', 'spCampaign', [campaignItem('Seen')])
    const requests = (await (await sandbox.control('GET', 'requests?vendor=ads&path=/sp/campaigns')).json()) as {
      body: string
    }[]
    expect(requests).toMatchObject([{ vendor: 'ads', method: 'POST', path: '/ads/na/sp/campaigns', status: 207 }])
    expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({ campaigns: [{ name: 'Seen' }] })
    expect(await get('requests?vendor=lwa')).toEqual([])
  })

  test('change the store as a person in the console would, and the console shows it', async () => {
    const ads = await adsClient(sandbox)
    await ads.create('campaigns', 'campaigns', 'spCampaign', [campaignItem('<b>Bold</b> & "odd"')])
    const campaign = [...sandbox.world.store.campaigns.values()].at(-1)
    const id = campaign?.campaignId
    expect((await post('console', { entity: 'campaign', id, action: 'pause' })).status).toBe(200)
    const budget = { entity: 'campaign', id, action: 'budget', value: 12.5 }
    expect((await post('console', budget)).status).toBe(200)
    expect((await post('console', { ...budget, value: 0.1 })).status).toBe(400)
    expect((await post('console', { ...budget, action: 'bid' })).status).toBe(400)
    const page = await (await fetch(`${sandbox.url}/console/campaigns/${id}`, { headers: { cookie } })).text()
    expect(page).toContain('data-testid="campaign-state">PAUSED')
    expect(page).toContain('data-testid="campaign-budget">12.50 USD')
    expect(page).toContain('&lt;b&gt;Bold&lt;/b&gt; &amp; &quot;odd&quot;')
    expect(page).not.toContain('<b>Bold')
    const accounts = await (await fetch(`${sandbox.url}/`, { headers: { cookie } })).text()
    expect(accounts).toContain('data-profile-id="111"')
  })

  test('take a product out of stock or down, and refuse the card of an advertiser', async () => {
    const id = 'A1TESTSELLER|ATVPDKIKX0DER|SKU-1'
    const ofProduct = (more: object) => post('console', { entity: 'product', id, ...more })
    expect((await ofProduct({ action: 'stock', value: 0 })).status).toBe(200)
    expect((await ofProduct({ action: 'stock', value: -1 })).status).toBe(400)
    expect((await ofProduct({ action: 'ineligible' })).status).toBe(200)
    expect((await ofProduct({ action: 'budget', value: 5 })).status).toBe(400)
    const product = () => sandbox.world.store.products.get(id)
    expect(product()).toMatchObject({ fulfillable: 0, eligibility: 'INELIGIBLE' })
    expect(product()?.eligibilityMessage).toContain('taken down')
    await ofProduct({ action: 'eligible' })
    expect(product()).toMatchObject({ eligibility: 'ELIGIBLE', eligibilityMessage: null })
    expect((await post('console', { entity: 'product', id: 'none', action: 'eligible' })).status).toBe(400)
    expect((await post('console', { entity: 'profile', id: '111', action: 'fail-payment' })).status).toBe(200)
    const ads = await adsClient(sandbox)
    const account = (await ads.call('GET', '/v2/profiles/111', null)).body.accountInfo
    expect(account).toMatchObject({ validPaymentMethod: false })
    expect((await post('console', { entity: 'profile', id: '111', action: 'pause' })).status).toBe(400)
    await post('console', { entity: 'profile', id: '111', action: 'repair-payment' })
    expect(sandbox.world.store.profiles.get(111)?.validPaymentMethod).toBe(true)
  })

  test('let something happen in the market from a coming hour on, and end it', async () => {
    const holiday = { lasts: 'PT24H', demand: 3, profileId: 111 }
    const { status, body } = await post('events', holiday)
    const from = Math.floor(sandbox.world.clock.now().getTime() / 3_600_000) * 3_600_000
    expect([status, body]).toMatchObject([201, { from, to: from + 86_400_000, demand: 3, rivals: 1, conversion: 1 }])
    expect(sandbox.world.store.marketEvents.size).toBe(1)
    expect((await post('events', { ...holiday, from: '2020-01-01T00:00:00Z' })).status).toBe(400)
    expect((await post('events', { lasts: 'long' })).status).toBe(400)
    expect((await sandbox.control('DELETE', 'events')).status).toBe(204)
    expect(await get('events')).toEqual([])
  })

  test('let a person be invited away, who then reaches nothing', async () => {
    const ads = await adsClient(sandbox)
    const away = { entity: 'login', id: 'owner@sandbox.test', action: 'invite-away', value: 'A1TESTSELLER' }
    expect((await post('console', away)).status).toBe(200)
    expect((await ads.call('GET', '/v2/profiles', null)).body).toEqual([])
    expect((await post('console', { ...away, action: 'revoke' })).status).toBe(200)
    expect((await ads.call('GET', '/v2/profiles', null)).status).toBe(401)
  })
})

describe('the console', () => {
  test('accepts its own forms and rejects those of other sites', async () => {
    const form = (origin?: string) =>
      fetch(`${sandbox.url}/console/clock`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ advance: 'PT1H', back: '//evil.test' }),
        headers: { cookie, ...(origin && { origin }) },
      })
    const own = await form(sandbox.url)
    expect([own.status, own.headers.get('location')]).toEqual([303, '/'])
    expect((await form('http://evil.test')).status).toBe(403)
  })
})
