import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './support/expect-accessible.ts'
import { productsWithStatus, inventoryOf, saveDraft } from './support/saved-draft.ts'
import { entityCounts, readInConsole } from './support/marketplace-figures.ts'
import { openAs } from './support/open-as.ts'
import { heading } from './support/account-forms.ts'
import { holdLaunches } from './support/sandbox-control.ts'
import { swipe } from './support/swipe.ts'
import { expect, test, patient } from './support/watched-test.ts'
import { activeSheet, continueTo, continueDraft, openWizard, sheet } from './support/wizard.ts'

const exact = (keyword: string, bid: number) => ({ keyword, matchType: 'EXACT' as const, bid })
const listed = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

test('a draft continues on another device, both devices launch it, one launch results, and undo removes all of it', async ({
  page,
  browser,
  world,
  seller,
}) => {
  const { product, sandbox } = world
  const inventory = await inventoryOf(seller)
  const [warned] = productsWithStatus(inventory, 'ELIGIBLE_WITH_WARNING')
  const eligible = productsWithStatus(inventory, 'ELIGIBLE')
  if (!warned) throw new Error('The seller has no product that is allowed with a warning')
  await saveDraft(seller, {
    currentStep: 3,
    template: 'MULTI_PRODUCT_AD_GROUP_KEYWORD_CAMPAIGN',
    campaignName: 'On both',
    automationMode: 'MANUAL',
    keywordMatchType: 'EXACT',
    products: [warned, ...eligible.slice(0, 10)],
    keywords: { campaign: [exact('steel flask', 0.8), exact('travel mug', 1.25)] },
  })
  const other = await (await browser.newContext()).newPage()

  await test.step('the other device shows what the first one entered', async () => {
    await openAs(page, world, seller, '/create-campaign')
    await continueDraft(page, 'On both', 'Campaign Settings')
    const saved = page.waitForResponse(
      answer => answer.url().endsWith('/api/campaign/draft') && answer.request().method() === 'PUT',
    )
    await page.getByRole('textbox', { name: 'Budget' }).fill('33.5')
    await saved
    await openAs(other, world, seller, '/create-campaign')
    await expectAccessible(other)
    await continueDraft(other, 'On both', 'Campaign Settings')
    await expect(other.getByRole('textbox', { name: 'Budget' })).toHaveValue('33.50')
  })

  await test.step('the review shows its notices', async () => {
    for (const device of [other, page]) {
      await continueTo(device, 'Targeting')
      await expect(device.getByText('2 keywords', { exact: false }).first()).toBeVisible()
      await continueTo(device, 'Review')
    }
    const notices = page.getByRole('region', { name: 'Worth knowing' })
    await expect(notices).toContainText('More than 10 products in one ad group are not recommended')
    await expect(notices).toContainText('The marketplace allows these products with a warning.')
    await expect(notices).toContainText(warned.asin)
    await expectAccessible(page)
  })

  const before = await entityCounts(sandbox)
  const said = (device: Page) => device.getByText('Campaign created successfully!')
  await test.step('both devices launch it; the one that closed the overlay is notified at the end', async () => {
    const release = await holdLaunches(sandbox)
    await Promise.all([page, other].map(device => device.getByRole('button', { name: 'Launch', exact: true }).click()))
    const overlay = page.getByRole('dialog', { name: 'Creating Your Campaign' })
    await expect(overlay.getByText('You can close this page. We will notify you.')).toBeVisible()
    await expectAccessible(page)
    await overlay.getByRole('button', { name: 'Keep working' }).click()
    await expect(heading(page, 'Campaigns')).toBeVisible()
    await expect(page.getByRole('complementary', { name: 'Launch' })).toContainText('Creating “On both”')
    // The message stays for four seconds on each.
    const both = Promise.all([page, other].map(device => expect(said(device)).toBeVisible(patient)))
    await release()
    await both
    await expect(heading(other, 'Campaigns')).toBeVisible()
  })

  await test.step('only one set of campaigns exists', async () => {
    const after = await entityCounts(sandbox)
    const grown = (kind: string) => (after[kind] ?? 0) - (before[kind] ?? 0)
    expect([grown('campaigns'), grown('adGroups'), grown('productAds'), grown('keywords')]).toEqual([1, 1, 11, 2])
    // The launch removes the draft from every device.
    await openWizard(other)
    await other.context().close()
  })

  await test.step('the log lists the launch with every answer of the marketplace', async () => {
    await page.goto(`${product.url}/create-campaign-logs`)
    const row = listed(page, 'On both')
    await expect(row).toHaveCount(1)
    await row.getByRole('button', { name: 'Show steps' }).click()
    await expect(row.getByText('Creating campaigns')).toBeVisible()
    await row.getByText('Calls to the marketplace').click()
    await row
      .getByText(/^\d+\. /)
      .first()
      .click()
    await expect(row.getByText('Received').first()).toBeVisible()
    await expectAccessible(page)
  })

  await test.step('after the undo no campaign of it is running', async () => {
    await listed(page, 'On both').getByRole('button', { name: 'Undo' }).click()
    const question = page.getByRole('alertdialog', { name: 'Undo “On both”?' })
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Archive all' }).click()
    await expect(listed(page, 'On both').getByText('Undone', { exact: true })).toBeVisible(patient)
    expect((await readInConsole(page, sandbox, 'On both | Keywords | Exact')).state).toBe('ARCHIVED')
  })
})

test('on every step the back button, a reload and a deep link keep the input', async ({ page, world, seller }) => {
  const { url } = world.product
  const [only] = productsWithStatus(await inventoryOf(seller), 'ELIGIBLE')
  if (!only) throw new Error('The seller has no eligible product')
  await saveDraft(seller, {
    currentStep: 5,
    template: 'SINGLE_PRODUCT_KEYWORD_CAMPAIGN',
    campaignName: 'Step by step',
    automationMode: 'MANUAL',
    keywordMatchType: 'EXACT',
    products: [only],
    keywords: { [only.asin]: [exact('steel flask', 0.8)] },
  })
  await openAs(page, world, seller)
  await expect(heading(page, 'Home')).toBeVisible()
  await page.getByRole('link', { name: 'New', exact: true }).click()
  await continueDraft(page, 'Step by step', 'Review')
  const shown: readonly [title: string, entered: Locator][] = [
    ['Template', page.getByRole('radio', { name: /^Single product keyword campaign/, checked: true })],
    ['Strategy', page.getByRole('radio', { name: /^Balanced/, checked: true })],
    ['Campaign Settings', page.getByRole('radio', { name: 'Exact', exact: true, checked: true })],
    ['Targeting', page.getByRole('heading', { name: 'Selected Products (1)', exact: true })],
    ['Review', page.getByRole('region', { name: 'Structure', exact: true })],
  ]
  for (const [title, entered] of shown.toReversed()) {
    await test.step(`${title}, reloaded`, async () => {
      await expect(sheet(page, title)).toBeVisible()
      await page.reload()
      await expect(sheet(page, title)).toBeVisible()
      await expect(entered).toBeVisible()
      await page.goBack()
    })
  }
  const question = page.getByRole('alertdialog', { name: 'Unsaved Changes' })
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(sheet(page, 'Template')).toBeVisible()

  await test.step('a deep link opens its step, or the first incomplete one', async () => {
    await page.goto(`${url}/create-campaign?step=3`)
    await page.getByRole('textbox', { name: 'Campaign name' }).fill('')
    await page.goto(`${url}/create-campaign?step=5`)
    await expect(page.getByText('Configuration Required')).toBeVisible()
    await expect(sheet(page, 'Campaign Settings')).toBeVisible()
    await page.getByRole('textbox', { name: 'Campaign name' }).fill('Step by step')
  })

  await test.step('the back button closes the keyword sheet, and the draft is offered again', async () => {
    await continueTo(page, 'Targeting')
    await page.getByRole('button', { name: 'Configure keywords' }).click()
    await expect(page.getByRole('heading', { name: 'Chosen keywords (1)' })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('heading', { name: 'Chosen keywords (1)' })).toBeHidden()
    await expect(sheet(page, 'Targeting')).toBeVisible()
    await activeSheet(page).getByRole('button', { name: 'Back to Dashboard' }).last().click()
    await question.getByRole('button', { name: 'Leave' }).click()
    await expect(heading(page, 'Home')).toBeVisible()
    await page.getByRole('link', { name: 'New', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Continue editing “Step by step”' })).toBeVisible()
  })

  await test.step('a swipe down goes back, asks on the first sheet, and never loses the draft', async () => {
    // From 768 px on, the steps are a column.
    if ((page.viewportSize()?.width ?? 0) >= 768) return
    await continueDraft(page, 'Step by step', 'Targeting')
    await page.locator('.sheet-card:not([inert]) .sheet-scroll').evaluate(body => body.scrollTo({ top: 200 }))
    await swipe(page.getByRole('region', { name: 'Available Products' }), { y: 100 })
    await expect(sheet(page, 'Targeting'), 'what is scrolled comes back up first').toBeInViewport()
    for (const [title, entered] of shown.slice(0, 3).toReversed()) {
      // The gesture code loads when the page is idle.
      await expect(async () => {
        if (await sheet(page, title).isHidden()) await swipe(page.locator('.sheet-card:not([inert]) h1'), { y: 300 })
        await expect(sheet(page, title)).toBeVisible({ timeout: 2000 })
      }).toPass()
      await expect(entered).toBeVisible()
    }
    await swipe(page.locator('.sheet-card:not([inert]) .step-head'), { y: 40 })
    await expect(question, 'a short way is no swipe').toBeHidden()
    await swipe(page.locator('.sheet-card:not([inert]) .step-head'), { y: 300 })
    await question.getByRole('button', { name: 'Stay' }).click()
    await expect(sheet(page, 'Template')).toBeInViewport()
    await expect(page.getByRole('radio', { name: /^Single product keyword campaign/, checked: true })).toBeVisible()
  })
})
