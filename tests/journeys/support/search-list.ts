import type { Page } from '@playwright/test'

/** Narrows a list by its search, which is behind a button of the header on a phone. */
export const searchList = async (page: Page, label: string, text: string): Promise<void> => {
  const field = page.getByLabel(label)
  const button = page.getByRole('button', { name: 'Search', exact: true })
  await field.or(button).first().waitFor()
  if (await button.isVisible()) await button.click()
  await field.fill(text)
}
