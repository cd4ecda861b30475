import { expectAccessible } from './support/expect-accessible.ts'
import { heading, logIn } from './support/opening-an-account.ts'
import { importedPerson } from './support/seeded-person.ts'
import { expect, test } from './support/watched-test.ts'
import { worldOfFile } from './support/world.ts'

const world = worldOfFile()

const screens: [path: string, title: string][] = [
  ['/inventory', 'Inventory'],
  ['/adgroups', 'Ad groups'],
  ['/create-campaign-logs', 'Launches'],
  ['/connections', 'Connections'],
  ['/connections/profiles', 'Choose advertising accounts'],
  ['/add-ppc-account', 'Add advertising accounts'],
  ['/add-seller-account', 'Add a seller account'],
  ['/subscription', 'Subscription'],
  ['/settings', 'Settings'],
  ['/more', 'More'],
  ['/nowhere', 'Not Found'],
]

test('axe finds nothing on any screen with data, nor on the sheets over it', async ({ page }) => {
  const person = await importedPerson(world.now)
  const { url } = world.now.product
  await logIn(page, world.now, person)
  await expect(heading(page, 'Home')).toBeVisible()
  await page.getByRole('button', { name: /^Merchant and marketplace/ }).click()
  await expect(page.getByLabel('Marketplace', { exact: true })).toBeVisible()
  await expectAccessible(page)
  for (const [path, title] of screens)
    await test.step(path, async () => {
      await page.goto(url + path)
      await expect(heading(page, title)).toBeVisible()
      await expect(page.locator('.skeleton')).toHaveCount(0)
      await expect(page).toHaveTitle(new RegExp(`${title}.*Tideline`))
      await expectAccessible(page)
    })

  await test.step('a campaign, its edit and its ad group', async () => {
    await page.goto(`${url}/campaigns`)
    await page
      .getByRole('link', { name: / – Exact/ })
      .first()
      .click()
    await expect(page.getByRole('button', { name: 'Pause campaign' })).toBeVisible()
    await expect(page.locator('.skeleton')).toHaveCount(0)
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Edit campaign' }).click()
    await expect(page).toHaveURL(/\/campaign-edit\/\d+/)
    await expect(page.locator('.skeleton')).toHaveCount(0)
    await expectAccessible(page)
  })
})
