import type { Page } from '@playwright/test'
import { heading } from './support/account-forms.ts'
import { agencyInEurope } from './support/agency-at-marketplace.ts'
import { expectAccessible } from './support/expect-accessible.ts'
import { openAs } from './support/open-as.ts'
import { enterCard, paymentCards } from './support/payment-page.ts'
import { connectSeller, verifiedPerson } from './support/seeded-person.ts'
import { expect, test } from './support/watched-test.ts'

const payOnPage = (page: Page, number: string) => enterCard(page, number, /Subscribe/)
const shown = (page: Page, text: RegExp | string) => expect(page.getByText(text).first()).toBeVisible()

test('a plan is bought with a second card, changed after its preview, canceled and kept @layout', async ({
  page,
  world,
  faults,
}) => {
  const person = await verifiedPerson(world)
  await connectSeller(person, agencyInEurope)
  // The provider's page answers a declined card so.
  faults.allow(/402/)
  await openAs(page, world, person, '/subscription')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Subscribe to Growth' }).click()
  await payOnPage(page, paymentCards.declined)
  await shown(page, 'Your card was declined.')
  await payOnPage(page, paymentCards.good)
  await expect(heading(page, 'Your payment')).toBeVisible()
  await shown(page, 'Thank you, your payment has arrived')
  await page.reload()
  await shown(page, 'Thank you, your payment has arrived')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'See your subscription' }).click()
  await shown(page, /It renews on/)

  await page.getByRole('button', { name: 'Change to Agency' }).click()
  await shown(page, 'Charged now')
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Change and pay \$\d/ }).click()
  await shown(page, 'You are on Agency now')

  await page.getByRole('button', { name: 'Cancel subscription' }).click()
  await page.getByRole('button', { name: 'At the end of the period' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel subscription' }).click()
  await shown(page, 'Subscription will be canceled at the end of the current period')
  await page.getByRole('button', { name: 'Keep the subscription' }).click()
  await shown(page, 'Subscription resumed')
  await shown(page, /It renews on/)
})
