import { expectAccessible } from './support/expect-accessible.ts'
import { cardValue } from './support/home-figures.ts'
import { heading } from './support/account-forms.ts'
import { openAs } from './support/open-as.ts'
import { expect, test } from './support/watched-test.ts'

test.use({ serviceWorkers: 'allow' })

test('offline, the last figures stay visible with their age, and a change stays pending until the network returns', async ({
  page,
  context,
  faults,
  world,
  seller,
}) => {
  faults.allow(/ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|ERR_FAILED|ERR_NETWORK_CHANGED|ERR_INCOMPLETE_CHUNKED/)
  const { product } = world
  await openAs(page, world, seller)
  await expect(heading(page, 'Home')).toBeVisible()
  await expect(cardValue(page, 'Ad spend')).toContainText('$')
  await expect(page.getByRole('heading', { name: 'Marketplaces' })).toBeVisible()
  const spend = await cardValue(page, 'Ad spend').innerText()
  await page.goto(`${product.url}/campaigns`)
  const rows = page.getByRole('link', { name: / – (Auto|Exact|Broad)/ })
  await expect(rows).toHaveCount(3)
  const names = await rows.allInnerTexts()
  // The app is on the device once the service worker controls the page.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  // Responses are persisted when the page is idle.
  await expect
    .poll(() => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name).length))
    .toBeGreaterThan(0)

  await context.setOffline(true)
  await world.product.stop()
  await page.goto(`${product.url}/home`)
  await expect(heading(page, 'Home')).toBeVisible()
  await expect(page.getByText('You are offline. What you see was saved earlier.')).toBeVisible()
  await expect(cardValue(page, 'Ad spend')).toHaveText(spend)
  await expect(page.getByText(/^Updated/)).toBeVisible()
  await expectAccessible(page)

  await page.reload()
  await expect(cardValue(page, 'Ad spend')).toHaveText(spend)
  await page.goto(`${product.url}/campaigns`)
  await page.reload()
  await expect(rows).toHaveCount(3)
  expect(await rows.allInnerTexts()).toEqual(names)
  await expect(page.getByText(/^Updated/)).toBeVisible()
  await expect(page.getByText('Changes are queued until you are online again.')).toBeVisible()
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await expect(page.getByText('1 change queued until you are online')).toBeVisible()
  await page.reload()
  // A card on a phone, a row of a table on a tablet.
  const isPhone = (page.viewportSize()?.width ?? 0) < 768
  const first = isPhone
    ? page.getByRole('article').first()
    : page
        .getByRole('row')
        .filter({ has: page.getByRole('button', { name: /^Actions for/ }) })
        .first()
  await expect(first.getByText('Paused', { exact: true })).toBeVisible()
  await expect(page.getByText('1 change queued until you are online')).toBeVisible()
  await expectAccessible(page)

  await world.restartProduct()
  await context.setOffline(false)
  await expect(page.getByText('You are offline', { exact: false }).first()).toBeHidden()
  await expect(page.getByText('1 change queued until you are online')).toBeHidden()
  await page.reload()
  await expect(first.getByText('Paused', { exact: true })).toBeVisible()
  // Other journeys rely on the first campaigns.
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click()
  const saved = page.waitForResponse(answer => answer.url().endsWith('/campaign/update') && answer.ok())
  await page.getByRole('button', { name: 'Enable', exact: true }).click()
  await saved
  await expect(first.getByText('Paused', { exact: true })).toBeHidden()
  await page.goto(`${product.url}/home`)
  await expect(cardValue(page, 'Ad spend')).toContainText('$')
})
