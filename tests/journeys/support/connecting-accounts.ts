import { expect, type Page } from '@playwright/test'
import { heading } from './opening-an-account.ts'
import { newSeller } from './people.ts'

/** Goes from Connections to the seller console's consent page of North America. */
export const leaveForSellerConsent = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'Add a seller account' }).click()
  await expect(heading(page, 'Add a seller account')).toBeVisible()
  await page.getByRole('radio', { name: /North America/ }).check()
  await page.getByRole('button', { name: 'Continue to the seller console' }).click()
  await expect(heading(page, 'Authorize application')).toBeVisible()
}

/** Allows the seller account on the marketplace's page; ends on Connections. */
export const connectSeller = async (page: Page, { login, sellerId } = newSeller): Promise<void> => {
  await leaveForSellerConsent(page)
  await page.locator(`input[name=account][value="${login}|${sellerId}"]`).check()
  await page.getByRole('button', { name: 'Allow' }).click()
}

/** Goes from Connections to the advertising log-in's consent page. */
export const leaveForAdvertisingConsent = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'Add advertising accounts' }).click()
  await expect(heading(page, 'Add advertising accounts')).toBeVisible()
  await page.getByRole('radio', { name: /North America/ }).check()
  await page.getByRole('button', { name: 'Continue to sign in' }).click()
  await expect(heading(page, 'Sign in and allow access')).toBeVisible()
}

/** Allows the advertising accounts of a log-in; ends where the profiles are chosen. */
export const connectAdvertising = async (page: Page, login = newSeller.login): Promise<void> => {
  await leaveForAdvertisingConsent(page)
  await page.locator(`input[name=login][value="${login}"]`).check()
  await page.getByRole('button', { name: 'Allow' }).click()
}
