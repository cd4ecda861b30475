import type { Page } from '@playwright/test'
import { consentTo } from '../../src/main/demonstration/outside-world.ts'
import { connectAdvertising, leaveForAdvertisingConsent, leaveForSellerConsent } from './support/connecting-accounts.ts'
import { expectAccessible } from './support/expect-accessible.ts'
import { openAs } from './support/open-as.ts'
import { heading } from './support/account-forms.ts'
import { control } from './support/sandbox-control.ts'
import { connectSeller, type Seeded, startTrial, verifiedPerson } from './support/seeded-person.ts'
import { expect, test } from './support/watched-test.ts'
import { worldOfFile } from './support/world.ts'

const world = worldOfFile()

async function failed(page: Page, title: string): Promise<void> {
  await expect(heading(page, 'Not connected')).toBeVisible()
  await expect(page.getByRole('heading', { level: 2, name: title })).toBeVisible()
  await expectAccessible(page)
}
const toConnections = (page: Page) => page.getByRole('link', { name: 'Go to Connections' }).click()
async function allow(page: Page, account: string): Promise<void> {
  await page.locator(`input[value="${account}"]`).check()
  await page.getByRole('button', { name: 'Allow' }).click()
}
async function connectionsOf(page: Page, person: Seeded): Promise<void> {
  await openAs(page, world.now, person, '/connections')
  await expect(heading(page, 'Connections')).toBeVisible()
}

test('a declined, foreign, forged, used or expired consent connects nothing and says why', async ({
  page,
  browser,
}) => {
  const { product, sandbox } = world.now
  const person = await verifiedPerson(world.now)
  await connectionsOf(page, person)

  await test.step('a declined consent', async () => {
    await leaveForSellerConsent(page)
    await page.getByRole('button', { name: 'Refuse' }).click()
    await failed(page, 'The permission was not given')
    await toConnections(page)
    await expect(page.getByText('Connect your seller account first')).toBeVisible()
  })

  await test.step('a forged state, and a missing one', async () => {
    for (const search of ['?state=made-up&spapi_oauth_code=x&selling_partner_id=A4DRIFTWOODUSX', '']) {
      await page.goto(`${product.url}/callback${search}`)
      await failed(page, 'This connection was not started here')
    }
    await toConnections(page)
  })

  await test.step('a consent that another user began', async () => {
    const other = await browser.newContext()
    const elsewhere = await other.newPage()
    await connectionsOf(elsewhere, await verifiedPerson(world.now))
    await leaveForSellerConsent(elsewhere)
    const stolen = await page.context().newPage()
    await stolen.goto(elsewhere.url())
    await allow(stolen, 'seller@sandbox.test|A4DRIFTWOODUSX')
    await failed(stolen, 'This connection was not started here')
    await stolen.close()
    await other.close()
  })

  const account = 'seller@sandbox.test|A4DRIFTWOODUSX'
  await test.step('an expired consent', async () => {
    await leaveForSellerConsent(page)
    const answer = await consentTo(page.url(), { account })
    await control(sandbox, 'clock', { advance: 'PT6M' })
    await page.goto(answer.href)
    await failed(page, 'The permission expired')
    await toConnections(page)
  })

  await test.step('a consent that was already used', async () => {
    await leaveForSellerConsent(page)
    const answer = await consentTo(page.url(), { account })
    await page.goto(answer.href)
    await expect(page.getByText('Driftwood & Daughters is connected')).toBeVisible()
    // Without a subscription every page but Connections redirects there.
    await page.goto(`${product.url}/subscription`)
    await page.getByRole('button', { name: /free with Growth/ }).click()
    await expect(page.getByText('Your free trial has begun')).toBeVisible()
    await page.goto(answer.href)
    await failed(page, 'This connection was not started here')
    await toConnections(page)
    await expect(page.getByRole('region', { name: 'Driftwood & Daughters' })).toBeVisible()
  })
})

test('a log-in without advertising accounts reads where to get one', async ({ page }) => {
  const person = await verifiedPerson(world.now)
  await connectSeller(person, { login: 'empty@sandbox.test', sellerId: 'A5IDLEHARBORUS' })
  await startTrial(person)
  await connectionsOf(page, person)
  await connectAdvertising(page, 'empty@sandbox.test')
  await failed(page, 'No advertising accounts found')
  await toConnections(page)
  await leaveForAdvertisingConsent(page)
  await page.getByRole('button', { name: 'Refuse' }).click()
  await failed(page, 'The permission was not given')
})

test('a seller account of another user cannot be connected again', async ({ page }) => {
  const first = await verifiedPerson(world.now)
  await connectSeller(first, { login: 'agency@sandbox.test', sellerId: 'A1HARBORLANEUS' })
  await connectionsOf(page, await verifiedPerson(world.now))
  await leaveForSellerConsent(page)
  await allow(page, 'agency@sandbox.test|A1HARBORLANEUS')
  await failed(page, 'Already connected by someone else')
})
