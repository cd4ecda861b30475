import { onlineManager } from '@tanstack/react-query'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { currentToasts } from '#client/ui/shell/toast-store.ts'
import {
  choose,
  dashboard,
  left,
  owed,
  region,
  scene,
  show,
  userWith,
  visa,
} from '../../../../tests/support/billing-pages.tsx'

test('the page shows the next charge with its parts, the fee with its formula, cards and invoices', async () => {
  show()
  const charge = await region('Next charge')
  expect(charge.getByText('Growth plan').nextElementSibling?.textContent).toBe('$99.00')
  expect(charge.getByText('Charged to').nextElementSibling?.textContent).toBe('Visa ending in 4242 ')
  const fee = await region('Ad spend fee so far')
  expect(fee.getByText('$25.00')).toBeTruthy()
  expect(fee.getByText('2.5% of the ad spend above $5,000 a month')).toBeTruthy()
  expect(fee.getByText('Expected for the whole month').nextElementSibling?.textContent).toBe('$61.50')
  const bars = (await region('Ad spend by advertising account')).getAllByRole('listitem')
  expect(bars.map(bar => bar.textContent)).toEqual([
    'Harbour · DE€4,500.00≈ $5,250.00 · 2.5% · fee $21.87',
    'Harbour · US$750.002.5% · fee $3.13',
    'Harbour · EGEGP 100.00No exchange rate for EGP, so it is not counted'.replace(' 100', '\u00a0100'),
  ])
  const cards = (await region('Cards')).getAllByRole('listitem')
  expect(cards.map(card => card.textContent)).toEqual([
    'Visa ending in 4242Expires 03/34Default',
    'Mastercard ending in 4444Expires 03/34Expires soon',
  ])
  const invoices = await region('Invoices')
  expect(invoices.getByRole('link', { name: 'TIDE-0001' }).getAttribute('href')).toBe('/subscription/invoices/in_1')
  expect(invoices.getByText('Paid')).toBeTruthy()
})

test('each month’s fee says where it went; what is due is charged on request, once for all', async () => {
  show()
  const months = await region('Ad spend fee by month')
  expect((await months.findAllByRole('listitem')).map(row => row.textContent)).toEqual([
    'November 2026Ad spend $6,000.00$25.00So far',
    'October 2026Ad spend $4,990.00$0.00Not closed yet',
    'September 2026Ad spend $5,010.00$0.25On the next invoice',
    'August 2026Ad spend $10,000.00 · corrected later by -$2.50$125.00Invoice',
  ])
  expect(months.getByRole('link', { name: 'Invoice' }).getAttribute('href')).toBe('/subscription/invoices/in_2')
  fireEvent.click(months.getByRole('button', { name: 'Charge what is due now' }))
  await waitFor(() =>
    expect(currentToasts().at(-1)).toMatchObject({
      title: 'Billing triggered',
      message: 'Ad spend billing has been triggered successfully.',
    }),
  )
  const message = 'There is nothing to charge yet: a month closes four days after its end.'
  scene.charged = { skipped: 'NOT_CLOSED', message, carriedForward: 0.25 }
  fireEvent.click(months.getByRole('button', { name: 'Charge what is due now' }))
  await waitFor(() => expect(currentToasts().at(-1)).toMatchObject({ title: 'Billing triggered', message }))
  scene.refusals['POST /subscriptions/trigger-billing'] = { status: 500, errorCode: 'INTERNAL', message: '' }
  fireEvent.click(months.getByRole('button', { name: 'Charge what is due now' }))
  await waitFor(() =>
    expect(currentToasts().at(-1)).toMatchObject({
      title: 'Billing trigger failed',
      message: 'Failed to trigger billing',
    }),
  )
})

test('fees that cannot be loaded say so', async () => {
  scene.refusals['GET /subscriptions/ad-spend-summary'] = { status: 500, errorCode: 'INTERNAL', message: '' }
  show()
  expect(await screen.findByText('The fees of earlier months could not be loaded')).toBeTruthy()
  expect(currentToasts().at(-1)).toMatchObject({
    title: 'Failed to load ad spend summary',
    message: 'Failed to fetch ad spend summary',
  })
})

test('a fee of which nothing is known yet is no amount', async () => {
  const { fee } = dashboard
  scene.dashboard = {
    ...dashboard,
    fee: fee && { ...fee, fee: 0, spend: 0, taxableSpend: 0, figuresTo: null, profiles: [] },
  }
  show()
  const shown = await region('Ad spend fee so far')
  expect(shown.getByText('Not known yet')).toBeTruthy()
  expect(shown.queryByText('$0.00')).toBeNull()
})

test('without an answer of the provider the page says how old what it shows is, and offers no change of cards', async () => {
  scene.dashboard = { ...dashboard, isReachable: false }
  scene.cards = { ...scene.cards, isReachable: false }
  show()
  expect(await screen.findByText('The payment provider does not answer')).toBeTruthy()
  expect((await region('Next charge')).getByText('$99.00', { selector: '.metric-value *' })).toBeTruthy()
  expect((await region('Cards')).queryByRole('button', { name: /^Actions for/ })).toBeNull()
})

test('who is no owner learns that billing is the owner’s', async () => {
  const refusal = { status: 403, errorCode: 'FORBIDDEN', message: 'You do not have permission to do that.' }
  for (const name of ['dashboard', 'payment-methods', 'invoices']) scene.refusals[`GET /billing/${name}`] = refusal
  show()
  expect(await screen.findByText('Billing belongs to the owner')).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'Cards' })).toBeNull()
})

test('each part that fails says so and can be asked for again, the others stay', async () => {
  scene.refusals['GET /billing/dashboard'] = { status: 500, errorCode: 'INTERNAL', message: 'It broke.' }
  show()
  expect(await screen.findByText('What you pay could not be loaded')).toBeTruthy()
  expect((await region('Cards')).getByText('Visa ending in 4242')).toBeTruthy()
  scene.refusals = {}
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await region('Next charge')
})

test('a trial without a card, and an account without a plan, are charged nothing', async () => {
  scene.dashboard = {
    ...dashboard,
    status: 'trialing',
    trialEndDate: '2026-12-07T00:00:00.000Z',
    nextCharge: null,
    card: null,
    fee: null,
  }
  scene.cards = { ...scene.cards, cards: [] }
  scene.invoices = []
  show()
  expect(await screen.findByText(/free trial of Growth runs until Dec 7, 2026\. It ends without a charge/)).toBeTruthy()
  expect(await screen.findByText(/No card yet/)).toBeTruthy()
  expect(await screen.findByText(/No invoices yet/)).toBeTruthy()
  cleanup()
  scene.dashboard = { ...scene.dashboard, plan: null, status: null }
  show()
  expect(await screen.findByText('You have no plan yet, so nothing is charged.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Choose a plan' })).toBeTruthy()
})

test('a card that is made the default is then offered for what is owed', async () => {
  scene.dashboard = { ...dashboard, openInvoices: [owed] }
  const router = show()
  expect(await screen.findByText('Invoice TIDE-0002: $131.25 to pay')).toBeTruthy()
  fireEvent.click(await screen.findByRole('button', { name: 'Actions for Mastercard ending in 4444' }))
  await choose('Make default')
  await choose('Show the invoice')
  await waitFor(() => expect(router.state.location.pathname).toBe('/subscription/invoices/in_2'))
  expect(scene.sent).toContain('POST /billing/payment-methods/pm_master/set-default')
})

test('a card is removed only after a question, and the reason against it is shown', async () => {
  const name = 'DELETE /billing/payment-methods/pm_visa'
  scene.refusals[name] = { status: 422, errorCode: 'RULE_VIOLATED', message: 'It is your only one.' }
  show()
  fireEvent.click(await screen.findByRole('button', { name: 'Actions for Visa ending in 4242' }))
  await choose('Remove')
  await waitFor(() => expect(document.querySelector('ion-alert')).toBeTruthy())
  expect(scene.sent).not.toContain(name)
  await choose('Remove card')
  await waitFor(() =>
    expect(currentToasts()).toMatchObject([{ title: 'The card was not removed', message: 'It is your only one.' }]),
  )
})

test('an invoice shows spend, rate and percentage of each account, its PDF, and is paid with the default card', async () => {
  show('/subscription/invoices/in_2')
  const lines = await region('What it is for')
  expect(lines.getAllByRole('listitem')[0]?.textContent).toContain('Harbour · DE')
  expect(lines.getByText('Ad spend').nextElementSibling?.textContent).toBe('€4,500.00')
  expect(lines.getByText('Exchange rate').nextElementSibling?.textContent).toBe('1 EUR = 1.1667 USD')
  expect(lines.getByText('Percentage').nextElementSibling?.textContent).toBe('2.5%')
  fireEvent.click(screen.getByRole('button', { name: 'Open the PDF' }))
  await waitFor(() => expect(left).toEqual(['https://pay.test/in_2']))
  fireEvent.click(await screen.findByRole('button', { name: 'Pay with Visa ending in 4242' }))
  await choose('Pay')
  await screen.findByText('Paid')
  expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull()
})

test('an invoice of somebody else is not there', async () => {
  show('/subscription/invoices/in_9')
  expect(await screen.findByText('There is no such invoice')).toBeTruthy()
})

test('the return from the provider’s page says what became of the card', async () => {
  scene.saved = { status: 'SAVED', card: visa, openInvoices: [owed] }
  show('/subscription/billing/card?session=cs_1')
  expect(await screen.findByText('Visa ending in 4242 is saved')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Pay the open invoice' })).toBeTruthy()
  cleanup()
  scene.saved = { status: 'OPEN', card: null, openInvoices: [] }
  show('/subscription/billing/card?session=cs_2')
  expect(await screen.findByText('No card was saved')).toBeTruthy()
})

test('without network a page that was not opened before says so', async () => {
  act(() => onlineManager.setOnline(false))
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')))
  show('/subscription/invoices/in_2')
  expect(await screen.findByText(/not saved on this device/i)).toBeTruthy()
})

test.each(['/subscription/billing', '/subscription/billing/card?session=cs_1', '/subscription/invoices/in_2'])(
  'a viewer is led from %s to Home, and nothing of it is asked for',
  async address => {
    scene.user = userWith()
    const router = show(address)
    await waitFor(() => expect(router.state.location.pathname).toBe('/home'))
    expect(scene.sent).toEqual(['GET /user'])
  },
)
