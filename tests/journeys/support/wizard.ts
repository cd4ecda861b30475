import { expect, type Page } from '@playwright/test'

export const templates = {
  funnel: 'Single product campaign funnel',
  keywords: 'Single product keyword campaign',
  multiKeywords: 'Multi product ad group keyword campaign',
} as const

/** The active sheet, not those below it nor the next one, which is prerendered when the page is idle; on a tablet the columns. */
export const activeSheet = (page: Page) => page.locator('.sheet-card:not([inert]), .sheet-column-card')

/** The heading of the active sheet. */
export const sheet = (page: Page, title: string) => activeSheet(page).getByRole('heading', { name: title, exact: true })

/** Opens the wizard with its button. */
export async function openWizard(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'New', exact: true }).click()
  await expect(sheet(page, 'Template')).toBeVisible()
}

/** Opens the wizard and discards the draft of an earlier journey. */
export async function openWizardAnew(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'New', exact: true }).click()
  const startOver = page.getByRole('button', { name: 'Start over' })
  await expect(sheet(page, 'Template').or(startOver)).toBeVisible()
  if (await startOver.isVisible()) {
    await startOver.click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Start over' }).click()
  }
  await expect(sheet(page, 'Template')).toBeVisible()
}

/** Continues the offered draft, on the sheet where it was left. */
export async function continueDraft(page: Page, name: string, title: string): Promise<void> {
  await page.getByRole('button', { name: `Continue editing “${name}”` }).click()
  await expect(sheet(page, title)).toBeVisible()
}

/** Selects the guided setup mode; the segment's label covers its radio button. */
export async function guideMe(page: Page): Promise<void> {
  await page.getByText('Guided', { exact: true }).first().click()
  await expect(page.getByRole('radio', { name: 'Guided' }).first()).toBeChecked()
}

/** Presses Continue and waits for the next sheet. */
export async function continueTo(page: Page, next: string): Promise<void> {
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(sheet(page, next)).toBeVisible()
}

export async function chooseTemplate(page: Page, template: string): Promise<void> {
  await page.getByRole('radio', { name: new RegExp(`^${template}`) }).check()
  await continueTo(page, 'Strategy')
}

export async function chooseStrategy(page: Page, strategy: 'Passive' | 'Balanced' | 'Growth'): Promise<void> {
  await page.getByRole('radio', { name: new RegExp(`^${strategy}`) }).check()
  await continueTo(page, 'Campaign Settings')
}

export interface Details {
  name: string
  budget: string
  acos: string
}

/** Name, budget and target ACOS; stays on the sheet. */
export async function fillDetails(page: Page, { name, budget, acos }: Details): Promise<void> {
  await page.getByRole('textbox', { name: 'Campaign name' }).fill(name)
  await page.getByRole('textbox', { name: 'Budget' }).fill(budget)
  await page.getByRole('textbox', { name: 'Target ACOS' }).fill(acos)
}

/** Selects the first eligible product and returns its name. */
export async function selectFirstProduct(page: Page): Promise<string> {
  const products = page.getByRole('region', { name: 'Available Products', exact: true }).getByRole('listitem')
  const fit = products.filter({ has: page.getByText('Eligible', { exact: true }) }).first()
  const name = await fit.locator('strong').innerText()
  await fit.getByRole('button', { name: `Select ${name}` }).click()
  await expect(page.getByRole('heading', { name: 'Selected Products (1)', exact: true })).toBeVisible()
  return name
}

/** Types a keyword in the open sheet. */
export async function addKeyword(page: Page, keyword: string, bid: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Keyword', exact: true }).fill(keyword)
  await page.getByRole('textbox', { name: 'Bid', exact: true }).fill(bid)
  await page.getByRole('button', { name: 'Add keyword', exact: true }).click()
  await expect(page.getByLabel(`Bid for ${keyword}`)).toBeVisible()
}
