import type { Page } from '@playwright/test'
import { openAs } from './support/open-as.ts'
import { enterCard, paymentCards as card } from './support/payment-page.ts'
import { newPerson } from './support/people.ts'
import { control } from './support/sandbox-control.ts'
import { connectSeller, startTrial, verifiedPerson } from './support/seeded-person.ts'
import { expect, test } from './support/watched-test.ts'
import { worldOfFile } from './support/world.ts'

const world = worldOfFile({ scenario: 'new-seller', followsClock: true })
test.beforeEach(({ viewport }) => test.skip((viewport?.width ?? 0) >= 768, 'the same at any size'))

const shown = (page: Page, text: RegExp | string) => expect(page.getByText(text).first()).toBeVisible()
const pass = (advance: string) => control(world.now.sandbox, 'clock', { advance })

test('a trial is paid with a card that needs authentication, a failed renewal a day late, and its affiliate earns', async ({
  page,
  faults,
}) => {
  // A moved clock ends the page's event stream.
  faults.allow(/ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET/)
  const { url } = world.now.product
  const affiliate = await verifiedPerson(world.now)
  const { code } = await affiliate.call<{ code: string }>('GET', '/affiliate')
  const person = await verifiedPerson(world.now, Object.assign(newPerson(), { affiliateCode: code }))
  await connectSeller(person)
  await startTrial(person)

  await test.step('the card is saved after its bank asked, and charged when the trial ends', async () => {
    await openAs(page, world.now, person, '/subscription')
    await page.getByRole('button', { name: 'Subscribe to Starter' }).click()
    await enterCard(page, card.needsAuthentication, /Subscribe|Start trial/)
    await page.getByRole('button', { name: 'Complete' }).click()
    await shown(page, 'Your card is saved')
    await pass('P14DT2H')
    await expect(async () => {
      await page.goto(`${url}/subscription`)
      await expect(page.getByText(/It renews on/)).toBeVisible({ timeout: 5000 })
    }).toPass()
  })

  await test.step('a renewal fails with another card, and is paid a day later', async () => {
    await page.goto(`${url}/subscription/billing`)
    await page.getByRole('button', { name: 'Add a card' }).click()
    await enterCard(page, card.failsLater, /Save card/)
    await shown(page, /0341 is saved/)
    const { cards } = await person.call<{ cards: { id: string; last4: string }[] }>('GET', '/billing/payment-methods')
    const failing = cards.find(one => one.last4 === '0341')
    await person.call('POST', `/billing/payment-methods/${failing?.id}/set-default`)
    await pass('P31DT2H')
    await expect(async () => {
      await page.goto(`${url}/subscription`)
      await expect(page.getByText(/The last payment failed\. Pay by/)).toBeVisible({ timeout: 5000 })
    }).toPass()
    await pass('P1D')
    await page.goto(`${url}/subscription/billing`)
    await page.getByRole('button', { name: 'Add a card' }).click()
    await enterCard(page, card.good, /Save card/)
    await shown(page, /4242 is saved/)
    await page.goto(`${url}/subscription/billing`)
    await page.getByRole('button', { name: /4242/ }).click()
    await page.getByRole('button', { name: 'Make default' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Show the invoice' }).click()
    await page.getByRole('button', { name: /^Pay with Visa/ }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Pay', exact: true }).click()
    await shown(page, 'Thank you, the invoice is paid')
    await page.goto(`${url}/subscription`)
    await shown(page, /It renews on/)
  })

  await test.step('it ends at once', async () => {
    await page.getByRole('button', { name: 'Cancel subscription' }).click()
    await page.getByRole('button', { name: 'Immediately' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel subscription' }).click()
    await shown(page, 'Subscription has been canceled immediately')
  })

  await test.step('the affiliate has a payable and a pending commission', async () => {
    await expect
      .poll(() =>
        affiliate
          .call<{ commissions: { state: string; amount: number }[] }>('GET', '/affiliate')
          .then(({ commissions }) => commissions.map(({ state, amount }) => `${state} ${amount}`)),
      )
      .toEqual(['PENDING 5.8', 'PAYABLE 5.8'])
  })
})
