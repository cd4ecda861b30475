import type { Page } from '@playwright/test'
import { heading } from './support/account-forms.ts'
import { goTo } from './support/device.ts'
import { openAs } from './support/open-as.ts'
import { expect, test } from './support/watched-test.ts'

const english = /(?<![\d.])\d+\.\d{1,2}(?![\d.])|(?<![\d,])\d{1,3}(,\d{3})+(?![\d,])/
const germanDecimals = /(?<![\d.,])\d{1,3}(\.\d{3})*,\d{1,2}(?!\d)/
const germanThousands = /(?<![\d.,])\d{1,3}(\.\d{3})+(?![\d.])/
const germanDay = /\b\d{2}\.\d{2}\.\d{4}\b/

/** What the screen on top shows once it has loaded. */
async function textOf(page: Page): Promise<string> {
  const main = page.getByRole('main').filter({ visible: true })
  await expect(main.locator('.skeleton').filter({ visible: true })).toHaveCount(0)
  return main.innerText()
}

test('a user with the German format reads 1.234,56 on every screen, and types 1,50', async ({
  page,
  world,
  seller,
}) => {
  const { content: campaigns } = await seller.call<{ content: { id: number; name: string }[] }>(
    'GET',
    '/campaign/cm?size=1&sortBy=cost',
  )
  const [campaign] = campaigns
  const { content: groups } = await seller.call<{ content: { id: number; name: string }[] }>(
    'GET',
    '/adgroups/cm?size=1',
  )
  const [group] = groups
  if (!campaign || !group) throw new Error('the seller has no campaigns')
  const screens: [path: string, title: string, expected?: RegExp][] = [
    ['/home', 'Home'],
    ['/campaigns', 'Campaigns'],
    [`/campaigns?campaign=${campaign.id}`, campaign.name],
    [`/adgroup-details?adGroupId=${group.id}&tab=keywords`, group.name],
    ['/search-terms', 'Search terms'],
    ['/insights/keyword-performance', 'Keyword performance'],
    // Of a trial, whose day is its only figure.
    ['/subscription/billing', 'Billing', germanDay],
    ['/settings', 'Settings'],
    ['/inventory', 'Inventory'],
  ]
  await openAs(page, world, seller, '/settings')
  try {
    await test.step('the format is chosen in the settings', async () => {
      await page.getByLabel('Format of numbers and dates').selectOption({ label: 'Germany' })
      await page.getByRole('button', { name: 'Save', exact: true }).nth(1).click()
      await expect(page.getByText('Saved', { exact: true })).toBeVisible()
    })
    const all: string[] = []
    for (const [path, title, expected = germanDecimals] of screens)
      await test.step(path, async () => {
        await goTo(page, path)
        // A list's title may say how many there are.
        await expect(page.getByRole('heading', { name: title }).filter({ visible: true }).first()).toBeVisible()
        await expect.poll(() => textOf(page), { message: path }).toMatch(expected)
        const text = await textOf(page)
        expect(english.exec(text)?.[0], `English figures on ${path}`).toBeUndefined()
        all.push(text)
      })
    expect(all.join('\n')).toMatch(germanThousands)
    await test.step('a comma comes before decimals in fields', async () => {
      await page
        .getByRole('button', { name: /^Edit COGS of/ })
        .first()
        .click()
      await page.getByRole('form', { name: 'COGS' }).getByRole('textbox').fill('1,50')
      await page.getByRole('button', { name: 'Save', exact: true }).filter({ visible: true }).click()
      await expect
        .poll(async () => {
          const { content } = await seller.call<{ content: { cogs: number | null }[] }>('GET', '/inventory?size=50')
          return content.map(({ cogs }) => cogs)
        })
        .toContain(1.5)
    })
    await test.step('the format is still there after a reload', async () => {
      await page.goto(`${world.product.url}/home`)
      await expect(heading(page, 'Home')).toBeVisible()
      await expect.poll(() => textOf(page)).toMatch(germanDecimals)
    })
  } finally {
    await seller.call('PATCH', '/user', { locale: 'en-US' })
  }
})
