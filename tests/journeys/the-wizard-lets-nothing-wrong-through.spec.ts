import { expectAccessible } from './support/expect-accessible.ts'
import { expectFault } from './support/expect-fault.ts'
import { heading, logIn } from './support/opening-an-account.ts'
import { importedPerson, type Seeded } from './support/seeded-person.ts'
import { expect, test } from './support/watched-test.ts'
import {
  addKeyword,
  chooseStrategy,
  chooseTemplate,
  fillDetails,
  goOn,
  guideMe,
  openWizardAnew,
  selectFirstProduct,
  templates,
} from './support/wizard.ts'
import { worldOfFile } from './support/world.ts'

const world = worldOfFile()
let person: Seeded
test.beforeAll(async () => {
  person = await importedPerson(world.now)
})
test.beforeEach(async ({ page }) => {
  await logIn(page, world.now, person)
  await expect(heading(page, 'Home')).toBeVisible()
})

test('each step asks for what is missing, in the words of the product', async ({ page }) => {
  await openWizardAnew(page)
  const onward = page.getByRole('button', { name: 'Continue', exact: true })
  const says = (message: string) => expect(onward).toHaveAccessibleDescription(message)
  await expect(page.getByRole('button', { name: 'Back', exact: true }).last()).toBeDisabled()
  await says('Please select a campaign template')
  await guideMe(page)
  await chooseTemplate(page, templates.keywords)
  await says('Please select a campaign strategy')
  await chooseStrategy(page, 'Balanced')

  await says('Campaign name is required')
  const [name, budget, acos] = ['Campaign name', 'Budget', 'Target ACOS'].map(name =>
    page.getByRole('textbox', { name }),
  )
  if (!name || !budget || !acos) throw new Error('The sheet lacks a field')
  await name.fill('   ')
  await name.blur()
  await expectFault(name, 'Campaign name is required')
  await name.fill('Careful')
  await says('Valid budget amount is required')
  await budget.fill('0.5')
  await budget.blur()
  await expect(budget).toHaveAttribute('aria-invalid', 'true')
  await expect(onward).toBeDisabled()
  await budget.fill('none')
  await expectFault(budget, 'Valid budget amount is required')
  await budget.fill('20')
  await says('Valid target ACOS is required')
  await acos.fill('101')
  await acos.blur()
  await expectFault(acos, 'Valid target ACOS is required')
  await acos.fill('30')
  await says('Choose automatic or manual targeting')
  await page.getByRole('radio', { name: 'Manual', exact: true }).check()
  await says('Choose a keyword match type')
  await page.getByRole('radio', { name: 'Exact', exact: true }).check()
  await expectAccessible(page)
  await goOn(page, 'Targeting')
  await says('Select at least one product first.')
})

test('products and keywords that the marketplace would refuse are refused before', async ({ page }) => {
  await openWizardAnew(page)
  await guideMe(page)
  await chooseTemplate(page, templates.keywords)
  await chooseStrategy(page, 'Balanced')
  await fillDetails(page, { name: 'Careful', budget: '20', acos: '30' })
  await page.getByRole('radio', { name: 'Manual', exact: true }).check()
  await page.getByRole('radio', { name: 'Exact', exact: true }).check()
  await goOn(page, 'Targeting')

  const products = page.getByRole('region', { name: 'Available Products', exact: true }).getByRole('listitem')
  await page.getByLabel('Rows on a page').selectOption('50')
  const unfit = products.filter({ has: page.getByText('Not eligible', { exact: true }) }).first()
  await unfit.getByRole('button', { name: /^Select / }).click()
  await expect(page.getByText('Product Not Eligible')).toBeVisible()
  await expectAccessible(page)
  const chosen = await selectFirstProduct(page)
  await products
    .filter({ has: page.getByText('Eligible', { exact: true }) })
    .nth(1)
    .getByRole('button', { name: /^Select / })
    .click()
  await expect(page.getByText('Product Limit Reached')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Selected Products (1)' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Continue', exact: true })).toHaveAccessibleDescription(
    'Configure keywords for each selected product first.',
  )

  await page.getByRole('button', { name: 'Configure keywords' }).click()
  const add = page.getByRole('button', { name: 'Add keyword' })
  const [keyword, bid] = ['Keyword', 'Bid'].map(name => page.getByRole('textbox', { name, exact: true }))
  if (!keyword || !bid) throw new Error('The sheet lacks a field')
  await expect(add).toBeDisabled()
  await addKeyword(page, 'steel flask', '0.75')
  for (const text of ['a b c d e f g h i j k', 'x'.repeat(81)]) {
    await keyword.fill(text)
    await expect(keyword).toHaveAttribute('aria-invalid', 'true')
    await expect(add).toBeDisabled()
  }
  await keyword.fill('Steel  FLASK')
  await expectFault(keyword, 'is in the list already as exact match.')
  await expect(add).toBeDisabled()
  await keyword.fill('copper flask')
  await bid.fill('0.01')
  await expectFault(bid, 'The bid must be between 0.02 and 1000 USD')
  await expect(add).toBeDisabled()
  await expectAccessible(page)
  await bid.fill('0.5')
  await page.getByRole('combobox', { name: 'Match type' }).selectOption('Phrase')
  await add.click()
  await expect(page.getByLabel('Bid for copper flask')).toHaveValue('0.5')
  await page.getByRole('button', { name: 'Remove copper flask' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('1 keyword', { exact: false }).first()).toBeVisible()

  await test.step('a reload and another visit keep the draft', async () => {
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Selected Products (1)' })).toBeVisible()
    await expect(page.getByText(chosen).first()).toBeVisible()
    await page.getByRole('button', { name: 'Back to Dashboard' }).last().click()
    const question = page.getByRole('alertdialog', { name: 'Unsaved Changes' })
    await expect(question).toBeVisible()
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Stay' }).click()
    await expect(page.getByRole('heading', { name: 'Selected Products (1)' })).toBeVisible()
    await page.getByRole('button', { name: 'Back to Dashboard' }).last().click()
    await question.getByRole('button', { name: 'Leave' }).click()
    await expect(heading(page, 'Home')).toBeVisible()
    await page.getByRole('link', { name: 'New', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'You have begun a campaign' })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Go on with “Careful”' }).click()
    await expect(page.getByText('1 keyword', { exact: false }).first()).toBeVisible()
  })
})

// The name of what has the focus, inside shadow roots too; runs in the page.
const focusedName = (): string => {
  let element = document.activeElement
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
  if (element instanceof HTMLInputElement) return [...(element.labels ?? [])].map(label => label.textContent).join(' ')
  const written = element?.matches('button, a') ? element.textContent : ''
  return element?.getAttribute('aria-label') ?? written ?? ''
}

test('the whole wizard can be walked by keyboard alone', async ({ page }) => {
  await openWizardAnew(page)
  /** Presses Tab until the focus is on it. */
  const tabTo = async (name: RegExp): Promise<void> => {
    const seen: string[] = []
    while (seen.length < 60) {
      await page.keyboard.press('Tab')
      seen.push(await page.evaluate(focusedName))
      if (name.test(seen.at(-1) ?? '')) return
    }
    throw new Error(`Tab never reached ${name.source}, but ${seen.join(', ')}`)
  }
  const onward = async (next: string): Promise<void> => {
    await tabTo(/^Continue/)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: next, exact: true })).toBeVisible()
  }
  await tabTo(/Single product/)
  await page.keyboard.press('Space')
  await onward('Strategy')
  await tabTo(/Passive|Balanced/)
  await page.keyboard.press('Space')
  await onward('Campaign Settings')
  await tabTo(/^Campaign name/)
  await page.keyboard.type('By keys')
  await tabTo(/^Budget/)
  await page.keyboard.type('60')
  await tabTo(/^Target ACOS/)
  await page.keyboard.type('30')
  await onward('Targeting')
  await expect(page.getByRole('button', { name: /^Select / }).first()).toBeVisible()
  await tabTo(/^Select /)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Selected Products (1)' })).toBeVisible()
  await onward('Review')
  await expect(page.getByRole('region', { name: 'Structure', exact: true })).toBeVisible()
  await tabTo(/^Back$/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Targeting', exact: true })).toBeVisible()
})
