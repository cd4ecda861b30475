import { onlineManager, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { setupIonicReact } from '@ionic/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '#client/api/query-client.ts'
import { currentToasts, dismissToast } from '#client/ui/shell/toast-store.ts'
import { signInAs } from '../../../../tests/support/test-edit.ts'
import type { BillingDashboard, Invoice, InvoiceDetail, PaymentCard, PaymentMethods } from '../contract.ts'
import { billingRoutes } from './routes.tsx'

setupIonicReact()
configure({ asyncUtilTimeout: 5000 })

const visa: PaymentCard = {
  id: 'pm_visa',
  brand: 'visa',
  last4: '4242',
  expMonth: 3,
  expYear: 2034,
  expiry: 'VALID',
  isDefault: true,
}
const master: PaymentCard = {
  ...visa,
  id: 'pm_master',
  brand: 'mastercard',
  last4: '4444',
  expiry: 'SOON',
  isDefault: false,
}
const paid: Invoice = {
  id: 'in_1',
  number: 'TIDE-0001',
  status: 'paid',
  kind: 'PLAN',
  currency: 'USD',
  total: 99,
  amountRemaining: 0,
  periodStart: '2026-11-01T00:00:00.000Z',
  periodEnd: '2026-12-01T00:00:00.000Z',
  issuedAt: '2026-11-01T00:00:00.000Z',
  dueAt: null,
  paidAt: '2026-11-01T01:00:00.000Z',
  attemptCount: 1,
  nextAttemptAt: null,
}
const owed: InvoiceDetail = {
  ...paid,
  id: 'in_2',
  number: 'TIDE-0002',
  status: 'open',
  kind: 'AD_SPEND',
  total: 131.25,
  amountRemaining: 131.25,
  paidAt: null,
  nextAttemptAt: '2026-11-26T00:00:00.000Z',
  asOf: '2026-11-23T10:00:00.000Z',
  lines: [
    {
      description: 'Harbour, US: 2.5% of $5,250.00',
      amount: 131.25,
      quantity: 1,
      periodStart: '2026-10-01T00:00:00.000Z',
      periodEnd: '2026-10-31T00:00:00.000Z',
      fee: { name: 'Harbour', countryCode: 'DE', currency: 'EUR', spend: 4500, percentage: 2.5, rate: 1.1667 },
    },
  ],
}
const dashboard: BillingDashboard = {
  plan: {
    id: 2,
    name: 'Growth',
    basePrice: 99,
    minimumTaxablePrice: 5000,
    adSpendPercentage: 2.5,
    currency: 'USD',
  },
  status: 'active',
  trialEndDate: null,
  periodEndDate: '2026-12-01T00:00:00.000Z',
  cancelAtPeriodEnd: false,
  nextCharge: {
    at: '2026-12-01T01:00:00.000Z',
    currency: 'USD',
    total: 99,
    parts: [{ kind: 'PLAN', description: '1 × Growth (at $99.00 / month)', amount: 99 }],
  },
  fee: {
    from: '2026-11-01',
    to: '2026-11-30',
    closesOn: '2026-12-05',
    currency: 'USD',
    spend: 6000,
    taxableSpend: 1000,
    fee: 25,
    projectedFee: 61.5,
    figuresTo: '2026-11-22',
    unsettledFrom: '2026-11-20',
    formulas: ['2.5% of the ad spend above $5,000 a month'],
    profiles: [
      { name: 'Harbour', countryCode: 'US', currency: 'USD', spend: 750, converted: 750, percentage: 2.5, fee: 3.13 },
      {
        name: 'Harbour',
        countryCode: 'DE',
        currency: 'EUR',
        spend: 4500,
        converted: 5250,
        percentage: 2.5,
        fee: 21.87,
      },
      { name: 'Harbour', countryCode: 'EG', currency: 'EGP', spend: 100, converted: null, percentage: 2.5, fee: 0 },
    ],
  },
  card: visa,
  openInvoices: [],
  isReachable: true,
  asOf: '2026-11-23T10:00:00.000Z',
}

interface Scene {
  dashboard: BillingDashboard
  cards: PaymentMethods
  invoices: Invoice[]
  details: Record<string, InvoiceDetail>
  /** By path: what the server refuses. */
  refusals: Record<string, { status: number; errorCode: string; message: string }>
  sent: string[]
  saved: object
}
let scene: Scene
let left: string[]

const answers: [pattern: RegExp, answer: (id: string) => unknown][] = [
  [/^GET \/billing\/dashboard$/, () => scene.dashboard],
  [/^GET \/billing\/payment-methods$/, () => scene.cards],
  [
    /^GET \/billing\/invoices$/,
    () => ({
      content: scene.invoices,
      page: { size: 10, number: 0, totalElements: scene.invoices.length, totalPages: 1 },
    }),
  ],
  [/^GET \/billing\/invoices\/(\w+)$/, id => scene.details[id]],
  [/^GET \/billing\/invoices\/(\w+)\/(?:payment|pdf)-url$/, id => ({ url: `https://pay.test/${id}` })],
  [
    /^POST \/billing\/invoices\/(\w+)\/pay$/,
    id => {
      const invoice = scene.details[id]
      if (invoice) scene.details[id] = { ...invoice, status: 'paid', amountRemaining: 0 }
      return scene.details[id]
    },
  ],
  [
    /^POST \/billing\/payment-methods\/(\w+)\/set-default$/,
    id => {
      const cards = scene.cards.cards?.map(card => ({ ...card, isDefault: card.id === id })) ?? null
      scene.cards = { ...scene.cards, cards }
      return { ...scene.cards, openInvoices: scene.dashboard.openInvoices }
    },
  ],
  [/^POST \/billing\/payment-methods\/setup-intent\/\w+\/settle$/, () => scene.saved],
  [/^DELETE \/billing\/payment-methods\/(\w+)$/, () => scene.cards],
]

function answer(path: string, method: string): Response {
  const name = `${method} ${path.replace(/^\/api/, '').replace(/\?.*/, '')}`
  if (name === 'GET /events') return new Response(new ReadableStream())
  scene.sent.push(name)
  const refusal = scene.refusals[name]
  if (refusal) return Response.json({ ...refusal, details: [], requestId: '' }, { status: refusal.status })
  for (const [pattern, give] of answers) {
    const match = pattern.exec(name)
    const body = match && give(match[1] ?? '')
    if (body) return Response.json(body)
  }
  return Response.json({ errorCode: 'NOT_FOUND', message: 'Not here.', details: [], requestId: '' }, { status: 404 })
}

beforeEach(() => {
  left = []
  scene = {
    dashboard,
    cards: { cards: [visa, master], isCardNeeded: true, isReachable: true, asOf: '2026-11-23T10:00:00.000Z' },
    invoices: [paid],
    details: { in_2: owed },
    refusals: {},
    sent: [],
    saved: {},
  }
  localStorage.clear()
  signInAs('7')
  vi.stubGlobal('fetch', async (path: string, init: { method: string }) => answer(path, init.method))
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }))
  vi.spyOn(location, 'assign').mockImplementation(url => void left.push(String(url)))
})
afterEach(() => {
  cleanup()
  document.body.replaceChildren()
  act(() => onlineManager.setOnline(true))
  for (const { id } of currentToasts()) dismissToast(id)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

function show(address = '/subscription/billing') {
  const root = createRootRoute()
  const frame = createRoute({ getParentRoute: () => root, id: 'dashboard' })
  const router = createRouter({
    routeTree: root.addChildren([frame.addChildren([...billingRoutes(frame)])]),
    history: createMemoryHistory({ initialEntries: [address] }),
  })
  const client = createQueryClient()
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retry: false } })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  return router
}
const region = async (name: string) => within(await screen.findByRole('region', { name }))
/** The buttons of the newest dialog or sheet of Ionic's. */
async function choose(label: string): Promise<void> {
  const button = await waitFor(() => {
    const all = [...document.querySelectorAll('ion-alert button, ion-action-sheet button')]
    const found = all.findLast(one => one.textContent?.trim() === label)
    if (!found) throw new Error(`no button ${label}`)
    return found
  })
  fireEvent.click(button)
}

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
  expect(await screen.findByText(/not saved on this device/)).toBeTruthy()
})
