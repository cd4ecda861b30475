import type { Page } from '@playwright/test'

/** Cards of the emulated payment provider. */
export const paymentCards = {
  good: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  needsAuthentication: '4000 0025 0000 3155',
  failsLater: '4000 0000 0000 0341',
}

/** Fills in the payment provider's form. */
export async function enterCard(page: Page, number: string, button: RegExp): Promise<void> {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiry').fill('12 / 39')
  await page.getByLabel('CVC').fill('123')
  await page.getByRole('button', { name: button }).click()
}
