import { onlineManager } from '@tanstack/react-query'
import { act, cleanup, configure, screen } from '@testing-library/react'
import { setupIonicReact } from '@ionic/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { showRoutes } from '../../../../tests/support/show-routes.tsx'
import { signInAs } from '../../../../tests/support/test-edit.ts'
import type { CheckoutStatus } from '../contract.ts'
import { subscriptionDashboardRoutes } from './routes.tsx'

setupIonicReact()
// The page asks every three seconds.
configure({ asyncUtilTimeout: 15_000 })

const open: CheckoutStatus = { status: 'open', paymentStatus: 'unpaid', subscriptionStatus: null }
const paid: CheckoutStatus = { status: 'complete', paymentStatus: 'paid', subscriptionStatus: 'active' }
let answers: (CheckoutStatus | 404 | 503)[]
let calls: string[]

beforeEach(() => {
  signInAs('1')
  calls = []
  vi.stubGlobal('fetch', (url: string) => {
    if (!onlineManager.isOnline()) return Promise.reject(new TypeError('offline'))
    calls.push(url)
    const [answer] = answers.length > 1 ? answers.splice(0, 1) : answers
    if (typeof answer === 'object') return Promise.resolve(Response.json(answer))
    const errorCode = answer === 404 ? 'NOT_FOUND' : 'UPSTREAM_UNAVAILABLE'
    return Promise.resolve(Response.json({ errorCode, message: 'No.' }, { status: answer ?? 503 }))
  })
})
afterEach(() => {
  cleanup()
  act(() => onlineManager.setOnline(true))
  vi.unstubAllGlobals()
})

const openPage = (): Promise<void> =>
  act(() => showRoutes(subscriptionDashboardRoutes, '/subscription/checkout?session=cs_test_1').load())

test('the page waits until the payment is settled, and says each time where it is', async () => {
  answers = [open, { ...paid, subscriptionStatus: 'incomplete' }, paid]
  await openPage()
  await screen.findByText('The payment is not finished')
  await screen.findByText('Your payment is on its way')
  await screen.findByText('Thank you, your payment has arrived')
  expect(calls.filter(url => url === '/api/checkout/session/cs_test_1')).toHaveLength(3)
})

test.each<[string, CheckoutStatus | 404, string]>([
  ['an expired checkout', { ...open, status: 'expired' }, 'The payment was not finished in time'],
  ['a trial', { ...paid, paymentStatus: 'no_payment_required', subscriptionStatus: 'trialing' }, 'Your card is saved'],
  ['a second subscription', { ...paid, subscriptionStatus: 'canceled' }, 'This subscription has ended'],
  ['what is not the user’s own', 404, 'There is no such payment'],
])('of %s it says what happened', async (_name, answer, text) => {
  answers = [answer]
  await openPage()
  await screen.findByText(text)
})

test('without network it does not leave the user in doubt, and goes on once there is one', async () => {
  answers = [paid]
  onlineManager.setOnline(false)
  await openPage()
  await screen.findByText(/Nobody is charged twice/)
  act(() => onlineManager.setOnline(true))
  await screen.findByText('Thank you, your payment has arrived')
})
