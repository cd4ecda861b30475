import type { Page } from '@playwright/test'
import { heading } from './support/account-forms.ts'
import { openAs } from './support/open-as.ts'
import { expect, test } from './support/watched-test.ts'

const english = /(?<![\d.])\d+\.\d{1,2}(?![\d.])|(?<![\d,])\d{1,3}(,\d{3})+(?![\d,])/
const german = /(?<![\d.,])\d{1,3}(\.\d{3})*,\d{2}(?!\d)/
const screens: [path: string, title: string, hasAmounts: boolean][] = [
  ['/home', 'Home', true],
  ['/campaigns', 'Campaigns', true],
  ['/search-terms', 'Search terms', true],
  ['/inventory', 'Inventory', true],
  ['/insights/keyword-performance', 'Keyword performance', true],
  ['/insights/asin-performance', 'Products', true],
  ['/insights/hourly-trends', 'Hourly trends', false],
  ['/subscription', 'Subscription', true],
  ['/settings', 'Settings', true],
]

/** What a screen shows of its own: names of products and campaigns, and what people searched for, are the seller's. */
async function textOf(page: Page): Promise<string> {
  await expect(page.locator('.skeleton')).toHaveCount(0)
  return page.getByRole('main').innerText()
}

test('a user with the German format reads 1.234,56 on every screen, and types 1,50 @layout', async ({
  page,
  world,
  seller,
}) => {
  await seller.call('PATCH', '/user', { locale: 'en-US', timezone: 'America/Los_Angeles' })
  await openAs(page, world, seller, '/settings')
  await test.step('the format is chosen in the settings, and counts at once', async () => {
    await page.getByLabel('Format of numbers and dates').selectOption({ label: 'Germany' })
    await page.getByRole('button', { name: 'Save', exact: true }).nth(1).click()
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  })
  try {
    for (const [path, title, hasAmounts] of screens)
      await test.step(path, async () => {
        await page.goto(world.product.url + path)
        await expect(heading(page, title)).toBeVisible()
        if (hasAmounts) await expect.poll(() => textOf(page)).toMatch(german)
        expect((await textOf(page)).match(english)?.[0], `English figures on ${path}`).toBeUndefined()
      })
    await test.step('a comma comes before decimals in fields', async () => {
      await page.goto(`${world.product.url}/inventory`)
      const field = page.getByLabel(/^COGS/).first()
      await field.fill('1,50')
      await field.press('Enter')
      await expect
        .poll(() =>
          seller
            .call<{ content: { cogs: number | null }[] }>('GET', '/inventory?size=50')
            .then(({ content }) => content.map(({ cogs }) => cogs)),
        )
        .toContain(1.5)
    })
  } finally {
    await seller.call('PATCH', '/user', { locale: 'en-US' })
  }
})
