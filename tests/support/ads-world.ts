import type { Product, Profile } from '#sandbox/core/model/store.ts'
import type { Scenario } from '#sandbox/core/world.ts'
import { emptyStore } from '#sandbox/core/store/collections.ts'
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts'
import { marketplaceByKey } from '#shared/marketplaces.ts'

export const START = new Date('2026-03-10T18:30:00Z')
export const CLIENT = 'amzn1.application-oa2-client.demo'
export const SECRET = 'amzn1.oa2-cs.v1.demo'

function profile(profileId: number, sellerId: string, country: Partial<Profile>): Profile {
  return {
    profileId,
    sellerId,
    region: 'NA',
    marketplaceId: 'ATVPDKIKX0DER',
    countryCode: 'US',
    currency: 'USD',
    timezone: 'America/Los_Angeles',
    dailyBudgetMicros: null,
    validPaymentMethod: true,
    ...country,
  }
}

function product(sku: string, asin: string, eligibility: Product['eligibility']): Product {
  return {
    sellerId: 'A1TESTSELLER',
    marketplaceId: 'ATVPDKIKX0DER',
    asin,
    sku,
    fnsku: `X${sku}`,
    title: `Testware Garlic Press ${sku}`,
    brand: 'Testware',
    categoryId: '289742',
    categoryName: 'Garlic Presses',
    priceMicros: 19_990_000,
    imageUrl: `/images/${asin}.svg`,
    condition: 'New',
    bestSellerRank: 12,
    fulfillable: 500,
    reserved: 0,
    unfulfillable: 0,
    inboundWorking: 0,
    inboundShipped: 0,
    inboundReceiving: 0,
    eligibility,
    eligibilityMessage: eligibility === 'INELIGIBLE' ? 'Its category is restricted.' : null,
  }
}

/** Two sellers, a login with nothing, three profiles (US, JP; the second seller's US), three products, no campaign. */
export function smallScenario({ now }: { now: Date }): Scenario {
  const store = emptyStore()
  const seller = { name: 'Test', type: 'seller' as const, region: 'NA' as const }
  store.sellers.set('A1TESTSELLER', { ...seller, sellerId: 'A1TESTSELLER', marketplaceIds: ['ATVPDKIKX0DER'] })
  store.sellers.set('A2OTHERSELLER', { ...seller, sellerId: 'A2OTHERSELLER', marketplaceIds: ['ATVPDKIKX0DER'] })
  store.logins.push(
    { email: 'owner@sandbox.test', name: 'Owner', sellerIds: ['A1TESTSELLER'] },
    { email: 'other@sandbox.test', name: 'Other', sellerIds: ['A2OTHERSELLER'] },
    { email: 'tester@sandbox.test', name: 'Tester', sellerIds: [] },
  )
  const japan = { region: 'FE', marketplaceId: 'A1VC38T7YXB528', countryCode: 'JP', currency: 'JPY' } as const
  for (const one of [
    profile(111, 'A1TESTSELLER', {}),
    profile(222, 'A2OTHERSELLER', {}),
    profile(333, 'A1TESTSELLER', { ...japan, timezone: 'Asia/Tokyo' }),
  ])
    store.profiles.set(one.profileId, one)
  for (const one of [
    product('SKU-1', 'B0TEST0001', 'ELIGIBLE'),
    product('SKU-2', 'B0TEST0002', 'ELIGIBLE'),
    product('SKU-3', 'B0TEST0003', 'INELIGIBLE'),
  ])
    store.products.set(`A1TESTSELLER|ATVPDKIKX0DER|${one.sku}`, one)
  return { store, seed: 7, startsAt: now }
}

/** A sandbox of the small scenario; its time moves only by control calls. */
export function startSmallSandbox(data?: string): Promise<Sandbox> {
  return startSandbox({
    scenario: 'small',
    scenarios: { small: smallScenario },
    clock: { now: () => START },
    ...(data && { data }),
  })
}

/** The Cookie header of a browser that was let into the console. */
export async function enterConsole(sandbox: Sandbox): Promise<string> {
  const entered = await fetch(`${sandbox.url}/console/enter`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ token: sandbox.controlToken }),
  })
  return entered.headers.get('set-cookie')?.split(';')[0] ?? ''
}

/** A vendor's answer; each test asserts the types of the leaves it reads. */
export interface Json {
  [key: string]: Json
}

/** A list inside an answer. Throws when there is none. */
export function listOf(value: unknown): Json[] {
  if (!Array.isArray(value)) throw new Error(`no list: ${JSON.stringify(value)}`)
  return value as Json[]
}

/** A leaf of an answer as text. Throws when it is an object or a list. */
export function leafOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'object' && value !== null) throw new Error(`no leaf: ${JSON.stringify(value)}`)
  return `${value as number | boolean | null | undefined}`
}

const parse = JSON.parse as (
  text: string,
  reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
) => unknown

/** JSON in which whole numbers too long for a double come as their digits. */
export function parseExactly(text: string): Json {
  return parse(text, (_key, value, { source }) =>
    typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) ? source : value,
  ) as Json
}

/** Selector, reason, location and trigger of the item error at an index of a batch's answer. */
export function errorAt(batch: Json | undefined, index: number): object {
  const item = listOf(batch?.error).find(one => (one.index as unknown) === index)
  const [first] = listOf(item?.errors ?? [])
  const selector = leafOf(first?.errorType)
  const value = first?.errorValue?.[selector]
  return { selector, reason: value?.reason, location: value?.cause?.location, trigger: value?.cause?.trigger }
}

export interface AdsReply {
  status: number
  headers: Headers
  body: Json
  /** As it was sent, before its numbers were parsed. */
  text: string
}

export interface AdsClient {
  accessToken: string
  call(
    method: string,
    path: string,
    type: string | null,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<AdsReply>
  /** Creates items and answers the batch's `{success, error}`. */
  create(resource: string, key: string, type: string, items: object[]): Promise<Json>
  /** Creates a valid Sponsored Products campaign, overridden by `more`; returns its id. */
  campaign(name: string, more?: object): Promise<string>
  /** Creates an ad group in it; its id. */
  adGroup(campaignId: string, name: string, defaultBid?: number): Promise<string>
}

/** An id in the first success of a batch's answer. Throws when there is none. */
export function idIn(batch: Json, name: string): string {
  const id = listOf(batch.success)[0]?.[name]
  if (id === undefined) throw new Error(`nothing made: ${JSON.stringify(batch)}`)
  return leafOf(id)
}

/** Consents as a login and calls one region's host for a profile. */
export async function adsClient(
  sandbox: Sandbox,
  { email = 'owner@sandbox.test', profileId = '111', region = 'na', scope = 'advertising::campaign_management' } = {},
): Promise<AdsClient> {
  const code = sandbox.world.lwa.issueCode({
    login: email,
    scope,
    redirectUri: null,
    clientId: CLIENT,
  })
  const granted = sandbox.world.lwa.token({
    grant_type: 'authorization_code',
    code,
    client_id: CLIENT,
    client_secret: SECRET,
  })
  if (!granted.ok) throw new Error(granted.failure.error_description)
  const accessToken = granted.reply.access_token
  const client: AdsClient = {
    accessToken,
    async call(method, path, type, body, headers = {}) {
      const response = await fetch(`${sandbox.url}/ads/${region}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${accessToken}`,
          'amazon-advertising-api-clientid': CLIENT,
          'amazon-advertising-api-scope': profileId,
          ...(type && { 'content-type': type, accept: type }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, body: parseExactly(text), text }
    },
    async create(resource, key, type, items) {
      const { body } = await client.call('POST', `/sp/${resource}`, `application/vnd.${type}.v3+json`, { [key]: items })
      return body[key] ?? {}
    },
    campaign: async (name, more) =>
      idIn(await client.create('campaigns', 'campaigns', 'spCampaign', [campaignItem(name, more)]), 'campaignId'),
    async adGroup(campaignId, name, defaultBid = 1) {
      const group = { campaignId, name, state: 'ENABLED', defaultBid }
      return idIn(await client.create('adGroups', 'adGroups', 'spAdGroup', [group]), 'adGroupId')
    },
  }
  return client
}

/** A campaign's create item that nothing is wrong with. */
export function campaignItem(name: string, more: object = {}): object {
  return {
    name,
    state: 'ENABLED',
    targetingType: 'MANUAL',
    budget: { budget: 10, budgetType: 'DAILY' },
    ...more,
  }
}

/** The small world, and profile 444 of the same seller in the United Kingdom. */
export function britishScenario(options: { now: Date }): ReturnType<typeof smallScenario> {
  const scenario = smallScenario(options)
  const britain = marketplaceByKey('UK')
  const home = scenario.store.profiles.get(111)
  if (!britain || !home) throw new Error('the small world has no profile 111, or there is no such britain')
  scenario.store.profiles.set(444, {
    ...home,
    profileId: 444,
    region: 'EU',
    marketplaceId: britain.amazonId,
    countryCode: britain.key,
    currency: britain.currency,
    timezone: britain.timezone,
  })
  return scenario
}
