import type { Page } from '@playwright/test'
import type { Processes } from '../../support/processes.ts'
import type { Person } from './people.ts'
import { sessionOf } from './seeded-person.ts'

const icon = '/icon.svg'

declare global {
  var tidelineScreenCopy: boolean | undefined
}

/** Opens a page as this person, without the log-in form, and waits for the app: what is shown before it cannot be used. */
export async function openAs(
  page: Page,
  world: Processes,
  person: Pick<Person, 'email' | 'password'>,
  path = '/home',
): Promise<void> {
  const { accessToken, refreshToken } = await sessionOf(world, person)
  // Local storage needs a document of the same origin; the icon is the smallest.
  await page.goto(world.product.url + icon)
  await page.evaluate(tokens => localStorage.setItem('tideline.session', JSON.stringify(tokens)), {
    accessToken,
    refreshToken,
  })
  await page.goto(world.product.url + path)
  if (path !== icon) await page.waitForFunction(() => globalThis.tidelineScreenCopy === false)
}
