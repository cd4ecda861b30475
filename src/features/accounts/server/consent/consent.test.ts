import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Ctx, Services } from '#server/context.ts'
import type { Sandbox } from '#sandbox/start-sandbox.ts'
import { answerConsent, servicesWithOutside } from '../../../../../tests/support/outside.ts'
import { openIntegrations } from '../../../../main/integrations.ts'
import { addAccount, callerOf } from '../../../../../tests/support/people.ts'
import { disconnectMerchant, getMerchant, listMerchants } from '../merchants.ts'
import { beginConsent, beginReconnect, completeAdsConsent, completeConsent, completeSellerConsent } from './consent.ts'

let services: Services & { close(): Promise<void> }
let sandbox: Sandbox
let ctx: Ctx

beforeAll(async () => {
  const opened = await servicesWithOutside()
  services = opened.services
  sandbox = opened.sandbox
})
afterAll(() => services.close())
beforeEach(async () => {
  // Sellers belong to one user each, so every test starts without any.
  await services.db.system.deleteFrom('seller_claim').execute()
  // The marketplace answers who sells where 15 times, then once a minute; nor do we ask more often, by the machine's time.
  sandbox.world.clock.advance(15 * 60_000)
  services.integrations = openIntegrations(services)
  ctx = await newCaller()
})

const newCaller = async () => callerOf(services, await addAccount(services))
const again = (caller: Ctx) => callerOf(services, caller.actor.accountId)
const [NA, EU] = [1, 2]

async function adsReturn(caller: Ctx, login = 'agency@sandbox.test', target: { merchantId?: number } = {}) {
  const { url } = await beginConsent(caller, 'AMAZON_ADS', { regionId: NA, ...target })
  const { searchParams } = await answerConsent(url, { login })
  return { state: searchParams.get('state') ?? '', code: searchParams.get('code') ?? undefined, error: undefined }
}
async function sellerReturn(caller: Ctx, account: string, regionId = NA, merchantId?: number) {
  const { url } = await beginConsent(caller, 'SELLING_PARTNER', { regionId, merchantId })
  const { searchParams } = await answerConsent(url, { account })
  return {
    state: searchParams.get('state') ?? '',
    spapi_oauth_code: searchParams.get('spapi_oauth_code') ?? undefined,
    selling_partner_id: searchParams.get('selling_partner_id') ?? undefined,
    error: undefined,
  }
}
const harborlane = 'agency@sandbox.test|A1HARBORLANEUS'

describe('the consent to a seller account', () => {
  test('makes a merchant with the marketplaces it sells in', async () => {
    const connected = await completeSellerConsent(ctx, await sellerReturn(ctx, harborlane))
    expect(connected).toMatchObject({
      kind: 'SELLING_PARTNER',
      merchant: { name: 'Harborlane Goods', accountType: 'SELLER', regionId: NA, regionName: 'North America' },
    })
    const merchant = await getMerchant(await again(ctx), connected.merchant.id)
    expect(merchant.connections).toMatchObject([{ id: connected.connectionId, health: 'CONNECTED', lostAt: null }])
    expect(merchant.role).toBe('OWNER')
  })

  test('given again renews the same connection of the same merchant', async () => {
    const first = await completeSellerConsent(ctx, await sellerReturn(ctx, harborlane))
    const second = await completeSellerConsent(ctx, await sellerReturn(ctx, harborlane))
    expect(second).toEqual(first)
    expect(await listMerchants(await again(ctx))).toHaveLength(1)
  })

  test('is refused for a seller that another user has connected', async () => {
    await completeSellerConsent(ctx, await sellerReturn(ctx, harborlane))
    const other = await newCaller()
    const attempt = completeSellerConsent(other, await sellerReturn(other, harborlane))
    await expect(attempt).rejects.toMatchObject({ code: 'MERCHANT_TAKEN' })
    expect(await listMerchants(await again(other))).toEqual([])
  })

  test('does not hold a seller that the token does not belong to', async () => {
    const returned = await sellerReturn(ctx, harborlane)
    const attempt = completeSellerConsent(ctx, { ...returned, selling_partner_id: 'A4DRIFTWOODUSX' })
    await expect(attempt).rejects.toMatchObject({ code: 'OAUTH_CODE_INVALID' })
    expect(await listMerchants(await again(ctx))).toEqual([])
  })

  test('renewing one seller is not satisfied by another', async () => {
    const { merchant } = await completeSellerConsent(ctx, await sellerReturn(ctx, harborlane))
    const returned = await sellerReturn(await again(ctx), 'seller@sandbox.test|A4DRIFTWOODUSX', NA, merchant.id)
    await expect(completeSellerConsent(ctx, returned)).rejects.toMatchObject({ code: 'RULE_VIOLATED' })
  })

  test('brings a disconnected merchant back, to its owner', async () => {
    const { merchant } = await completeSellerConsent(ctx, await sellerReturn(ctx, harborlane))
    await disconnectMerchant(await again(ctx), merchant.id)
    expect(await listMerchants(await again(ctx))).toEqual([])
    const back = await completeSellerConsent(ctx, await sellerReturn(ctx, harborlane))
    expect(back.merchant.id).toBe(merchant.id)
    expect(await listMerchants(await again(ctx))).toHaveLength(1)
  })

  test('gives a disconnected seller to another user without the data of the first', async () => {
    const { merchant } = await completeSellerConsent(ctx, await sellerReturn(ctx, harborlane))
    await disconnectMerchant(await again(ctx), merchant.id)
    const other = await newCaller()
    const taken = await completeSellerConsent(other, await sellerReturn(other, harborlane))
    expect(taken.merchant.id).not.toBe(merchant.id)
  })
})

describe('the consent to advertising accounts', () => {
  test('finds the accounts of all three regions and makes a merchant of each seller', async () => {
    const connected = await completeAdsConsent(ctx, await adsReturn(ctx))
    const countries = connected.profiles.map(p => `${p.region} ${p.countryCode} ${p.currencyCode}`)
    expect(countries.toSorted()).toEqual(['EU DE EUR', 'FE JP JPY', 'NA CA CAD', 'NA US USD'])
    expect(connected.profiles.every(p => p.isManaged === false)).toBe(true)
    expect((await listMerchants(await again(ctx))).map(m => m.regionName).toSorted()).toEqual([
      'Europe',
      'Far East',
      'North America',
    ])
  })

  test('keeps the accounts with the merchant whose seller was connected before', async () => {
    const { merchant } = await completeSellerConsent(ctx, await sellerReturn(ctx, harborlane))
    const { profiles } = await completeAdsConsent(ctx, await adsReturn(ctx))
    expect(profiles.filter(p => p.merchantId === merchant.id).map(p => p.countryCode)).toEqual(['CA', 'US'])
    const { connections } = await getMerchant(await again(ctx), merchant.id)
    expect(connections.map(c => c.kind)).toEqual(['SELLING_PARTNER', 'AMAZON_ADS'])
  })

  test('for one merchant leaves the other sellers behind the log-in alone', async () => {
    const { merchant } = await completeSellerConsent(ctx, await sellerReturn(ctx, harborlane))
    const returned = await adsReturn(await again(ctx), 'agency@sandbox.test', { merchantId: merchant.id })
    const { profiles } = await completeAdsConsent(ctx, returned)
    expect(profiles.map(p => p.countryCode)).toEqual(['CA', 'US'])
  })

  test('without any account says so', async () => {
    const attempt = completeAdsConsent(ctx, await adsReturn(ctx, 'empty@sandbox.test'))
    await expect(attempt).rejects.toMatchObject({ code: 'NO_PROFILES' })
  })

  test('leaves out what others hold, and is refused when nothing else remains', async () => {
    await completeSellerConsent(ctx, await sellerReturn(ctx, harborlane))
    const other = await newCaller()
    const { profiles, taken } = await completeAdsConsent(other, await adsReturn(other))
    expect(taken).toEqual(['Harborlane Goods'])
    expect(profiles.map(p => p.countryCode).toSorted()).toEqual(['DE', 'JP'])
    const third = await newCaller()
    const attempt = completeAdsConsent(third, await adsReturn(third))
    await expect(attempt).rejects.toMatchObject({ code: 'MERCHANT_TAKEN' })
    expect(await listMerchants(await again(third))).toEqual([])
  })

  test('in a region that does not let us in holds no accounts', async () => {
    const returned = await adsReturn(ctx)
    sandbox.world.faults.add({ match: { vendor: 'ads', region: 'fe' }, kind: 'status', status: 403, times: 1 })
    const { profiles } = await completeAdsConsent(ctx, returned)
    expect(profiles.map(p => p.region)).not.toContain('FE')
  })
})

describe('a state', () => {
  const invalid = { code: 'OAUTH_STATE_INVALID' }

  test('is 256 bits long and kept as a hash', async () => {
    const { url } = await beginConsent(ctx, 'AMAZON_ADS', { regionId: NA })
    const state = new URL(url).searchParams.get('state') ?? ''
    expect(Buffer.from(state, 'base64url')).toHaveLength(32)
    const rows = await services.db.system.selectFrom('oauth_state').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(state)
  })

  test('is taken once', async () => {
    const returned = await sellerReturn(ctx, harborlane)
    await completeSellerConsent(ctx, returned)
    await expect(completeSellerConsent(ctx, returned)).rejects.toMatchObject(invalid)
  })

  test('of twenty callbacks at once serves one', async () => {
    const returned = await sellerReturn(ctx, harborlane)
    const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => completeSellerConsent(ctx, returned)))
    expect(attempts.filter(a => a.status === 'fulfilled')).toHaveLength(1)
  })

  test.each(['', 'made-up', 'x'.repeat(500)])('that was never issued is refused (%#)', async state => {
    await expect(completeAdsConsent(ctx, { state, code: 'code' })).rejects.toMatchObject(invalid)
  })

  test('of another user is refused and stays good for its owner', async () => {
    const returned = await sellerReturn(ctx, harborlane)
    const thief = await newCaller()
    await expect(completeSellerConsent(thief, returned)).rejects.toMatchObject(invalid)
    expect((await completeSellerConsent(ctx, returned)).merchant.name).toBe('Harborlane Goods')
  })

  test('of the other kind of consent is refused', async () => {
    const { state } = await adsReturn(ctx)
    const attempt = completeSellerConsent(ctx, {
      state,
      spapi_oauth_code: 'x',
      selling_partner_id: 'A1HARBORLANEUS',
    })
    await expect(attempt).rejects.toMatchObject(invalid)
  })

  test('older than ten minutes is refused', async () => {
    const returned = await sellerReturn(ctx, harborlane)
    const later = { now: () => new Date(Date.now() + 10 * 60_000 + 1000) }
    await expect(completeSellerConsent({ ...ctx, clock: later }, returned)).rejects.toMatchObject(invalid)
  })

  test('of a refused consent is used up too', async () => {
    const { url } = await beginConsent(ctx, 'AMAZON_ADS', { regionId: NA })
    const back = await answerConsent(url, { answer: 'refuse' })
    const returned = { state: back.searchParams.get('state') ?? '', code: undefined, error: 'access_denied' }
    expect(back.searchParams.get('error')).toBe('access_denied')
    await expect(completeAdsConsent(ctx, returned)).rejects.toMatchObject({ code: 'OAUTH_REFUSED' })
    await expect(completeAdsConsent(ctx, returned)).rejects.toMatchObject(invalid)
  })

  test('decides which consent the common callback completes', async () => {
    const seller = await sellerReturn(ctx, harborlane)
    const connected = await completeConsent(ctx, seller)
    expect(connected.kind).toBe('SELLING_PARTNER')
    const ads = await adsReturn(ctx)
    const { kind } = await completeConsent(ctx, ads)
    expect(kind).toBe('AMAZON_ADS')
  })
})

describe('a code', () => {
  test('that was redeemed before, or never was one, connects nothing', async () => {
    const first = await adsReturn(ctx)
    await completeAdsConsent(ctx, first)
    for (const code of [first.code, 'made-up']) {
      const { state } = await adsReturn(ctx)
      const attempt = completeAdsConsent(ctx, { state, code })
      await expect(attempt).rejects.toMatchObject({ code: 'OAUTH_CODE_INVALID' })
    }
  })

  test('that has expired at the marketplace is reported as expired', async () => {
    const returned = await adsReturn(ctx)
    sandbox.world.faults.add({ match: { vendor: 'lwa', method: 'POST' }, kind: 'expired-token', times: 1 })
    await expect(completeAdsConsent(ctx, returned)).rejects.toMatchObject({ code: 'OAUTH_CODE_INVALID' })
  })
})

describe('who may begin', () => {
  test('nobody may for a merchant or connection of others, nor in a region that is not the merchant’s', async () => {
    const { merchant, connectionId } = await completeSellerConsent(ctx, await sellerReturn(ctx, harborlane))
    const other = await newCaller()
    const foreign = { code: 'NOT_FOUND' }
    const target = { regionId: NA, merchantId: merchant.id }
    await expect(beginConsent(other, 'AMAZON_ADS', target)).rejects.toMatchObject(foreign)
    await expect(beginReconnect(other, connectionId)).rejects.toMatchObject(foreign)
    await expect(getMerchant(other, merchant.id)).rejects.toMatchObject(foreign)
    await expect(disconnectMerchant(other, merchant.id)).rejects.toMatchObject(foreign)
    const owner = await again(ctx)
    await expect(beginConsent(owner, 'AMAZON_ADS', { ...target, regionId: EU })).rejects.toMatchObject({
      code: 'RULE_VIOLATED',
    })
    expect((await beginReconnect(owner, connectionId)).url).toContain('/sellercentral/')
  })
})
