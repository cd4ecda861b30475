import { expectAccessible } from './support/expect-accessible.ts'
import { expectDistinctLinks } from './support/expect-distinct-links.ts'
import { openAs } from './support/open-as.ts'
import { heading } from './support/account-forms.ts'
import { expect, test } from './support/watched-test.ts'

const screens: [path: string, title: string][] = [
  ['/inventory', 'Inventory'],
  ['/adgroups', 'Ad groups'],
  ['/insights/hourly-trends', 'Hourly trends'],
  ['/insights/keyword-performance?part=underperforming', 'Keyword performance'],
  ['/create-campaign-logs', 'Launches'],
  ['/automation-logs', 'Automation'],
  ['/automation-groups', 'Automation'],
  ['/connections', 'Connections'],
  ['/connections/profiles', 'Choose advertising accounts'],
  ['/add-ppc-account', 'Add advertising accounts'],
  ['/add-seller-account', 'Add a seller account'],
  ['/subscription', 'Subscription'],
  ['/subscription/billing', 'Billing'],
  ['/settings', 'Settings'],
  ['/settings/audit-log', 'Who acted for me'],
  ['/performance-reports', 'Reports'],
  ['/team', 'Team'],
  ['/notifications', 'Notifications'],
  ['/affiliate', 'Affiliate'],
  ['/onboarding-survey', 'Three questions to begin'],
  ['/more', 'More'],
  ['/nowhere', 'Not Found'],
]

test('axe finds no violations on any screen or sheet with data', { tag: '@layout' }, async ({
  page,
  world,
  seller,
}) => {
  const { url } = world.product
  await openAs(page, world, seller)
  await expect(heading(page, 'Home')).toBeVisible()
  await expect(page.locator('.breakdown')).toBeVisible()
  expect(await expectDistinctLinks(page)).toBeGreaterThan(4)
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
      await expectDistinctLinks(page)
    })

  await test.step('taking campaigns over', async () => {
    await page.goto(`${url}/take-over`)
    await page
      .getByRole('checkbox', { name: / – Exact/ })
      .first()
      .check()
    await expect(page.locator('.skeleton')).toHaveCount(0)
    await expectAccessible(page)
    for (const title of ['Target ACOS', 'Strategy', 'Money', 'Limits', 'Review']) {
      await page.getByRole('button', { name: 'Continue' }).click()
      await expect(heading(page, title)).toBeFocused()
      await expectAccessible(page)
    }
    await page.getByRole('textbox', { name: 'Name of the group' }).fill('Read by axe')
    await page.getByRole('button', { name: 'Start the preview' }).click()
    await expect(heading(page, 'Read by axe')).toBeVisible()
  })

  await test.step('its group, settings, log, filters, a decision and the end', async () => {
    const loaded = () => expect(page.locator('.skeleton')).toHaveCount(0)
    await expect(page.locator('.group-note')).toContainText('expected to cost')
    await loaded()
    await expectAccessible(page)
    const group = page.url()
    await page.goto(`${group}?sheet=settings`)
    await expect(page.getByRole('heading', { name: 'Settings of the group' })).toBeVisible()
    await expectAccessible(page)
    await page.goto(`${url}/automation-logs?group=${/\d+$/.exec(group)?.[0]}`)
    await page.locator('.decision-link').first().click()
    await expect(page.getByRole('heading', { name: 'History' })).toBeVisible()
    await expectAccessible(page)
    await page.goto(`${url}/automation-logs`)
    await page.getByRole('button', { name: /^Filters/ }).click()
    await expect(page.getByRole('heading', { name: 'Filters' })).toBeVisible()
    await expectAccessible(page)
    await page.goto(`${group}?sheet=stop`)
    await expect(page.getByText('Put everything back')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Stop and leave the values' }).click()
    await expect(page.getByText('Nothing more is changed.')).toBeVisible()
    await expect(page.getByText('Its campaigns run on')).toBeVisible()
    await expectAccessible(page)
  })

  await test.step('a campaign, its edit and its ad group', async () => {
    await page.goto(`${url}/campaigns`)
    await expect(page.getByRole('link', { name: / – Exact/ }).first()).toBeVisible()
    await expectDistinctLinks(page)
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
