import { expectAccessible } from './support/expect-accessible.ts'
import { heading } from './support/account-forms.ts'
import { test } from './support/agency-manager.ts'
import { thousand } from './support/agency-at-marketplace.ts'
import { openAs } from './support/open-as.ts'
import { verifiedPerson } from './support/seeded-person.ts'
import { expect } from './support/watched-test.ts'

const userManagement = '/api/admin/user-management'

test('a campaign manager acts for a user, who sees afterwards who did what @layout', async ({
  page,
  world,
  manager,
}) => {
  const user = manager.person
  const acting = await verifiedPerson(world, {
    email: 'noa.berg@example.com',
    password: 'Drift&Wood7!',
    firstName: 'Noa',
    lastName: 'Berg',
  })
  await world.changeRole('promote', acting.email, 'CAMPAIGN_MANAGER')
  const groups = await user.call<{ content: { id: number }[] }>(
    'GET',
    `/adgroups/cm?name=${encodeURIComponent(thousand.adGroup)}`,
  )
  const groupId = groups.content[0]?.id
  const bar = page.getByRole('region', { name: 'Managed user' })

  await test.step('requests a report about a product of the user, and downloads it', async () => {
    const { content } = await user.call<{ content: { asin: string }[] }>(
      'GET',
      '/performance-reports/asin-performance?size=1',
    )
    const asin = content[0]?.asin ?? ''
    await openAs(page, world, acting, '/home')
    await page.getByRole('button', { name: 'Manage User' }).click()
    await page.getByRole('link', { name: 'Performance Reports' }).click()
    await expect(heading(page, 'Performance reports')).toBeVisible()
    await page.getByRole('searchbox', { name: 'Search by name or email' }).fill(user.email)
    await page.getByRole('button', { name: 'Choose Dana Driftwood' }).click()
    const asins = page.getByRole('textbox', { name: 'ASINs' })
    await asins.fill(`${asin}, B0-HARBOR`)
    await page.getByLabel('Format').selectOption('CSV')
    await page.getByRole('button', { name: 'Request report' }).click()
    await expect(page.getByText(/^“B0-HARBOR” is not an ASIN/)).toBeVisible()
    await expectAccessible(page)
    await asins.fill(asin)
    await page.getByRole('button', { name: 'Request report' }).click()
    const report = page.getByRole('listitem', { name: /^Dana Driftwood/ })
    const file = page.waitForEvent('download')
    await report.getByRole('button', { name: 'Download' }).click()
    expect((await file).suggestedFilename()).toMatch(/^tideline-products-.*\.csv$/)
    await expectAccessible(page)
  })

  await test.step('finds the user and takes over', async () => {
    await openAs(page, world, acting, '/home')
    await page.getByRole('button', { name: 'General' }).click()
    await page.getByRole('link', { name: 'User Management' }).click()
    await expect(heading(page, 'User management')).toBeVisible()
    await page.getByRole('searchbox', { name: 'Search by name or email' }).fill(user.email)
    await expect(page.getByText(user.email)).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Manage Dana Driftwood' }).click()
    await expect(page.getByText('Now managing user')).toBeVisible()
    await expect(page.getByText(`Acting on behalf of Dana Driftwood (${user.email})`)).toBeVisible()
    await expect(heading(page, 'Home')).toBeVisible()
    await expect(bar).toContainText('Managing:')
    await expect(bar).toContainText(`Dana Driftwood ${user.email}`)
    await expectAccessible(page)
  })

  await test.step('changes a bid as the user, also after a reload', async () => {
    await page.goto(`${world.product.url}/adgroup-details?adGroupId=${groupId}&tab=keywords&name=number+999`)
    await expect(bar).toBeVisible()
    await page.getByRole('button', { name: /^Actions for yoga mat number 999/ }).click()
    await page.getByRole('button', { name: 'Change bid' }).click()
    const sheet = page.locator('.sheet-frame')
    await sheet.getByLabel('Bid').first().fill('0.83')
    await sheet.getByRole('button', { name: 'Save bid' }).click()
    await expect(page.getByText('Bid saved')).toBeVisible()
    await page.goto(`${world.product.url}/admin-user-management`)
    await expect(heading(page, 'Home')).toBeVisible()
  })

  await test.step('stops, and nothing of the user is left on the device', async () => {
    await page.getByRole('button', { name: 'Stop managing user' }).click()
    await expect(page.getByText('You are now back to your own context.')).toBeVisible()
    await expect(heading(page, 'User management')).toBeVisible()
    await expect(bar).toHaveCount(0)
    expect(await page.evaluate(() => localStorage.getItem('tideline.managing'))).toBeNull()
    const stored = await page.evaluate(() => JSON.stringify(localStorage))
    expect(stored).not.toContain(user.email)
    await page.goto(`${world.product.url}/settings`)
    await expect(page.getByText(acting.email).first()).toBeVisible()
  })

  await test.step('the user sees who did what', async () => {
    // Another person's device.
    await page.evaluate(() => localStorage.clear())
    await openAs(page, world, user, '/settings')
    await page.getByRole('link', { name: 'Show who acted for me' }).click()
    await expect(heading(page, 'Who acted for me')).toBeVisible()
    const change = page.getByRole('listitem').filter({ hasText: 'PUT /keywords/:id' })
    await expect(change).toContainText(`Noa Berg (${acting.email})`)
    await expect(change).toContainText('bid: 0.83')
    await expect(change).toContainText('Done')
    await expect(
      page.getByRole('listitem').filter({ hasText: `POST ${userManagement.slice(4)}/manage/clear` }),
    ).toBeVisible()
    await expectAccessible(page)
    // A user has no admin pages.
    await page.goto(`${world.product.url}/admin-user-management`)
    await expect(heading(page, 'Home')).toBeVisible()
    await expect(page.getByRole('button', { name: 'General' })).toHaveCount(0)
  })
})

test('a page of the former context does nothing, and managing that ended elsewhere ends here', async ({
  page,
  world,
  manager,
  faults,
}) => {
  // What the page was about to read in the other context.
  faults.allow(/Managing a user has begun or ended in the meantime/)
  const acting = await verifiedPerson(world)
  await world.changeRole('promote', acting.email, 'CAMPAIGN_MANAGER')
  const { id } = await manager.person.call<{ id: number }>('GET', '/user')
  await openAs(page, world, acting, '/settings')
  await expect(heading(page, 'Settings')).toBeVisible()
  const { accessToken } = await page.evaluate(
    () => JSON.parse(localStorage.getItem('tideline.session') ?? '{}') as { accessToken: string },
  )
  const post = (path: string) =>
    fetch(`${world.product.url}${userManagement}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}` },
    })
  // Another program of the same session.
  expect((await post(`/manage/${id}`)).status).toBe(200)
  // A call of the page's own may have been refused before, and the form is gone then.
  const soon = { timeout: 10_000 }
  const rename = async (): Promise<void> => {
    await page.getByLabel('First name').fill('Wrong', soon)
    await page.getByRole('button', { name: 'Save', exact: true }).first().click(soon)
  }
  await rename().catch(() => undefined)
  const bar = page.getByRole('region', { name: 'Managed user' })
  await expect(bar).toContainText(manager.person.email)
  expect((await manager.person.call<{ firstName: string }>('GET', '/user')).firstName).toBe('Dana')

  // The role is removed in the middle of it: the next call ends it here too.
  await page.goto('about:blank')
  await world.changeRole('demote', acting.email, 'CAMPAIGN_MANAGER')
  // The message is gone after four seconds, which a busy machine needs to load the rest of the page.
  await page.goto(`${world.product.url}/settings`, { waitUntil: 'commit' })
  await expect(page.getByText('Stopped managing user')).toBeVisible()
  await expect(bar).toHaveCount(0)
  await page.goto(`${world.product.url}/settings`)
  await expect(page.getByText(acting.email).first()).toBeVisible()
  await page.goto(`${world.product.url}/admin-user-management`)
  await expect(heading(page, 'User management')).toHaveCount(0)
})
