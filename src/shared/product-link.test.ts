import { expect, test } from 'vitest'
import { marketplaces } from './marketplaces.ts'
import { readSharedLink } from './product-link.ts'

const asin = 'B0CTIDE001'
const product = (key: string | null) => ({
  found: 'PRODUCT',
  asin,
  marketplace: key === null ? null : expect.objectContaining({ key }),
})

test.each(marketplaces.map(({ key, domain }) => [key, domain]))('a product page of %s is recognized', (key, domain) => {
  for (const host of [domain, `www.${domain}`, `m.${domain}`])
    expect(readSharedLink(`https://${host}/dp/${asin}`)).toEqual(product(key))
})

test.each([
  `https://www.amazon.com/Steel-Bottle-Leak-Proof/dp/${asin}/ref=sr_1_3?crid=1&keywords=bottle`,
  `https://www.amazon.com/gp/product/${asin}?th=1`,
  `https://www.amazon.com/gp/aw/d/${asin}`,
  `https://www.amazon.com/-/es/dp/${asin}#customerReviews`,
  `https://www.amazon.com/exec/obidos/ASIN/${asin}/`,
  `https://www.amazon.com/dp/${asin.toLowerCase()}`,
  `www.amazon.com/dp/${asin}`,
  `Look at this bottle: https://www.amazon.com/dp/${asin}.`,
  `I found it (https://www.amazon.com/dp/${asin}), what do you think?`,
  `https://a.co/d/4kYbJ2r https://www.amazon.com/dp/${asin}`,
])('%s leads to the product', text => expect(readSharedLink(text)).toEqual(product('US')))

test('an ASIN that stands alone is a product of whichever marketplace', () => {
  expect(readSharedLink(` ${asin.toLowerCase()} `)).toEqual(product(null))
  expect(readSharedLink(`ASIN: ${asin}`)).toEqual(product(null))
  expect(readSharedLink('waterproof')).toEqual({ found: 'NOTHING' })
})

test.each(['https://a.co/d/4kYbJ2r', 'https://amzn.to/3xYzAbC', 'Check https://amzn.eu/d/abc1234 out'])(
  '%s is a short link, which says nothing of its product',
  text => expect(readSharedLink(text)).toMatchObject({ found: 'SHORT_LINK' }),
)

test('other pages are named, and hosts that only look like the marketplace are other pages', () => {
  expect(readSharedLink('https://www.amazon.com/s?k=bottle')).toEqual({ found: 'OTHER_PAGE', host: 'amazon.com' })
  for (const host of ['amazon.com.evil.test', 'notamazon.com', 'evil.test'])
    expect(readSharedLink(`https://${host}/dp/${asin}`)).toEqual({ found: 'OTHER_PAGE', host })
  expect(readSharedLink(`https://evil.test/?u=https://www.amazon.com/dp/${asin}`)).toMatchObject({
    found: 'OTHER_PAGE',
  })
  for (const text of ['', '   ', 'a nice bottle', 'https://'])
    expect(readSharedLink(text)).toEqual({ found: 'NOTHING' })
})
