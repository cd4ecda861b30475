import { expect, type Page } from '@playwright/test'

/** Selects a date range on Home. */
export async function showDays(page: Page, from: string, to: string): Promise<void> {
  await page.getByLabel('Days shown').selectOption('other')
  await page.getByLabel('From', { exact: true }).fill(from)
  await page.getByLabel('To', { exact: true }).fill(to)
  await page.getByRole('button', { name: 'Show these days' }).click()
  await expect(page.getByLabel('From', { exact: true })).toBeHidden()
  await expect(page).toHaveURL(new RegExp(`from=${from}`))
  await expect(page).toHaveURL(new RegExp(`to=${to}`))
}

/** The full value of a card, as a screen reader reads it. */
export function cardValue(page: Page, label: string) {
  return page
    .locator('.metric')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('.metric-value')
}

/** Switches the marketplace in the sheet that the page header opens. */
export async function workIn(page: Page, marketplace: string): Promise<void> {
  await page.getByRole('button', { name: /^Merchant and marketplace/ }).click()
  await page.getByLabel('Marketplace', { exact: true }).selectOption({ label: marketplace })
  await expect(page.getByLabel('Marketplace', { exact: true })).toBeEnabled()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByLabel('Marketplace', { exact: true })).toBeHidden()
}
