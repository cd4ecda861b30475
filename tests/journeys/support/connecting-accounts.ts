import { expect, type Page } from '@playwright/test'
import { heading } from './account-forms.ts'
import { sellerLogin } from './people.ts'

/** Goes from Connections to the consent page of sellers in North America. */
export async function leaveForSellerConsent(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Add a seller account' }).click()
  await expect(heading(page, 'Add a seller account')).toBeVisible()
  await page.getByRole('radio', { name: /North America/ }).check()
  await page.getByRole('button', { name: 'Continue to the seller console' }).click()
  await expect(heading(page, 'Authorize application')).toBeVisible()
}

/** Grants access to the seller account and returns to Connections. */
export async function connectSellerInBrowser(page: Page, { login, sellerId } = sellerLogin): Promise<void> {
  await leaveForSellerConsent(page)
  await page.locator(`input[name=account][value="${login}|${sellerId}"]`).check()
  await page.getByRole('button', { name: 'Allow' }).click()
}

/** Goes from Connections to the consent page for advertising accounts. */
export async function leaveForAdvertisingConsent(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Add advertising accounts' }).click()
  await expect(heading(page, 'Add advertising accounts')).toBeVisible()
  await page.getByRole('radio', { name: /North America/ }).check()
  await page.getByRole('button', { name: 'Continue to sign in' }).click()
  await expect(heading(page, 'Sign in and allow access')).toBeVisible()
}

/** Grants access to the advertising accounts of a log-in; ends at the choice of profiles. */
export async function connectAdvertising(page: Page, login = sellerLogin.login): Promise<void> {
  await leaveForAdvertisingConsent(page)
  await page.locator(`input[name=login][value="${login}"]`).check()
  await page.getByRole('button', { name: 'Allow' }).click()
}
