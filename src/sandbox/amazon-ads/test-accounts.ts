import { randomInt } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type MarketplaceFacts, marketplaces } from '#shared/marketplaces.ts'
import { faultOf } from '../core/fault-hooks.ts'
import type { Store, Product, Profile, Seller, TestAccount } from '../core/model/store.ts'
import { newRequestId } from '../core/new-id.ts'
import { testAccountStatus } from '../core/seller-ids-of.ts'
import type { World } from '../core/world.ts'
import type { Access } from '../login-with-amazon/token-service.ts'
import { readAccess, readObject } from './ads-caller.ts'
import { familyFailure, gatewayFailure } from './ads-failure.ts'
import { isObject } from './entities/read-fields.ts'
import { requireAccept, requireMedia } from './media-types.ts'

const SCOPE = 'advertising::test:create_account'
// The real one takes minutes.
const TAKES_MS = 5000
const countries = 'AE AU BE BR CA DE EG ES FR IT JP MX NL PL SA SE SG TR UK US'.split(' ')
const authorCountries = ['US', 'UK', 'IT', 'ES', 'FR', 'DE']
const accountTypes = ['VENDOR', 'AUTHOR'] as const

interface Maker {
  email: string
  clientId: string
}

const makerOf = (access: Access): Maker => {
  if (access.email === null) throw gatewayFailure(403, 'ACCESS_DENIED', 'No person stands behind this token')
  return { email: access.email, clientId: access.clientId }
}

interface NewAccount {
  accountType: TestAccount['accountType']
  marketplace: MarketplaceFacts
}

/** Throws 400 for a malformed body, 422 for one that requests what does not exist. */
function readNewAccount(request: FastifyRequest): NewAccount {
  const { countryCode, accountType, accountMetaData } = readObject(request)
  const refuse = (status: number, text: string) => familyFailure(request, status, text)
  const type = accountTypes.find(one => one === accountType)
  if (!type) throw refuse(400, `accountType must be one of ${accountTypes.join(', ')}`)
  const country = countries.find(one => one === countryCode)
  const marketplace = marketplaces.find(({ key }) => key === country)
  if (!marketplace) throw refuse(400, `countryCode must be one of ${countries.join(', ')}`)
  if (type === 'AUTHOR' && !authorCountries.includes(marketplace.key))
    throw refuse(422, `Accounts of authors exist in ${authorCountries.join(', ')} only`)
  if (accountMetaData !== undefined && accountMetaData !== null) {
    if (!isObject(accountMetaData)) throw refuse(400, 'accountMetaData must be an object')
    const { vendorCode } = accountMetaData
    if (vendorCode !== undefined && vendorCode !== null && typeof vendorCode !== 'string')
      throw refuse(400, 'vendorCode must be a string')
    // The emulator has no vendor codes, so it takes any well-formed one.
    if (typeof vendorCode === 'string' && !/^[A-Z0-9]{5}$/i.test(vendorCode))
      throw refuse(422, 'vendorCode must be a code of five characters')
  }
  return { accountType: type, marketplace }
}

/** Throws 422 where the person manages real accounts, or has one for testing of this type there already. */
const checkMaker = (request: FastifyRequest, { store }: World, { email }: Maker, account: NewAccount): void => {
  const login = store.logins.find(one => one.email === email)
  const profiles = [...store.profiles.values()]
  if (profiles.some(({ sellerId }) => login?.sellerIds.includes(sellerId)))
    throw familyFailure(request, 422, 'Users who manage advertising accounts cannot create test accounts')
  const isTaken = profiles.some(({ sellerId, marketplaceId }) => {
    const test = store.sellers.get(sellerId)?.test
    return (
      marketplaceId === account.marketplace.amazonId &&
      test?.email === email &&
      test.accountType === account.accountType &&
      test.fate !== 'failed'
    )
  })
  if (isTaken) throw familyFailure(request, 422, 'The user has a test account of this type in this marketplace')
}

function newProfileId(store: Store): number {
  for (;;) {
    const profileId = randomInt(1_000_000_000, 8_000_000_000) * 1_000_000 + randomInt(1_000_000)
    if (!store.profiles.has(profileId)) return profileId
  }
}

/** An e-book of an author's test account. The real ones can be advertised two days later; these at once. */
function ebook({ sellerId }: Seller, marketplaceId: string, number: number): Product {
  const asin = `B0${newRequestId().slice(0, 8)}`
  return {
    sellerId,
    marketplaceId,
    asin,
    sku: asin,
    fnsku: asin,
    title: `Test_title ${number}`,
    brand: 'Test_author',
    categoryId: '154606011',
    categoryName: 'Kindle eBooks',
    priceMicros: 2_990_000,
    imageUrl: `/images/${asin}.svg`,
    condition: 'New',
    bestSellerRank: null,
    // Files never run out.
    fulfillable: 1_000_000,
    reserved: 0,
    unfulfillable: 0,
    inboundWorking: 0,
    inboundShipped: 0,
    inboundReceiving: 0,
    eligibility: 'ELIGIBLE',
    eligibilityMessage: null,
  }
}

/** Writes the account down at once; its person reaches it when the time has come. */
function openAccount(world: World, account: NewAccount, made: Omit<TestAccount, 'accountType'>): void {
  const { marketplace, accountType } = account
  const mark = newRequestId()
  const seller: Seller = {
    sellerId: `ENTITY${mark.slice(0, 13)}`,
    name: `3PTestBrand-${mark.slice(13)}`,
    region: marketplace.region,
    type: 'vendor',
    marketplaceIds: [marketplace.amazonId],
    test: { ...made, accountType },
  }
  world.change(store => {
    const profile: Profile = {
      profileId: newProfileId(store),
      sellerId: seller.sellerId,
      region: marketplace.region,
      marketplaceId: marketplace.amazonId,
      countryCode: marketplace.key,
      currency: marketplace.currency,
      timezone: marketplace.timezone,
      dailyBudgetMicros: null,
      validPaymentMethod: true,
    }
    store.sellers.set(seller.sellerId, seller)
    store.profiles.set(profile.profileId, profile)
    if (accountType === 'VENDOR') return
    for (const book of [1, 2, 3].map(number => ebook(seller, marketplace.amazonId, number)))
      store.products.set(`${book.sellerId}|${book.marketplaceId}|${book.sku}`, book)
  })
}

function toWire({ store, clock }: World, profile: Profile, test: TestAccount): object {
  const status = testAccountStatus(test, clock.now())
  const base = { countryCode: profile.countryCode, accountType: test.accountType, status }
  if (status !== 'COMPLETED') return base
  const asins = [...store.products.values()]
    .filter(({ sellerId }) => sellerId === profile.sellerId)
    .map(({ asin }) => asin)
  return { ...base, id: profile.sellerId, asins }
}

/**
 * `POST` and `GET /testAccounts`: accounts to try the API with, for people who advertise nothing. Any region's host makes
 * them for any country, since nothing is published against it; the profile appears at the host of its own.
 */
export function registerTestAccounts(app: FastifyInstance, world: World): void {
  app.post('/testAccounts', request => {
    const maker = makerOf(readAccess(request, world, SCOPE))
    requireMedia(request, { takes: [], plain: 'always' })
    const account = readNewAccount(request)
    checkMaker(request, world, maker, account)
    const requestId = newRequestId()
    const fate = faultOf(request, 'report-stuck') ? 'stuck' : faultOf(request, 'report-failed') ? 'failed' : 'normal'
    openAccount(world, account, { ...maker, requestId, opensAt: world.clock.now().getTime() + TAKES_MS, fate })
    return { requestId }
  })

  app.get('/testAccounts', request => {
    const maker = makerOf(readAccess(request, world, SCOPE))
    requireAccept(request, [], 415)
    const { requestId } = request.query as { requestId?: string }
    const own = [...world.store.profiles.values()].flatMap(profile => {
      const test = world.store.sellers.get(profile.sellerId)?.test
      return test?.email === maker.email && test.clientId === maker.clientId ? [{ profile, test }] : []
    })
    const found = requestId ? own.filter(({ test }) => test.requestId === requestId) : own
    if (requestId && found.length === 0) throw familyFailure(request, 404, `There is no request ${requestId}`)
    return found.map(({ profile, test }) => toWire(world, profile, test))
  })
}
