import type { Locator, Page } from '@playwright/test'
import type { WizardProduct, WizardState } from '#features/launches/draft/wizard-state.ts'
import { expectAccessible } from './support/expect-accessible.ts'
import { expectFieldMessage } from './support/expect-field-message.ts'
import { productsWithStatus, dropDraft, inventoryOf, saveDraft } from './support/saved-draft.ts'
import { openAs } from './support/open-as.ts'
import type { Seeded } from './support/seeded-person.ts'
import { expect, test } from './support/watched-test.ts'
import {
  addKeyword,
  chooseStrategy,
  chooseTemplate,
  continueTo,
  continueDraft,
  guideMe,
  openWizard,
  selectFirstProduct,
  sheet,
  templates,
} from './support/wizard.ts'

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const onward = (page: Page) => page.getByRole('button', { name: 'Continue', exact: true })
async function firstEligible(seller: Seeded): Promise<WizardProduct> {
  const [first] = productsWithStatus(await inventoryOf(seller), 'ELIGIBLE')
  if (!first) throw new Error('The seller has no eligible product')
  return first
}
/** Pastes a list into the list field and returns the field. */
async function paste(within: Locator, label: string, lines: readonly string[]): Promise<Locator> {
  const place = within.locator('.paste-list').filter({ hasText: 'Paste a list' })
  await place.getByText('Paste a list', { exact: true }).click()
  await place.getByRole('textbox', { name: label }).fill(lines.join('\n'))
  return place
}

test('each step names what is missing', async ({ page, world, seller }) => {
  await dropDraft(seller)
  await openAs(page, world, seller)
  await openWizard(page)
  const says = (message: string) => expect(onward(page)).toHaveAccessibleDescription(message)
  await expect(page.getByRole('button', { name: 'Back', exact: true }).last()).toBeDisabled()
  await says('Please select a campaign template')
  await guideMe(page)
  await chooseTemplate(page, templates.funnel)
  await says('Please select a campaign strategy')
  await chooseStrategy(page, 'Balanced')
  await says('Campaign name is required')

  await test.step('a funnel’s budget is split among its phases to the cent', async () => {
    await page.getByRole('textbox', { name: 'Budget' }).fill('42.5')
    const share = (phase: string) => page.getByRole('textbox', { name: `${phase} share` })
    await expect(share('Performance')).toHaveAccessibleDescription(/\$14\.88 a day/)
    await share('Discovery').fill('40')
    await expect(page.getByText('The shares must add up to 100%; they add up to 115%')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Set Performance to 20%' }).click()
    await expect(share('Performance')).toHaveAccessibleDescription(/\$8\.50 a day/)
    await expect(page.getByText('The shares must add up')).toBeHidden()
  })
  await test.step('choosing another template asks before it discards the input', async () => {
    await page.getByRole('button', { name: 'Back', exact: true }).last().click()
    await expect(sheet(page, 'Strategy')).toBeVisible()
    await page.getByRole('button', { name: 'Back', exact: true }).last().click()
    await expect(sheet(page, 'Template')).toBeVisible()
    await page.getByRole('radio', { name: new RegExp(`^${templates.keywords}`) }).click()
    const question = page.getByRole('alertdialog', { name: 'Change the template?' })
    await question.getByRole('button', { name: 'Reset and change' }).click()
    await expect(page.getByRole('radio', { name: new RegExp(`^${templates.keywords}`) })).toBeChecked()
    await expect(page.getByRole('radio', { name: 'Guided' }).first()).toBeChecked()
    await continueTo(page, 'Strategy')
    await says('Please select a campaign strategy')
    await chooseStrategy(page, 'Balanced')
  })

  const [name, budget, acos] = ['Campaign name', 'Budget', 'Target ACOS'].map(name =>
    page.getByRole('textbox', { name }),
  )
  if (!name || !budget || !acos) throw new Error('The sheet lacks a field')
  await name.fill('   ')
  await name.blur()
  await expectFieldMessage(name, 'Campaign name is required')
  await name.fill('Careful')
  await says('Valid budget amount is required')
  await budget.fill('0.5')
  await budget.blur()
  await expect(budget).toHaveAttribute('aria-invalid', 'true')
  await expect(onward(page)).toBeDisabled()
  await budget.fill('none')
  await expectFieldMessage(budget, 'Valid budget amount is required')
  await budget.fill('20')
  await says('Valid target ACOS is required')
  await acos.fill('101')
  await acos.blur()
  await expectFieldMessage(acos, 'Valid target ACOS is required')
  await acos.fill('30')
  await says('Choose automatic or manual targeting')
  await page.getByRole('radio', { name: 'Manual', exact: true }).check()
  await says('Choose a keyword match type')
  await page.getByRole('radio', { name: 'Exact', exact: true }).check()
  await expectAccessible(page)
  await continueTo(page, 'Targeting')
  await says('Select at least one product first.')
})

test('the wizard rejects products and keywords that the marketplace would reject, row by row for lists', async ({
  page,
  world,
  seller,
}) => {
  await saveDraft(seller, {
    currentStep: 4,
    template: 'SINGLE_PRODUCT_KEYWORD_CAMPAIGN',
    campaignName: 'Careful',
    automationMode: 'MANUAL',
    keywordMatchType: 'EXACT',
  })
  await openAs(page, world, seller, '/create-campaign')
  await continueDraft(page, 'Careful', 'Targeting')

  const products = page.getByRole('region', { name: 'Available Products', exact: true }).getByRole('listitem')
  const [unfit] = productsWithStatus(await inventoryOf(seller), 'INELIGIBLE')
  const search = page.getByLabel('Search by title, SKU or ASIN')
  await search.fill(unfit?.asin ?? '')
  await expect(products).toHaveCount(1)
  await products.getByRole('button', { name: /^Select / }).click()
  await expect(page.getByText('Product Not Eligible')).toBeVisible()
  await expectAccessible(page)
  await search.fill('')
  await expect(products).not.toHaveCount(1)
  await selectFirstProduct(page)
  await products
    .filter({ has: page.getByText('Eligible', { exact: true }) })
    .nth(1)
    .getByRole('button', { name: /^Select / })
    .click()
  await expect(page.getByText('Product Limit Reached')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Selected Products (1)', exact: true })).toBeVisible()
  await expect(onward(page)).toHaveAccessibleDescription('Configure keywords for each selected product first.')

  await page.getByRole('button', { name: 'Configure keywords' }).click()
  const add = page.getByRole('button', { name: 'Add keyword', exact: true })
  const [keyword, bid] = [field(page, 'Keyword'), field(page, 'Bid')]
  await test.step('single entries', async () => {
    await expect(add).toBeDisabled()
    await addKeyword(page, 'steel flask', '0.75')
    for (const text of ['a b c d e f g h i j k', 'x'.repeat(81)]) {
      await keyword.fill(text)
      await expect(keyword).toHaveAttribute('aria-invalid', 'true')
      await expect(add).toBeDisabled()
    }
    await keyword.fill('Steel  FLASK')
    await expectFieldMessage(keyword, 'is already in the list as exact match.')
    await expect(add).toBeDisabled()
    await keyword.fill('copper flask')
    await bid.fill('0.01')
    await expectFieldMessage(bid, 'The bid must be between 0.02 and 1000 USD')
    await expect(add).toBeDisabled()
    await bid.fill('0.5')
    await page.getByRole('combobox', { name: 'Match type' }).selectOption('Phrase')
    await add.click()
    await expect(page.getByLabel('Bid for copper flask')).toHaveValue('0.50')
    await page.getByRole('button', { name: 'Remove copper flask' }).click()
  })
  const undo = () => page.getByRole('button', { name: 'Undo', exact: true }).last().click()
  const bidOf = (text: string) => page.getByLabel(`Bid for ${text}`)
  await test.step('a pasted list', async () => {
    await bid.fill('')
    const list = await paste(page.getByRole('region', { name: 'Add keywords' }), 'Keywords', [
      'Keyword\tMatch type\tBid',
      'steel flask\texact\t0.9',
      'travel mug\tphrase\t0.9',
      'a b c d e f g h i j k\texact\t0.9',
      'dear mug\texact\t5000',
      'no bid mug',
    ])
    await expect(list.getByText('1 of 5 can be added.')).toBeVisible()
    await expect(list.getByText('“steel flask” is already in the list and will be merged.')).toBeVisible()
    await expect(list.getByText('1 row has no bid: enter one above for all rows without a bid.')).toBeVisible()
    for (const line of [
      'Line 4: a b c d e f g h i j k – A keyword has at most 10 words',
      'Line 5: dear mug – The bid must be between 0.02 and 1000 USD',
    ])
      await expect(list.getByText(line)).toBeVisible()
    await expectAccessible(page)
    await list.getByRole('button', { name: 'Add 1 keyword' }).click()
    await expect(bidOf('travel mug')).toHaveValue('0.90')
  })
  await test.step('all bids at once, and undo', async () => {
    await page.getByText('Change all 2 bids').click()
    await page.getByRole('textbox', { name: 'Change by percent' }).fill('100')
    await page.getByRole('button', { name: 'Change all', exact: true }).click()
    await expect(bidOf('steel flask')).toHaveValue('1.50')
    await expect(bidOf('travel mug')).toHaveValue('1.80')
    await undo()
    await expect(bidOf('steel flask')).toHaveValue('0.75')
    await page.getByRole('button', { name: 'Remove all' }).click()
    await expect(page.getByRole('heading', { name: 'Chosen keywords (0)' })).toBeVisible()
    await undo()
    await expect(bidOf('travel mug')).toHaveValue('0.90')
  })
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('2 keywords', { exact: false }).first()).toBeVisible()

  await test.step('negative keywords that would block a keyword', async () => {
    await page.getByRole('button', { name: 'Configure negative keywords' }).click()
    const negatives = page.getByRole('region', { name: 'Add negative keywords' })
    const list = await paste(negatives, 'Pasted negative keywords', ['steel flask', 'free\tphrase', 'free\tphrase'])
    await expect(list.getByText('“free” is already in the list and will be merged.')).toBeVisible()
    await list.getByRole('button', { name: 'Add 2 negative keywords' }).click()
    await expect(page.getByRole('heading', { name: 'Chosen negative keywords (2)' })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(onward(page)).toHaveAccessibleDescription(/“steel flask” would never be shown/)
    await page.getByRole('button', { name: 'Configure negative keywords' }).click()
    await page.getByRole('button', { name: 'Remove steel flask' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(onward(page)).toBeEnabled()
  })
})

test('the wizard rejects invalid categories and product targets', async ({ page, world, seller }) => {
  const product = await firstEligible(seller)
  const target: Partial<WizardState> = {
    currentStep: 4,
    template: 'SINGLE_PRODUCT_PRODUCT_TARGET_CAMPAIGN',
    products: [product],
  }
  await saveDraft(seller, {
    ...target,
    campaignName: 'Beside',
    productTargetType: 'PRODUCT',
    productMatchType: 'PRODUCT_EXACT',
  })
  await openAs(page, world, seller, '/create-campaign')
  await continueDraft(page, 'Beside', 'Targeting')
  await page.getByRole('button', { name: 'Configure product targets' }).click()
  await field(page, 'ASIN').fill('b0short')
  await expect(field(page, 'ASIN')).toHaveAttribute('aria-invalid', 'true')
  await field(page, 'ASIN').fill('')
  await field(page, 'Bid').fill('0.7')
  const list = await paste(page.getByRole('region', { name: 'Add product targets' }), 'ASINs', [
    'https://www.amazon.com/dp/B0RIVAL001?th=1',
    'b0rival002\t0.9',
    'B0RIVAL002',
    'B0SHORT',
  ])
  await expect(list.getByText('2 of 4 can be added.')).toBeVisible()
  await expect(list.getByText('“B0RIVAL002” is already in the list and will be merged.')).toBeVisible()
  await expect(list.getByText('Line 4: B0SHORT –')).toBeVisible()
  await list.getByRole('button', { name: 'Add 2 product targets' }).click()
  await expect(page.getByLabel('Bid for B0RIVAL001')).toHaveValue('0.70')
  await expect(page.getByLabel('Bid for B0RIVAL002')).toHaveValue('0.90')
  await expectAccessible(page)

  await saveDraft(seller, { ...target, campaignName: 'On shelves', productTargetType: 'CATEGORY' })
  // Without this the tab would continue its open draft.
  const other = await page.context().newPage()
  await page.close()
  await other.goto(`${world.product.url}/create-campaign`)
  await continueDraft(other, 'On shelves', 'Targeting')
  await expect(onward(other)).toHaveAccessibleDescription('Configure categories for each selected product first.')
  await other.getByRole('button', { name: 'Configure categories' }).click()
  await other
    .getByRole('button', { name: /^Add .*, Category$/ })
    .first()
    .click()
  await expect(other.getByRole('heading', { name: 'Chosen categories (1)' })).toBeVisible()
  await other.getByLabel(/^Bid for /).fill('0.001')
  await expect(other.getByLabel(/^Bid for /)).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible(other)
})
