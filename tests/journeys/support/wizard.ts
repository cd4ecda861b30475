import { expect, type Page } from '@playwright/test'

export const templates = {
  funnel: 'Single product campaign funnel',
  keywords: 'Single product keyword campaign',
  multiKeywords: 'Multi product ad group keyword campaign',
} as const

/** The heading of the sheet that can be used: not of one below it, nor of the next, which is drawn ahead. */
export const sheet = (page: Page, title: string) =>
  page.locator('.sheet-card:not([inert]), .sheet-column-card').getByRole('heading', { name: title, exact: true })

/** Opens the wizard by its button. */
export const openWizard = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'New', exact: true }).click()
  await expect(sheet(page, 'Template')).toBeVisible()
}

/** Opens the wizard and throws away the draft that an earlier story may have left. */
export const openWizardAnew = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'New', exact: true }).click()
  const anew = page.getByRole('button', { name: 'Start anew' })
  await expect(sheet(page, 'Template').or(anew)).toBeVisible()
  if (await anew.isVisible()) {
    await anew.click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Start anew' }).click()
  }
  await expect(sheet(page, 'Template')).toBeVisible()
}

/** Goes on with the draft that is offered; ends on the sheet where it was left. */
export const goOnWithDraft = async (page: Page, name: string, title: string): Promise<void> => {
  await page.getByRole('button', { name: `Go on with “${name}”` }).click()
  await expect(sheet(page, title)).toBeVisible()
}

/** Turns the setup mode to guided; the segment's words lie over its radio button. */
export const guideMe = async (page: Page): Promise<void> => {
  await page.getByText('Guided', { exact: true }).first().click()
  await expect(page.getByRole('radio', { name: 'Guided' }).first()).toBeChecked()
}

/** Presses Continue and waits for the sheet that rises. */
export const goOn = async (page: Page, next: string): Promise<void> => {
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(sheet(page, next)).toBeVisible()
}

export const chooseTemplate = async (page: Page, template: string): Promise<void> => {
  await page.getByRole('radio', { name: new RegExp(`^${template}`) }).check()
  await goOn(page, 'Strategy')
}

export const chooseStrategy = async (page: Page, strategy: 'Passive' | 'Balanced' | 'Growth'): Promise<void> => {
  await page.getByRole('radio', { name: new RegExp(`^${strategy}`) }).check()
  await goOn(page, 'Campaign Settings')
}

export interface Details {
  name: string
  budget: string
  acos: string
}

/** Name, budget and target ACOS; stays on the sheet. */
export const fillDetails = async (page: Page, { name, budget, acos }: Details): Promise<void> => {
  await page.getByRole('textbox', { name: 'Campaign name' }).fill(name)
  await page.getByRole('textbox', { name: 'Budget' }).fill(budget)
  await page.getByRole('textbox', { name: 'Target ACOS' }).fill(acos)
}

/** Selects the first product that may be advertised; answers its name. */
export const selectFirstProduct = async (page: Page): Promise<string> => {
  const products = page.getByRole('region', { name: 'Available Products', exact: true }).getByRole('listitem')
  const fit = products.filter({ has: page.getByText('Eligible', { exact: true }) }).first()
  const name = await fit.locator('strong').innerText()
  await fit.getByRole('button', { name: `Select ${name}` }).click()
  await expect(page.getByRole('heading', { name: 'Selected Products (1)', exact: true })).toBeVisible()
  return name
}

/** Adds a keyword by hand in the sheet that is open. */
export const addKeyword = async (page: Page, keyword: string, bid: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'Keyword', exact: true }).fill(keyword)
  await page.getByRole('textbox', { name: 'Bid', exact: true }).fill(bid)
  await page.getByRole('button', { name: 'Add keyword', exact: true }).click()
  await expect(page.getByLabel(`Bid for ${keyword}`)).toBeVisible()
}
