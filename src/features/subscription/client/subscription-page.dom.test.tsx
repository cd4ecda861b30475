import { cleanup, screen } from '@testing-library/react'
import { setupIonicReact } from '@ionic/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { showRoutes } from '../../../../tests/support/show-routes.tsx'
import { signInAs } from '../../../../tests/support/test-edit.ts'
import { userWith } from '../../../../tests/support/billing-pages.tsx'
import { queryClient } from '#client/api/query-client.ts'
import { currentSubscriptionPath } from '../paths.ts'
import { subscriptionDashboardRoutes } from './routes.tsx'

setupIonicReact()

const plan = {
  id: 2,
  name: 'Growth',
  type: 'GROWTH',
  basePrice: 99,
  minimumTaxablePrice: 5000,
  adSpendPercentage: 2.5,
  maxMerchants: null,
  maxProfiles: null,
  maxSpend: null,
  currency: 'USD',
  trialDays: 14,
  stripePriceId: null,
}
let authorities: string[]
beforeEach(() => {
  queryClient.clear()
  signInAs('7')
  vi.stubGlobal('fetch', async (path: string) => {
    if (path === '/api/user') return Response.json(userWith(...authorities))
    if (path === '/api/subscriptions/plans') return Response.json([plan])
    if (path === '/api/events') return new Response(new ReadableStream())
    const status = path === `/api${currentSubscriptionPath}` ? 404 : 500
    return Response.json({ errorCode: 'NOT_FOUND', message: 'None.', details: [], requestId: '' }, { status })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const buttons = () => screen.queryAllByRole('button').map(button => button.textContent)

test('who manages the account chooses a plan; a viewer sees the plans, and who can choose one', async () => {
  authorities = ['ACCOUNT_MANAGER']
  showRoutes(subscriptionDashboardRoutes, '/subscription')
  await screen.findByRole('button', { name: 'Subscribe to Growth' })
  expect(buttons()).toContain('Start 14 days free with Growth')
  cleanup()
  authorities = []
  showRoutes(subscriptionDashboardRoutes, '/subscription')
  expect(await screen.findByText(/The owner of the merchant chooses its plan and pays for it\./)).toBeTruthy()
  expect(screen.getByText('Growth')).toBeTruthy()
  expect(buttons().filter(name => /Growth/.test(name ?? ''))).toEqual([])
})
