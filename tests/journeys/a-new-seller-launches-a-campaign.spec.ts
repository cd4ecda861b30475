import { connectAdvertising, connectSeller } from './support/connecting-accounts.ts'
import { expectAccessible } from './support/expect-accessible.ts'
import { followMail, heading, logIn, register } from './support/opening-an-account.ts'
import { newPerson } from './support/people.ts'
import { expect, test } from './support/watched-test.ts'
import { worldOfFile } from './support/world.ts'

const world = worldOfFile()

test('a new seller registers, connects the accounts, sees the figures, launches campaigns and watches them run', async ({
  page,
}) => {
  const { product, sandbox } = world.now
  const person = newPerson()

  await test.step('registers and verifies the address by the mail', async () => {
    await page.goto(product.url)
    await expect(heading(page, 'Log in')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Create an account' }).click()
    await register(page, world.now, person)
    await expectAccessible(page)
    await followMail(page, world.now, person.email, '/verify-email')
    await expect(heading(page, 'Email address verified')).toBeVisible()
    await expectAccessible(page)
  })

  await test.step('logs in and connects the seller account', async () => {
    await page.getByRole('link', { name: 'Go to log in' }).click()
    await logIn(page, world.now, person)
    await expect(heading(page, 'Connections')).toBeVisible()
    await expect(page.getByText('Connect your seller account first')).toBeVisible()
    await expectAccessible(page)
    await connectSeller(page)
    await expect(page.getByText('Driftwood & Daughters is connected')).toBeVisible()
    await expectAccessible(page)
  })

  await test.step('starts the free trial', async () => {
    await page.goto(`${product.url}/home`)
    await expect(heading(page, 'Subscription')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: /Start \d+ days free with Growth/ }).click()
    await expect(page.getByText('Your free trial has begun')).toBeVisible()
  })

  await test.step('connects the advertising accounts and chooses them', async () => {
    await expect(heading(page, 'Connections')).toBeVisible()
    await connectAdvertising(page)
    await expect(heading(page, 'Choose advertising accounts')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Manage 2 accounts' }).click()
  })

  await test.step('watches the import to its end', async () => {
    await expect(heading(page, 'Home')).toBeVisible()
    await expect(page.locator('.floating-card')).toBeVisible()
    await expect(page.getByText('Your figures are here').first()).toBeVisible({ timeout: 60_000 })
    await expect(page.locator('.floating-card')).toBeHidden({ timeout: 60_000 })
    await expectAccessible(page)
  })
  expect(sandbox.url).toBeTruthy()
})
