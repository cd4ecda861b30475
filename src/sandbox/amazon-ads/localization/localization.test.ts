import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { convertMicros, shippedRates } from '#shared/exchange-rates.ts'
import { fromMicros, toMicros } from '#shared/money.ts'
import type { Sandbox } from '../../start-sandbox.ts'
import { type AdsClient, adsClient, startSmallSandbox } from '../../../../tests/support/ads-world.ts'

let sandbox: Sandbox
let ads: AdsClient
const [US, CA, DE] = ['ATVPDKIKX0DER', 'A2EUQ1WTGCTBG2', 'A1PA6795UKMFR9']
beforeAll(async () => {
  sandbox = await startSmallSandbox()
  ads = await adsClient(sandbox)
  sandbox.world.change(store => {
    const here = store.products.get(`A1TESTSELLER|${US}|SKU-1`) ?? expect.unreachable()
    store.products.set(`A1TESTSELLER|${CA}|SKU-1`, { ...here, marketplaceId: CA, asin: 'B0CANADA01' })
  })
})
afterAll(() => sandbox.close())

const ask = (path: string, type: string, body: object) =>
  ads.call('POST', `/${path}/localize`, `application/vnd.${type}localization.v1+json`, body)

const converted = (currency: string) => fromMicros(convertMicros(toMicros(10), 'USD', currency, shippedRates) ?? 0)

describe('localization', () => {
  test('converts amounts', async () => {
    const { body } = await ask('currencies', 'currency', {
      localizeCurrencyRequests: [{ currency: { amount: 10 } }],
      sourceCountryCode: 'US',
      targetCountryCodes: ['DE', 'JP'],
    })
    const euros = converted('EUR')
    const yen = converted('JPY')
    expect(body).toEqual({
      localizedCurrencyResponses: [
        { localizedCurrencies: { [DE]: { amount: euros }, A1VC38T7YXB528: { amount: yen } } },
      ],
    })
  })

  test('finds the same SKU elsewhere, of the caller’s own', async () => {
    const request = (advertiserId: string) => ({
      localizeProductRequests: [{ product: { sku: 'SKU-1' } }, { product: { sku: 'SKU-2' } }],
      adType: 'SPONSORED_PRODUCTS',
      entityType: 'SELLER',
      sourceMarketplaceId: US,
      targetDetails: [{ marketplaceId: CA, advertiserId }],
    })
    expect((await ask('products', 'product', request('A1TESTSELLER'))).body).toEqual({
      localizedProductResponses: [
        { status: 'SUCCESS', localizedProducts: { [CA]: { asin: 'B0CANADA01', sku: 'SKU-1' } } },
        { status: 'SUCCESS', localizedProducts: {} },
      ],
    })
    expect((await ask('products', 'product', request('A2OTHERSELLER'))).status).toBe(400)
  })

  test('carries keywords over within a language, and conditions where there is their like', async () => {
    const words = await ask('keywords', 'keyword', {
      localizeKeywordRequests: [{ localizationKeyword: { keyword: 'garlic press' } }],
      sourceDetails: { marketplaceId: US },
      targetDetails: { marketplaceIds: [CA, DE] },
    })
    expect(words.body).toEqual({
      localizedKeywordResponses: [{ status: 'SUCCESS', localizedKeywords: { [CA]: { keyword: 'garlic press' } } }],
    })
    const part = (type: string, value: string) => ({ targetingExpression: { expression: [{ type, value }] } })
    const conditions = await ask('targetingExpression', 'targetingexpression', {
      requests: [
        part('asinSameAs', 'B0CANADA01'),
        part('asinCategorySameAs', '289742'),
        part('asinPriceBetween', '10-20'),
      ],
      sourceDetails: { marketplaceId: US },
      targetDetailsList: [{ marketplaceId: CA }, { marketplaceId: DE }],
    })
    const [product, category, price] = conditions.body.responses as unknown as {
      localizedTargetingExpressions: Record<string, { expression: { value: string }[] }>
    }[]
    expect(Object.keys(product?.localizedTargetingExpressions ?? {})).toEqual([CA])
    expect(Object.keys(category?.localizedTargetingExpressions ?? {})).toEqual([CA])
    const euros = converted('EUR')
    expect(price?.localizedTargetingExpressions[DE]?.expression[0]?.value).toMatch(new RegExp(`^${euros}-`))
    expect((await ask('keywords', 'keyword', { sourceDetails: { marketplaceId: 'NOWHERE' } })).status).toBe(400)
  })
})
