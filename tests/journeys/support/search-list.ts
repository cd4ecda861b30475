import type { Page } from '@playwright/test'

/** Searches a list; on a phone a button in the header opens the search. */
export async function searchList(page: Page, label: string, text: string): Promise<void> {
  const field = page.getByLabel(label)
  const button = page.getByRole('button', { name: 'Search', exact: true })
  await field.or(button).first().waitFor()
  if (await button.isVisible()) await button.click()
  await field.fill(text)
}
