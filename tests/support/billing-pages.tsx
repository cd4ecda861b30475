import { onlineManager } from '@tanstack/react-query'
import { act, cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { setupIonicReact } from '@ionic/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { queryClient } from '#client/api/query-client.ts'
import { currentToasts, dismissToast } from '#client/ui/shell/toast-store.ts'
import { showRoutes } from './show-routes.tsx'
import { signInAs } from './test-edit.ts'
import type {
  BillingDashboard,
  Invoice,
  InvoiceDetail,
  PaymentCard,
  PaymentMethods,
} from '#features/billing/contract.ts'
import type { AdSpendSummary } from '#features/billing/fee-contract.ts'
import { billingRoutes } from '#features/billing/client/routes.tsx'

// The pages of billing, with a server that holds what a test gives it.

setupIonicReact()
configure({ asyncUtilTimeout: 5000 })

export const visa: PaymentCard = {
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
export const owed: InvoiceDetail = {
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
export const dashboard: BillingDashboard = {
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

const month = { isWhole: true, invoiceId: null, corrections: 0, taxableSpend: 0 } as const
export const feeByMonth: AdSpendSummary = {
  fromDate: '2025-12-01',
  toDate: '2026-11-30',
  currency: 'USD',
  spend: 26_000,
  includedSpend: 20_000,
  taxableSpend: 6000,
  percentage: 2.5,
  fee: 150,
  isFinal: false,
  lines: [],
  months: [
    { ...month, month: '2026-07', state: 'OPEN', spend: 0, fee: 0 },
    { ...month, month: '2026-08', state: 'INVOICED', invoiceId: 'in_2', spend: 10_000, fee: 125, corrections: -2.5 },
    { ...month, month: '2026-09', state: 'CARRIED', spend: 5010, fee: 0.25 },
    { ...month, month: '2026-10', state: 'OPEN', spend: 4990, fee: 0 },
    { ...month, month: '2026-11', state: 'OPEN', spend: 6000, fee: 25 },
  ],
}

/** The answer of GET /user to somebody with these authorities. */
export const userWith = (...authorities: string[]) => ({
  id: 7,
  email: 'mara@people.test',
  firstName: 'Mara',
  lastName: 'Lind',
  accountType: 'SELLER',
  locale: 'en-US',
  timezone: 'UTC',
  dateCreated: '2026-01-01T00:00:00.000Z',
  dateUpdated: '2026-01-01T00:00:00.000Z',
  amazonProfiles: [],
  roles: [{ id: 1, name: 'ROLE', authorities: authorities.map(name => ({ id: 1, name, description: '' })) }],
})

interface Scene {
  user: object
  dashboard: BillingDashboard
  feeByMonth: AdSpendSummary
  /** What the server answers to a wish to charge what is due. */
  charged: object
  cards: PaymentMethods
  invoices: Invoice[]
  details: Record<string, InvoiceDetail>
  /** By path: what the server refuses. */
  refusals: Record<string, { status: number; errorCode: string; message: string }>
  sent: string[]
  saved: object
}
export let scene: Scene
export let left: string[]

const answers: [pattern: RegExp, answer: (id: string) => unknown][] = [
  [/^GET \/user$/, () => scene.user],
  [/^GET \/billing\/dashboard$/, () => scene.dashboard],
  [/^GET \/billing\/payment-methods$/, () => scene.cards],
  [/^GET \/subscriptions\/ad-spend-summary$/, () => scene.feeByMonth],
  [/^POST \/subscriptions\/trigger-billing$/, () => scene.charged],
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
  // Guards ask the app's own cache.
  queryClient.clear()
  scene = {
    user: userWith('ACCOUNT_MANAGER'),
    dashboard,
    feeByMonth,
    charged: { invoiceId: 'in_2' },
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

export const show = (address = '/subscription/billing') => showRoutes(billingRoutes, address)
export const region = async (name: string) => within(await screen.findByRole('region', { name }))
/** The buttons of the newest dialog or sheet of Ionic's. */
export async function choose(label: string): Promise<void> {
  const button = await waitFor(() => {
    const all = [...document.querySelectorAll('ion-alert button, ion-action-sheet button')]
    const found = all.filter(one => one.textContent?.trim() === label).at(-1)
    if (!found) throw new Error(`no button ${label}`)
    return found
  })
  fireEvent.click(button)
}
