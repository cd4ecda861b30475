import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Sandbox } from '../start-sandbox.ts'
import {
  type AdsClient,
  adsClient,
  campaignItem,
  idIn,
  type Json,
  leafOf,
  listOf,
  startSmallSandbox,
} from '../../../tests/support/ads-world.ts'

const json = 'application/json'
const both = 'advertising::test:create_account advertising::campaign_management'
const email = 'tester@sandbox.test'

let data: string
let sandbox: Sandbox
let ads: AdsClient
beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), 'test-accounts-'))
  sandbox = await startSmallSandbox(data)
  ads = await adsClient(sandbox, { email, scope: both })
})
afterEach(async () => {
  await sandbox.close()
  rmSync(data, { recursive: true })
})

const create = (body: object, client = ads) => client.call('POST', '/testAccounts', json, body)
const all = async (query = ''): Promise<Json[]> => listOf((await ads.call('GET', `/testAccounts${query}`, null)).body)
const profiles = async (client = ads): Promise<Json[]> => listOf((await client.call('GET', '/v2/profiles', null)).body)
const wait = (ms: number): void => sandbox.world.clock.advance(ms)

describe('a test account', () => {
  test('is in progress, then complete, and its profile can be worked with', async () => {
    const answer = await create({ countryCode: 'US', accountType: 'VENDOR', accountMetaData: { vendorCode: 'ABCDE' } })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ requestId: expect.stringMatching(/^[0-9A-Z]{20}$/) })
    const query = `?requestId=${leafOf(answer.body.requestId)}`
    expect(await all(query)).toEqual([{ countryCode: 'US', accountType: 'VENDOR', status: 'IN_PROGRESS' }])
    expect(await profiles()).toEqual([])

    wait(60_000)
    const [made] = await all(query)
    expect(made).toEqual({
      countryCode: 'US',
      accountType: 'VENDOR',
      status: 'COMPLETED',
      id: expect.stringMatching(/^ENTITY[0-9A-Z]{13}$/),
      asins: [],
    })
    const [profile] = await profiles()
    expect(profile).toMatchObject({
      countryCode: 'US',
      currencyCode: 'USD',
      accountInfo: { id: made?.id, type: 'vendor', marketplaceStringId: 'ATVPDKIKX0DER', validPaymentMethod: true },
    })
    const working = await adsClient(sandbox, { email, profileId: leafOf(profile?.profileId) })
    expect(await working.campaign('Tried out')).toMatch(/^\d+$/)
  })

  test('of an author has three e-books, and its ads are never shown', async () => {
    await create({ countryCode: 'US', accountType: 'AUTHOR' })
    wait(60_000)
    const [made] = await all()
    expect(listOf(made?.asins)).toHaveLength(3)
    const [profile] = await profiles()
    expect(profile?.accountInfo).toMatchObject({ type: 'vendor', subType: 'KDP_AUTHOR' })
    const profileId = leafOf(profile?.profileId)
    const author = await adsClient(sandbox, { email, profileId })
    const auto = campaignItem('Book', { targetingType: 'AUTO', budget: { budget: 500, budgetType: 'DAILY' } })
    const campaignId = idIn(await author.create('campaigns', 'campaigns', 'spCampaign', [auto]), 'campaignId')
    const adGroupId = await author.adGroup(campaignId, 'Book', 20)
    const ad = { campaignId, adGroupId, asin: leafOf(listOf(made?.asins)[0]), state: 'ENABLED' }
    idIn(await author.create('productAds', 'productAds', 'spProductAd', [ad]), 'adId')
    wait(3 * 86_400_000)
    const now = sandbox.world.clock.now()
    const facts = sandbox.world.market().facts(Number(profileId), '2026-03-01', '2026-03-31', now)
    expect(facts).toEqual([])
  })

  test('appears at the host of its country, and only in its creator’s lists', async () => {
    await create({ countryCode: 'JP', accountType: 'VENDOR' })
    wait(60_000)
    expect(await profiles()).toEqual([])
    const japan = await adsClient(sandbox, { email, scope: both, region: 'fe' })
    expect(await profiles(japan)).toMatchObject([{ countryCode: 'JP', currencyCode: 'JPY' }])
    const owner = await adsClient(sandbox, { scope: both })
    expect((await owner.call('GET', '/testAccounts', null)).body).toEqual([])
    expect((await profiles(owner)).map(({ countryCode }) => leafOf(countryCode))).toEqual(['US'])
  })

  test('outlives a restart', async () => {
    await create({ countryCode: 'DE', accountType: 'AUTHOR' })
    const before = await all()
    await sandbox.close()
    sandbox = await startSmallSandbox(data)
    ads = await adsClient(sandbox, { email, scope: both })
    expect(await all()).toEqual(before)
    wait(60_000)
    expect(await all()).toMatchObject([{ status: 'COMPLETED' }])
    expect(await profiles(await adsClient(sandbox, { email, region: 'eu' }))).toHaveLength(1)
  })

  test('stays in progress or fails when a fault says so', async () => {
    const match = { vendor: 'ads', path: '/ads/na/testAccounts' }
    sandbox.world.faults.add({ match, kind: 'report-failed', times: 1 })
    await create({ countryCode: 'US', accountType: 'VENDOR' })
    wait(60_000)
    expect(await all()).toEqual([{ countryCode: 'US', accountType: 'VENDOR', status: 'FAILED' }])
    expect(await profiles()).toEqual([])
    expect((await create({ countryCode: 'US', accountType: 'VENDOR' })).status).toBe(200)
  })
})

describe('is refused', () => {
  test.each([
    [{}, 400],
    [{ countryCode: 'US' }, 400],
    [{ countryCode: 'US', accountType: 'SELLER' }, 400],
    [{ countryCode: 'IN', accountType: 'VENDOR' }, 400],
    [{ countryCode: ['US'], accountType: 'VENDOR' }, 400],
    [{ countryCode: 'US', accountType: 'VENDOR', accountMetaData: 'ABCDE' }, 400],
    [{ countryCode: 'US', accountType: 'VENDOR', accountMetaData: { vendorCode: 5 } }, 400],
    [{ countryCode: 'US', accountType: 'VENDOR', accountMetaData: { vendorCode: 'ABC' } }, 422],
    [{ countryCode: 'JP', accountType: 'AUTHOR' }, 422],
  ])('%j: %i', async (body, status) => {
    const answer = await create(body)
    expect(answer).toMatchObject({ status, body: { code: String(status), details: expect.any(String) } })
    expect(await all()).toEqual([])
  })

  test('a second of its type in a marketplace', async () => {
    const vendorAccount = { countryCode: 'US', accountType: 'VENDOR' }
    expect((await create(vendorAccount)).status).toBe(200)
    expect((await create(vendorAccount)).status).toBe(422)
    expect((await create({ ...vendorAccount, accountType: 'AUTHOR' })).status).toBe(200)
    wait(60_000)
    expect((await create({ ...vendorAccount, countryCode: 'CA' })).status).toBe(200)
  })

  test('people who manage advertising accounts, tokens without the scope, and unknown requests', async () => {
    const vendorAccount = { countryCode: 'US', accountType: 'VENDOR' }
    const owner = await adsClient(sandbox, { scope: both })
    const managed = await create(vendorAccount, owner)
    expect(managed.status).toBe(422)
    expect(leafOf(managed.body.details)).toContain('manage advertising accounts')
    const plain = await adsClient(sandbox, { email })
    expect((await create(vendorAccount, plain)).status).toBe(403)
    expect((await plain.call('GET', '/testAccounts', null)).status).toBe(403)
    expect((await ads.call('GET', '/testAccounts?requestId=404', null)).status).toBe(404)
    const only = await adsClient(sandbox, { email, scope: 'advertising::test:create_account' })
    expect((await create(vendorAccount, only)).status).toBe(200)
    expect((await only.call('GET', '/v2/profiles', null)).status).toBe(403)
  })
})
