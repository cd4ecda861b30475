import { expect, type Page } from '@playwright/test'
import type { Processes } from '../../support/processes.ts'
import type { Person } from './people.ts'

/** The heading of the current page. */
export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

/** Fills in and submits the registration form. */
export async function register(page: Page, { product }: Processes, person: Person): Promise<void> {
  await page.goto(`${product.url}/register`)
  await page.getByLabel('First name').fill(person.firstName)
  await page.getByLabel('Last name').fill(person.lastName)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(heading(page, 'Check your inbox')).toBeVisible()
}

/** Opens the newest mail to this address and follows the link whose address contains `part`. */
export async function followMail(page: Page, { sandbox }: Processes, email: string, part: string): Promise<void> {
  const letter = page.getByRole('listitem').filter({ hasText: email }).first()
  await expect(async () => {
    await page.goto(`${sandbox.url}/mail`)
    await expect(letter).toBeVisible({ timeout: 500 })
  }).toPass()
  await letter.getByRole('link').click()
  await page.getByRole('listitem').getByRole('link', { name: part }).click()
}

/** Skips the questions that follow the first log-in. */
export async function skipSurvey(page: Page): Promise<void> {
  await expect(heading(page, 'Three questions to begin')).toBeVisible()
  await page.getByRole('button', { name: 'Skip' }).click()
}

/** Logs in through the form. */
export async function logIn(
  page: Page,
  { product }: Processes,
  person: Pick<Person, 'email' | 'password'>,
): Promise<void> {
  if (!page.url().endsWith('/login')) await page.goto(`${product.url}/login`)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Log in' }).click()
}
