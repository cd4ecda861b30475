import type { Page } from '@playwright/test'
import { formatMoney, formatNumber } from '#client/ui/figures/format.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { cardValue, showDays, workIn } from './support/home-figures.ts'
import { readInConsole, readReview, reportSums, type CampaignSummary } from './support/marketplace-figures.ts'
import {
  addKeyword,
  chooseStrategy,
  chooseTemplate,
  fillDetails,
  continueTo,
  guideMe,
  openWizard,
  selectFirstProduct,
  templates,
} from './support/wizard.ts'
import { connectAdvertising, connectSellerInBrowser } from './support/connecting-accounts.ts'
import { expectAccessible } from './support/expect-accessible.ts'
import { followMail, heading, logIn, register, skipSurvey } from './support/account-forms.ts'
import { newPerson } from './support/people.ts'
import { searchList } from './support/search-list.ts'
import { expect, test, patient } from './support/watched-test.ts'
import { worldOfFile } from './support/world.ts'

// This journey runs with the service worker and with animations, as for a seller.
test.use({ serviceWorkers: 'allow', contextOptions: { reducedMotion: 'no-preference' } })

// As a user who tries Tideline has it.
const world = worldOfFile({ embedded: true })

const daysAgo = (days: number): string => addDays(dayIn(new Date(), 'America/Los_Angeles'), -days)

async function launch(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Launch(?: campaign)?$/ }).click()
  await expect(page.getByText('Campaign created successfully!')).toBeVisible(patient)
  await expect(page).toHaveURL(/\/campaigns/)
}

test('a new seller registers, connects the accounts, sees the figures, launches campaigns and watches them run', {
  tag: '@layout',
}, async ({ context, page }) => {
  const { product, sandbox } = world.now
  const person = newPerson()

  await test.step('registers and verifies the email address', async () => {
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
    await expectAccessible(page)
    await skipSurvey(page)
    await expect(heading(page, 'Connections')).toBeVisible()
    await expect(page.getByText('Connect your seller account first')).toBeVisible()
    await expectAccessible(page)
    await connectSellerInBrowser(page)
    await expect(page.getByText('Driftwood & Daughters is connected')).toBeVisible()
    await expect(heading(page, 'Connections')).toBeVisible()
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

  await test.step('watches the import until it ends', async () => {
    await expect(heading(page, 'Home')).toBeVisible()
    await expect(page.locator('.floating-card')).toBeVisible()
    await expect(page.getByText('Your figures are here').first()).toBeVisible(patient)
    await expect(page.locator('.floating-card')).toBeHidden(patient)
    await expectAccessible(page)
  })

  await test.step('sees the marketplace’s own figures on Home', async () => {
    await workIn(page, 'United States (USD)')
    const [startDate, endDate] = [daysAgo(48), daysAgo(20)]
    await showDays(page, startDate, endDate)
    const sums = await reportSums(sandbox, { startDate, endDate })
    expect(sums.cost).toBeGreaterThan(0)
    for (const [label, value] of [
      ['Ad spend', formatMoney(sums.cost, 'USD')],
      ['Ad sales', formatMoney(sums.sales, 'USD')],
      ['Orders', formatNumber(sums.orders)],
      ['Clicks', formatNumber(sums.clicks)],
      ['Impressions', formatNumber(sums.impressions)],
    ] as const)
      await expect(cardValue(page, label)).toContainText(value)
  })

  const made: CampaignSummary[] = []
  await test.step('launches a smart funnel', async () => {
    await openWizard(page)
    await expectAccessible(page)
    await chooseTemplate(page, templates.funnel)
    await expectAccessible(page)
    await chooseStrategy(page, 'Balanced')
    await fillDetails(page, { name: 'Tide funnel', budget: '60', acos: '30' })
    await expectAccessible(page)
    await continueTo(page, 'Targeting')
    await selectFirstProduct(page)
    await expectAccessible(page)
    await continueTo(page, 'Review')
    made.push(...(await readReview(page)))
    await expectAccessible(page)
    await launch(page)
  })

  await test.step('launches an exact keyword campaign with typed keywords', async () => {
    await openWizard(page)
    await guideMe(page)
    await chooseTemplate(page, templates.keywords)
    await chooseStrategy(page, 'Growth')
    await fillDetails(page, { name: 'Own words', budget: '12.5', acos: '25' })
    await page.getByRole('radio', { name: 'Manual', exact: true }).check()
    await page.getByRole('radio', { name: 'Exact', exact: true }).check()
    await expectAccessible(page)
    await continueTo(page, 'Targeting')
    await selectFirstProduct(page)
    await page.getByRole('button', { name: 'Configure keywords' }).click()
    await addKeyword(page, 'insulated water bottle', '1.25')
    await addKeyword(page, 'steel flask 1l', '0.8')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Done' }).click()
    await continueTo(page, 'Review')
    const announced = await readReview(page)
    expect(announced.flatMap(c => c.bids).map(bid => bid.split(' → ').slice(1).join(' → '))).toEqual([
      'insulated water bottle → EXACT → 1.25',
      'steel flask 1l → EXACT → 0.80',
    ])
    made.push(...announced)
    await launch(page)
  })

  await test.step('finds every bid, budget and keyword in the marketplace’s console', async () => {
    const console = await context.newPage()
    expect(made.length).toBeGreaterThanOrEqual(5)
    for (const campaign of made)
      expect(await readInConsole(console, sandbox, campaign.name)).toEqual({ ...campaign, state: 'ENABLED' })
    await console.close()
  })

  await test.step('finds the campaigns in the list and pauses one, which the console shows as paused', async () => {
    await searchList(page, 'Search campaigns', 'Tide funnel')
    const rows = page.getByRole('link', { name: /Tide funnel/ })
    await expect(rows).toHaveCount(made.length - 1)
    await expectAccessible(page)
    const name = made[0]?.name ?? ''
    await page.getByRole('link', { name, exact: true }).click()
    await page.getByRole('button', { name: 'Pause campaign' }).click()
    await expect(page.getByText('Campaign paused')).toBeVisible()
    await expectAccessible(page)
    const console = await context.newPage()
    await expect(async () => {
      expect((await readInConsole(console, sandbox, name)).state).toBe('PAUSED')
    }).toPass()
    await console.close()
  })

  await test.step('logs out', async () => {
    await page.goto(`${product.url}/settings`)
    await expect(heading(page, 'Settings')).toBeVisible()
    await page.getByRole('main').getByRole('button', { name: 'Log out', exact: true }).click()
    await expectAccessible(page)
    await page.getByRole('alertdialog').getByRole('button', { name: 'Log out', exact: true }).click()
    await expect(heading(page, 'Log in')).toBeVisible()
    await page.goto(`${product.url}/campaigns`)
    await expect(heading(page, 'Log in')).toBeVisible()
  })
})
