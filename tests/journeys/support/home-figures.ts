import { expect, type Page } from '@playwright/test'

/** Chooses days of Home by its picker. */
export const showDays = async (page: Page, from: string, to: string): Promise<void> => {
  await page.getByLabel('Days shown').selectOption('other')
  await page.getByLabel('From', { exact: true }).fill(from)
  await page.getByLabel('To', { exact: true }).fill(to)
  await page.getByRole('button', { name: 'Show these days' }).click()
  await expect(page.getByLabel('From', { exact: true })).toBeHidden()
  await expect(page).toHaveURL(new RegExp(`from=${from}`))
  await expect(page).toHaveURL(new RegExp(`to=${to}`))
}

/** The value of a card in full, as a screen reader reads it. */
export const cardValue = (page: Page, label: string) =>
  page
    .locator('.metric')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('.metric-value')

/** Changes the marketplace in the sheet that the page's head opens. */
export const workIn = async (page: Page, marketplace: string): Promise<void> => {
  await page.getByRole('button', { name: /^Merchant and marketplace/ }).click()
  await page.getByLabel('Marketplace', { exact: true }).selectOption({ label: marketplace })
  await expect(page.getByLabel('Marketplace', { exact: true })).toBeEnabled()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByLabel('Marketplace', { exact: true })).toBeHidden()
}
