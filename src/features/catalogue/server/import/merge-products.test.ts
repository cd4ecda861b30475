import { describe, expect, test } from 'vitest'
import type { Eligibility } from '#integrations/amazon-ads/index.ts'
import type { InventorySummary } from '#integrations/selling-partner/index.ts'
import { type Listed, mergeProducts, type ProductSources } from './merge-products.ts'

function listing(fields: Partial<Listed>): Listed {
  return {
    sku: 'S-1',
    asin: 'B000000001',
    fnsku: null,
    title: 'A suitcase',
    imageUrl: null,
    condition: null,
    priceMicros: 10_000_000,
    currency: 'USD',
    merchantQuantity: null,
    fulfilledByAmazon: true,
    ...fields,
  }
}
function stock(fields: Partial<InventorySummary>): InventorySummary {
  return {
    sku: 'S-1',
    asin: 'B000000001',
    fnsku: 'X1',
    title: null,
    condition: null,
    available: 5,
    inboundWorking: 1,
    inboundShipped: 2,
    inboundReceiving: 3,
    reserved: 4,
    researching: 0,
    unfulfillable: 6,
    total: 21,
    updatedAt: null,
    ...fields,
  }
}
function sources(part: Partial<ProductSources>): ProductSources {
  return {
    listings: [],
    inventory: [],
    catalog: [],
    facts: [],
    eligibility: [],
    fees: new Map(),
    ...part,
  }
}

test('a sku is one product, whether it is listed, in stock, or both', () => {
  const products = mergeProducts(
    sources({ listings: [listing({}), listing({ sku: 'S-2' })], inventory: [stock({}), stock({ sku: 'S-3' })] }),
  )
  expect(products.map(p => [p.sku, p.available])).toEqual([
    ['S-1', 5],
    ['S-2', null],
    ['S-3', 5],
  ])
})

test('a sku that one source has twice counts once, with its last values', () => {
  const [product, ...others] = mergeProducts(sources({ inventory: [stock({}), stock({ available: 9 })] }))
  expect(others).toEqual([])
  expect(product?.available).toBe(9)
})

test('a value that no source has is null, and an empty text is unknown', () => {
  const [product] = mergeProducts(
    sources({
      listings: [
        listing({ asin: null, title: '', imageUrl: '', priceMicros: null, currency: null, fulfilledByAmazon: false }),
      ],
    }),
  )
  expect(product).toEqual({
    sku: 'S-1',
    asin: null,
    fnsku: null,
    title: null,
    brand: null,
    category: null,
    priceMicros: null,
    currency: null,
    condition: null,
    imageUrl: null,
    bestSellerRank: null,
    availability: null,
    fulfilledByAmazon: false,
    eligibilityStatus: null,
    eligibilityMessage: null,
    available: null,
    reserved: null,
    unfulfillable: null,
    inboundWorking: null,
    inboundShipped: null,
    inboundReceived: null,
    stockChangedAt: null,
    feesMicros: null,
  })
})

describe('eligibility', () => {
  const answer = (fields: Partial<Eligibility>): Eligibility => ({
    asin: 'B000000001',
    sku: null,
    status: 'INELIGIBLE',
    reasons: [],
    ...fields,
  })
  const reason = (message: string | null) => ({ name: 'X', severity: null, message, helpUrl: null })

  test('of the sku itself comes before that of its ASIN', () => {
    const eligibility = [answer({}), answer({ sku: 'S-1', status: 'ELIGIBLE' })]
    const products = mergeProducts(sources({ listings: [listing({}), listing({ sku: 'S-2' })], eligibility }))
    expect(products.map(p => p.eligibilityStatus)).toEqual(['ELIGIBLE', 'INELIGIBLE'])
  })

  test('tells each reason once', () => {
    const reasons = [reason('Out of stock.'), reason(null), reason('Out of stock.'), reason('No picture.')]
    const [product] = mergeProducts(sources({ listings: [listing({})], eligibility: [answer({ reasons })] }))
    expect(product?.eligibilityMessage).toBe('Out of stock. No picture.')
  })
})
