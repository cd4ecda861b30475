import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectAccessible } from './support/expect-accessible.ts'
import { heading } from './support/opening-an-account.ts'
import { openAs } from './support/open-as.ts'
import { connectAdsOf, connectSellerOf, importOf, startTrialOf, verifiedPerson } from './support/seeded-person.ts'
import { expect, test } from './support/watched-test.ts'

// Read from where the setting says and not copied; the sandbox answers with the same files.
const folder = process.env['SPAPI_MODELS_DIR'] ?? ''

interface Listed {
  sku: string
  summaries: { marketplaceId: string; asin: string; itemName: string }[]
  offers?: { marketplaceId: string; price: { amount: string } }[]
}
interface Model {
  paths: Record<
    string,
    { get: { responses: { 200: { 'x-amzn-api-sandbox': { static: { response: { items: Listed[] } }[] } } } } }
  >
}

// Asked here, so that no world is made for nothing.
test.skip(!existsSync(folder), 'SPAPI_MODELS_DIR names no folder: the published examples did not go to the screen')
test('what the published examples list is imported and shown word for word', async ({ page, faults, world }) => {
  // Their pictures lie on a host that no policy of ours lets in.
  faults.allow(
    /img-src refused https:\/\/www\.example\.com|violates the following Content Security Policy directive: "img-src/,
  )
  const account = { login: 'published@sandbox.test', sellerId: 'A0PUBLISHEDEX1' }
  const person = await verifiedPerson(world)
  await connectSellerOf(person, account)
  await startTrialOf(person)
  await connectAdsOf(person, account.login, 'US')
  await importOf(person)
  await openAs(page, world, person)
  await expect(page.getByRole('button', { name: /BestSellerStore · US/ })).toBeVisible()
  await expectAccessible(page)

  const model = JSON.parse(readFileSync(join(folder, 'listingsItems_2021-08-01.json'), 'utf8')) as Model
  const example = model.paths['/listings/2021-08-01/items/{sellerId}']?.get.responses[200]['x-amzn-api-sandbox']
  const items = example?.static[0]?.response.items ?? []
  expect(items.length).toBeGreaterThan(0)
  await page.goto(`${world.product.url}/inventory`)
  await expect(heading(page, 'Inventory')).toBeVisible()
  for (const { sku, summaries, offers } of items) {
    const own = summaries.find(summary => summary.marketplaceId === 'ATVPDKIKX0DER')
    const row = page.getByRole('listitem').filter({ hasText: sku })
    await expect(row).toContainText(own?.itemName ?? '')
    await expect(row).toContainText(own?.asin ?? '')
    const price = offers?.find(offer => offer.marketplaceId === 'ATVPDKIKX0DER')?.price.amount
    if (price) await expect(row).toContainText(`$${price}`)
  }
  await expectAccessible(page)
})
