import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectAccessible } from './support/expect-accessible.ts'
import { heading } from './support/account-forms.ts'
import { openAs } from './support/open-as.ts'
import { connectAds, connectSeller, waitForImport, startTrial, verifiedPerson } from './support/seeded-person.ts'
import { expect, test } from './support/watched-test.ts'

// The files are read from the folder in the setting, not copied; the emulator answers with the same files.
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

// Checked here, before a world is created.
test.skip(!existsSync(folder), 'SPAPI_MODELS_DIR names no folder: the published examples did not go to the screen')
test('the vendor’s published examples are imported and shown unchanged', async ({ page, faults, world }) => {
  // Our Content Security Policy blocks the host of their pictures.
  faults.allow(
    /img-src refused https:\/\/www\.example\.com|violates the following Content Security Policy directive: "img-src/,
  )
  const account = { login: 'published@sandbox.test', sellerId: 'A0PUBLISHEDEX1' }
  const person = await verifiedPerson(world)
  await connectSeller(person, account)
  await startTrial(person)
  await connectAds(person, account.login, 'US')
  await waitForImport(person)
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
