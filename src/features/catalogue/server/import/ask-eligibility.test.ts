import { expect, test } from 'vitest'
import type { Eligibility } from '#integrations/amazon-ads/index.ts'
import { UpstreamRejected, UpstreamUnavailable } from '#server/http-client/upstream-errors.ts'
import { type RequestedProduct, askEligibility } from './ask-eligibility.ts'

const context = { upstream: 'amazon-ads', operation: 'check eligibility' }
const products = (count: number): RequestedProduct[] =>
  Array.from({ length: count }, (_, i) => ({ asin: `B${String(i).padStart(9, '0')}` }))

/** A marketplace that refuses any question with the product numbered `bad` in it. */
function marketplace(bad: number) {
  const sizes: number[] = []
  const eligibility = async (products: readonly RequestedProduct[]): Promise<Eligibility[]> => {
    sizes.push(products.length)
    if (products.some(({ asin }) => Number(asin.slice(1)) === bad))
      throw new UpstreamRejected('no such product', context)
    return products.map(({ asin }) => ({ asin, sku: null, status: 'ELIGIBLE', reasons: [] }))
  }
  // The rest of the door is not asked.
  return { sizes, ads: { advice: { eligibility } } as unknown as Parameters<typeof askEligibility>[0] }
}

test('a request has fifty products', async () => {
  const { ads, sizes } = marketplace(-1)
  expect(await askEligibility(ads, products(120))).toHaveLength(120)
  expect(sizes).toEqual([50, 50, 20])
})

test('a product that the marketplace rejects leaves the others their answers', async () => {
  const { ads } = marketplace(61)
  const answers = await askEligibility(ads, products(120))
  expect(answers).toHaveLength(119)
  expect(answers.map(a => a.asin)).not.toContain('B000000061')
})

test('an unreachable marketplace is an error', async () => {
  const eligibility = async () => Promise.reject(new UpstreamUnavailable('no answer', context))
  const ads = { advice: { eligibility } } as unknown as Parameters<typeof askEligibility>[0]
  await expect(askEligibility(ads, products(3))).rejects.toBeInstanceOf(UpstreamUnavailable)
})
