import { randomInt } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type MarketplaceFacts, marketplaces } from '#shared/marketplaces.ts'
import { faultOf } from '../core/fault-hooks.ts'
import { type Product, profileFor, type Seller, type Store, type TestAccount } from '../core/model/store.ts'
import { newRequestId } from '../core/new-id.ts'
import { newListing } from '../selling-partner/operations/product-fields.ts'
import { testAccountStatus } from '../core/model/store.ts'
import type { World } from '../core/world.ts'
import { readAccess, readObject } from './ads-caller.ts'
import { familyFailure, gatewayFailure } from './ads-failure.ts'
import { isAbsent, isObject } from './entities/read-fields.ts'
import { requireAccept, requireMedia } from './media-types.ts'

// The real one takes minutes.
const TAKES_MS = 5000
const countries = 'AE AU BE BR CA DE EG ES FR IT JP MX NL PL SA SE SG TR UK US'.split(' ')
const authorCountries = ['US', 'UK', 'IT', 'ES', 'FR', 'DE']
const accountTypes = ['VENDOR', 'AUTHOR'] as const

/** The person and the application behind a call. Throws 403 for a token without a person. */
function makerOf(request: FastifyRequest, world: World): Pick<TestAccount, 'email' | 'clientId'> {
  const { email, clientId } = readAccess(request, world, 'advertising::test:create_account')
  if (email === null) throw gatewayFailure(403, 'ACCESS_DENIED', 'No person stands behind this token')
  return { email, clientId }
}

/** Throws 400 for a malformed body, 422 for one that requests what does not exist. */
function readNewAccount(request: FastifyRequest) {
  const { countryCode, accountType: type, accountMetaData } = readObject(request)
  const refuse = (status: number, text: string) => familyFailure(request, status, text)
  const accountType = accountTypes.find(one => one === type)
  if (!accountType) throw refuse(400, `accountType must be one of ${accountTypes.join(', ')}`)
  const country = countries.find(one => one === countryCode)
  const marketplace = marketplaces.find(({ key }) => key === country)
  if (!marketplace) throw refuse(400, `countryCode must be one of ${countries.join(', ')}`)
  if (accountType === 'AUTHOR' && !authorCountries.includes(marketplace.key))
    throw refuse(422, `Accounts of authors exist in ${authorCountries.join(', ')} only`)
  if (isAbsent(accountMetaData)) return { accountType, marketplace }
  if (!isObject(accountMetaData)) throw refuse(400, 'accountMetaData must be an object')
  const { vendorCode } = accountMetaData
  if (!isAbsent(vendorCode) && typeof vendorCode !== 'string') throw refuse(400, 'vendorCode must be a string')
  // The emulator has no vendor codes, so it takes any well-formed one.
  if (typeof vendorCode === 'string' && !/^[A-Z0-9]{5}$/i.test(vendorCode))
    throw refuse(422, 'vendorCode must be a code of five characters')
  return { accountType, marketplace }
}

type NewAccount = ReturnType<typeof readNewAccount>

/** Throws 422 where the person manages real accounts, or has one for testing of this type there already. */
function checkMaker(request: FastifyRequest, store: Store, email: string, { accountType, marketplace }: NewAccount) {
  const login = store.logins.find(one => one.email === email)
  const profiles = [...store.profiles.values()]
  if (profiles.some(({ sellerId }) => login?.sellerIds.includes(sellerId)))
    throw familyFailure(request, 422, 'Users who manage advertising accounts cannot create test accounts')
  const isTaken = profiles.some(({ sellerId, marketplaceId }) => {
    const test = store.sellers.get(sellerId)?.test
    return (
      marketplaceId === marketplace.amazonId &&
      test?.email === email &&
      test.accountType === accountType &&
      test.fate !== 'failed'
    )
  })
  if (isTaken) throw familyFailure(request, 422, 'The user has a test account of this type in this marketplace')
}

/** An e-book of an author's test account. The real ones can be advertised two days later; these at once. */
function ebook(sellerId: string, marketplaceId: string, number: number): Product {
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
    ...newListing,
    // Files never run out.
    fulfillable: 1_000_000,
  }
}

/** Writes the account down at once; its person reaches it when the time has come. */
function openAccount(store: Store, { key, region, amazonId }: MarketplaceFacts, test: TestAccount) {
  const mark = newRequestId()
  const sellerId = `ENTITY${mark.slice(0, 13)}`
  const profileId = randomInt(1_000_000_000, 8_000_000_000) * 1_000_000 + randomInt(1_000_000)
  const name = `3PTestBrand-${mark.slice(13)}`
  const seller: Seller = { sellerId, name, region, type: 'vendor', marketplaceIds: [amazonId], test }
  store.sellers.set(sellerId, seller)
  store.profiles.set(profileId, profileFor(seller, key, profileId))
  const books = test.accountType === 'AUTHOR' ? [1, 2, 3].map(number => ebook(sellerId, amazonId, number)) : []
  for (const book of books) store.products.set(`${sellerId}|${amazonId}|${book.sku}`, book)
}

/**
 * `POST` and `GET /testAccounts`: accounts to try the API with, for people who advertise nothing. Any region's host makes
 * them for any country, since nothing is published against it; the profile appears at the host of its own.
 */
export function registerTestAccounts(app: FastifyInstance, world: World): void {
  app.post('/testAccounts', request => {
    const maker = makerOf(request, world)
    requireMedia(request, { takes: [], plain: 'always' })
    const account = readNewAccount(request)
    checkMaker(request, world.store, maker.email, account)
    const { accountType, marketplace } = account
    const requestId = newRequestId()
    const fate = faultOf(request, 'report-stuck') ? 'stuck' : faultOf(request, 'report-failed') ? 'failed' : 'normal'
    const opensAt = world.clock.now().getTime() + TAKES_MS
    world.change(store => openAccount(store, marketplace, { ...maker, accountType, requestId, opensAt, fate }))
    return { requestId }
  })

  app.get('/testAccounts', request => {
    const maker = makerOf(request, world)
    requireAccept(request, [], 415)
    const { requestId } = request.query as { requestId?: string }
    const { sellers, profiles, products } = world.store
    const found = [...profiles.values()].flatMap(({ sellerId, countryCode }) => {
      const test = sellers.get(sellerId)?.test
      if (test?.email !== maker.email || test.clientId !== maker.clientId) return []
      if (requestId && test.requestId !== requestId) return []
      const status = testAccountStatus(test, world.clock.now())
      const base = { countryCode, accountType: test.accountType, status }
      if (status !== 'COMPLETED') return [base]
      const own = [...products.values()].filter(product => product.sellerId === sellerId)
      return [{ ...base, id: sellerId, asins: own.map(({ asin }) => asin) }]
    })
    if (requestId && found.length === 0) throw familyFailure(request, 404, `There is no request ${requestId}`)
    return found
  })
}
