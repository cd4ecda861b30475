import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Ctx, Services } from '#server/context.ts'
import type { Sandbox } from '#sandbox/start-sandbox.ts'
import { connectAds } from '../../../../tests/support/connected-seller.ts'
import { answerConsent, servicesHearing } from '../../../../tests/support/outside.ts'
import { addAccount, callerOf } from '../../../../tests/support/people.ts'
import type { AdsConnected } from '../connect-contract.ts'
import { beginConsent, completeSellerConsent } from './consent/consent.ts'
import { currentProfile, profileById, profilesOf } from './profiles.ts'
import { disconnectMerchant, listMerchantsInfo } from './merchants.ts'
import { profilesConnected } from './signals.ts'
import {
  chooseMarketplace,
  chooseMerchant,
  connectProfiles,
  getCurrentMarketplace,
  getCurrentMerchant,
  listMarketplaces,
  listMarketplacesOf,
  selectProfile,
} from './current-choice.ts'

let services: Services & { close(): Promise<void> }
let sandbox: Sandbox
let seeded: unknown[]
let accountId: number
let connected: AdsConnected

beforeAll(async () => {
  ;({ services, sandbox, heard: seeded } = await servicesHearing(profilesConnected))
})
afterAll(() => services.close())
beforeEach(async () => {
  await services.db.system.deleteFrom('seller_claim').execute()
  accountId = await addAccount(services)
  connected = await connectAds(await me(), 'agency@sandbox.test')
  seeded.length = 0
  sandbox.world.journal.clear()
})

const me = (): Promise<Ctx> => callerOf(services, accountId)
const stranger = async (): Promise<Ctx> => callerOf(services, await addAccount(services))
function profileIn(country: string) {
  const found = connected.profiles.find(p => p.countryCode === country)
  if (!found?.merchantId) throw new Error(`no profile in ${country}`)
  return { ...found, merchantId: found.merchantId }
}
async function connect(...countries: string[]) {
  for (const country of countries) {
    const { merchantId, amazonProfileId } = profileIn(country)
    await connectProfiles(await me(), { merchantId, amazonProfileIds: [String(amazonProfileId)] })
  }
}
const notFound = { code: 'NOT_FOUND' }

describe('connecting advertising accounts', () => {
  test('takes exactly the chosen ones into management and starts their import once', async () => {
    const { merchantId, amazonProfileId, id } = profileIn('US')
    const all = await connectProfiles(await me(), { merchantId, amazonProfileIds: [String(amazonProfileId)] })
    expect(all.filter(p => p.isManaged).map(p => p.countryCode)).toEqual(['US'])
    expect(all).toHaveLength(4)
    await expect.poll(() => seeded).toEqual([{ merchantId, profileIds: [id] }])
  })

  test('is announced again when the seller account is connected later, for its catalogue', async () => {
    await connect('US')
    const { merchantId, id } = profileIn('US')
    await expect.poll(() => seeded.length).toBe(1)
    const { url } = await beginConsent(await me(), 'SELLING_PARTNER', { regionId: 1, merchantId })
    const back = (await answerConsent(url, { account: 'agency@sandbox.test|A1HARBORLANEUS' })).searchParams
    await completeSellerConsent(await me(), {
      state: back.get('state') ?? '',
      spapi_oauth_code: back.get('spapi_oauth_code') ?? undefined,
      selling_partner_id: back.get('selling_partner_id') ?? undefined,
    })
    await expect.poll(() => seeded[1]).toEqual({ merchantId, profileIds: [id] })
    expect((await currentProfile(await me())).sellingPartnerConnectionId).toBeGreaterThan(0)
  })

  test('makes the first of them the current merchant and marketplace, and later ones not', async () => {
    await expect(getCurrentMerchant(await me())).rejects.toMatchObject(notFound)
    await expect(getCurrentMarketplace(await me())).rejects.toMatchObject(notFound)
    await connect('US', 'DE')
    expect(await getCurrentMerchant(await me())).toMatchObject({ id: profileIn('US').merchantId, regionId: 1 })
    expect(await getCurrentMarketplace(await me())).toEqual({
      id: 1,
      amazonId: 'ATVPDKIKX0DER',
      name: 'United States',
      key: 'US',
      currency: 'USD',
    })
  })

  test('with one that is not the merchant’s changes nothing', async () => {
    const { merchantId, amazonProfileId } = profileIn('US')
    const ids = [String(amazonProfileId), String(profileIn('DE').amazonProfileId)]
    await expect(connectProfiles(await me(), { merchantId, amazonProfileIds: ids })).rejects.toMatchObject(notFound)
    const managed = await services.db.tenant(merchantId, tx => profilesOf(tx, merchantId))
    expect(managed).toEqual([])
    await expect(getCurrentMerchant(await me())).rejects.toMatchObject(notFound)
  })

  test('of someone else’s merchant is refused as unknown, by a viewer as forbidden', async () => {
    const { merchantId, amazonProfileId } = profileIn('US')
    const input = { merchantId, amazonProfileIds: [String(amazonProfileId)] }
    await expect(connectProfiles(await stranger(), input)).rejects.toMatchObject(notFound)
    const viewer = await addAccount(services)
    await services.db.system
      .insertInto('membership')
      .values({ account_id: viewer, merchant_id: merchantId, role: 'VIEWER', ended_at: null })
      .execute()
    const asViewer = await callerOf(services, viewer)
    await expect(connectProfiles(asViewer, input)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(disconnectMerchant(asViewer, merchantId)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(await listMarketplacesOf(asViewer, merchantId)).toHaveLength(2)
  })
})

describe('the current choice', () => {
  test('follows the merchant: its first managed account decides the marketplace', async () => {
    await connect('US', 'JP')
    await chooseMerchant(await me(), profileIn('JP').merchantId)
    expect(await getCurrentMarketplace(await me())).toMatchObject({ key: 'JP', currency: 'JPY' })
    expect(await listMarketplaces(await me())).toMatchObject([{ key: 'JP' }])
  })

  test('knows no merchant and no marketplace of others', async () => {
    await connect('US')
    const other = await stranger()
    const { merchantId, amazonProfileId } = profileIn('US')
    await expect(chooseMerchant(other, merchantId)).rejects.toMatchObject(notFound)
    await expect(listMarketplacesOf(other, merchantId)).rejects.toMatchObject(notFound)
    await expect(selectProfile(other, String(amazonProfileId))).rejects.toMatchObject(notFound)
    await expect(listMarketplaces(other)).rejects.toMatchObject(notFound)
    await expect(chooseMarketplace(other, 1)).rejects.toMatchObject(notFound)
    expect(await listMerchantsInfo(other, 'AMAZON_ADS')).toEqual([])
    await expect(chooseMarketplace(await me(), 22)).rejects.toMatchObject(notFound)
  })

  test('can be made by an advertising account', async () => {
    await connect('US', 'DE')
    await selectProfile(await me(), String(profileIn('DE').amazonProfileId))
    expect(await getCurrentMerchant(await me())).toMatchObject({ id: profileIn('DE').merchantId })
    expect(await getCurrentMarketplace(await me())).toMatchObject({ key: 'DE' })
  })

  test('ends with the merchant', async () => {
    await connect('US')
    await disconnectMerchant(await me(), profileIn('US').merchantId)
    await expect(getCurrentMerchant(await me())).rejects.toMatchObject(notFound)
    await expect(getCurrentMarketplace(await me())).rejects.toMatchObject(notFound)
    await expect(chooseMerchant(await me(), profileIn('US').merchantId)).rejects.toMatchObject(notFound)
  })
})

describe('the profile that figures and campaigns are of', () => {
  test('is the managed one of the current merchant in the current marketplace', async () => {
    await connect('US')
    expect(await currentProfile(await me())).toMatchObject({
      profileId: profileIn('US').id,
      amazonProfileId: String(profileIn('US').amazonProfileId),
      region: 'NA',
      marketplaceAmazonId: 'ATVPDKIKX0DER',
      currency: 'USD',
      timezone: 'America/Los_Angeles',
      sellerId: 'A1HARBORLANEUS',
      sellingPartnerConnectionId: null,
    })
    await chooseMarketplace(await me(), 3)
    await expect(currentProfile(await me())).rejects.toMatchObject({ code: 'RULE_VIOLATED' })
  })

  test('is missing before anything is chosen', async () => {
    await expect(currentProfile(await me())).rejects.toMatchObject({ code: 'RULE_VIOLATED' })
  })

  test('is found by its id only with its own merchant', async () => {
    const { merchantId, id } = profileIn('US')
    const other = profileIn('DE').merchantId
    const found = services.db.tenant(merchantId, tx => profileById(tx, merchantId, id))
    expect(await found).toMatchObject({ countryCode: 'US' })
    const foreign = services.db.tenant(other, tx => profileById(tx, other, id))
    await expect(foreign).rejects.toMatchObject(notFound)
    // Even a statement that names the wrong merchant sees nothing: the database itself holds tenants apart.
    const beneath = services.db.tenant(other, tx => profilesOf(tx, merchantId))
    expect(await beneath).toEqual([])
  })
})

test('merchants are listed by the kind of connection they have', async () => {
  const info = await listMerchantsInfo(await me(), 'AMAZON_ADS')
  expect(info.find(m => m.merchantId === profileIn('US').merchantId)).toEqual({
    merchantId: profileIn('US').merchantId,
    merchantName: 'Harborlane Goods',
    marketplaces: ['CA', 'US'],
  })
  expect(await listMerchantsInfo(await me(), 'SELLING_PARTNER')).toEqual([])
})
