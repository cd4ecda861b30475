import type { Page } from '@playwright/test'
import { formatMoney, formatNumber } from '#client/ui/figures/format.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { cardValue, showDays } from './support/home-figures.ts'
import { entityCounts, readInConsole, readReview, reportSums } from './support/marketplace-figures.ts'
import { openAs } from './support/open-as.ts'
import { heading } from './support/account-forms.ts'
import { control } from './support/sandbox-control.ts'
import { connectAds, connectSeller, type Seeded, startTrial, verifiedPerson } from './support/seeded-person.ts'
import { searchList } from './support/search-list.ts'
import { expect, test, patient } from './support/watched-test.ts'
import {
  chooseStrategy,
  chooseTemplate,
  fillDetails,
  continueTo,
  openWizard,
  selectFirstProduct,
  templates,
} from './support/wizard.ts'
import { worldOfFile } from './support/world.ts'

const world = worldOfFile()
const daysAgo = (days: number): string => addDays(dayIn(new Date(), 'America/Los_Angeles'), -days)
const unreachable =
  /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|status of 50[234]/

test.describe.configure({ mode: 'serial' })
let person: Seeded

async function crash(): Promise<void> {
  await world.now.product.kill()
  await world.now.restartProduct()
}
async function homeEqualsTheBooks(page: Page): Promise<void> {
  const [startDate, endDate] = [daysAgo(48), daysAgo(20)]
  await showDays(page, startDate, endDate)
  const sums = await reportSums(world.now.sandbox, { startDate, endDate })
  await expect(cardValue(page, 'Ad spend')).toContainText(formatMoney(sums.cost, 'USD'))
  await expect(cardValue(page, 'Ad sales')).toContainText(formatMoney(sums.sales, 'USD'))
  await expect(cardValue(page, 'Clicks')).toContainText(formatNumber(sums.clicks))
}

test('an interrupted import resumes and counts nothing twice', async ({ page, faults }) => {
  faults.allow(unreachable)
  person = await verifiedPerson(world.now)
  await connectSeller(person)
  await startTrial(person)
  await control(world.now.sandbox, 'reports', { pendingMs: 4000, processingMs: 4000 })
  await connectAds(person)
  await openAs(page, world.now, person)
  await expect(heading(page, 'Home')).toBeVisible()
  // Halfway: the structure is imported, the figures are not.
  await expect(
    page
      .locator('.floating-card')
      .getByText(/figures/i)
      .first(),
  ).toBeVisible(patient)
  await crash()
  await page.reload()
  await expect(page.locator('.floating-card')).toBeVisible()
  await control(world.now.sandbox, 'reports', { pendingMs: 500, processingMs: 500 })
  await expect(page.getByText('Your figures are here').first()).toBeVisible(patient)
  await expect(page.locator('.floating-card')).toBeHidden(patient)
  await homeEqualsTheBooks(page)
  await page.goto(`${world.now.product.url}/campaigns`)
  await expect(page.getByRole('button', { name: /^Actions for/ })).toHaveCount(3)
})

test('the server finishes an interrupted launch, with each item created once', async ({ page, faults }) => {
  faults.allow(unreachable)
  await openAs(page, world.now, person)
  await expect(heading(page, 'Home')).toBeVisible()
  await openWizard(page)
  await chooseTemplate(page, templates.funnel)
  await chooseStrategy(page, 'Passive')
  await fillDetails(page, { name: 'Cut off', budget: '80', acos: '30' })
  await continueTo(page, 'Targeting')
  await selectFirstProduct(page)
  await continueTo(page, 'Review')
  const announced = await readReview(page)
  const before = await entityCounts(world.now.sandbox)
  const slow = { match: { vendor: 'ads', method: 'POST', path: '/sp/*' }, kind: 'slow', delayMs: 700, times: 50 }
  await control(world.now.sandbox, 'faults', slow)
  await page.getByRole('button', { name: /^Launch(?: campaign)?$/ }).click()
  await expect(page.getByRole('dialog', { name: 'Creating Your Campaign' })).toBeVisible()
  await expect
    .poll(async () => (await entityCounts(world.now.sandbox))['adGroups'])
    .toBeGreaterThan(before['adGroups'] ?? 0)
  await crash()
  // An unclear call is not repeated for two minutes, because lists may lag that long.
  await expect(page.getByText('Campaign created successfully!')).toBeVisible(patient)
  await expect(heading(page, 'Campaigns')).toBeVisible()

  const after = await entityCounts(world.now.sandbox)
  const grown = (kind: string) => (after[kind] ?? 0) - (before[kind] ?? 0)
  const sum = (of: (campaign: (typeof announced)[number]) => unknown[]) =>
    announced.reduce((total, campaign) => total + of(campaign).length, 0)
  expect(grown('campaigns')).toBe(announced.length)
  expect(grown('adGroups')).toBe(sum(c => c.adGroups))
  expect(grown('productAds')).toBe(sum(c => c.adGroups))
  expect(grown('keywords') + grown('targets')).toBe(sum(c => c.bids))
  expect(grown('negativeKeywords')).toBe(sum(c => c.negatives))
  const console = await page.context().newPage()
  for (const campaign of announced)
    expect(await readInConsole(console, world.now.sandbox, campaign.name)).toEqual({ ...campaign, state: 'ENABLED' })
  await console.close()
  await searchList(page, 'Search campaigns', 'Cut off')
  await expect(page.getByRole('button', { name: /^Actions for Cut off/ })).toHaveCount(announced.length)
})
