import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '#client/api/query-client.ts'
import { signInAs } from '../../../../tests/support/test-edit.ts'
import type { PaymentProblem } from '../webhook-contract.ts'
import { PaymentBanner } from './payment-banner.tsx'

const problem: PaymentProblem = {
  invoiceId: 'in_1',
  number: 'TIDE-0002',
  amountDue: 99,
  currency: 'USD',
  accessUntil: new Date(Date.now() + 5 * 86_400_000).toISOString(),
}
const past = new Date(Date.now() - 86_400_000).toISOString()

function show(answer: { problem: PaymentProblem | null }) {
  const client = createQueryClient()
  vi.stubGlobal('fetch', (url: string) =>
    Promise.resolve(
      url.endsWith('/billing/payment-problem') ? Response.json(answer) : new Response(null, { status: 404 }),
    ),
  )
  signInAs('1')
  const root = createRootRoute({ component: PaymentBanner })
  const router = createRouter({ routeTree: root, history: createMemoryHistory() })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  return client
}

afterEach(cleanup)

test.each([
  ['in the days of grace', problem, /\$99\.00 failed\. Pay by .+ to keep your access\./],
  [
    'after them',
    { ...problem, accessUntil: past },
    /\$99\.00 failed\. Your access has ended; it returns when you pay\./,
  ],
  ['of a fee', { ...problem, amountDue: 12.5, accessUntil: null }, /^Your payment of \$12\.50 failed\.$/],
])('a failed payment %s says what to do, and leads there', async (_when, one, sentence) => {
  show({ problem: one })
  const banner = await screen.findByRole('complementary', { name: 'Payment problem' })
  expect(banner.querySelector('p')?.textContent).toMatch(sentence)
  expect(screen.getByRole('link', { name: 'Pay now' }).getAttribute('href')).toBe('/subscription/billing')
})

test('without a failed payment there is no banner', async () => {
  const client = show({ problem: null })
  await waitFor(() => expect(client.getQueryData(['billing', 'problem'])).toEqual({ problem: null }))
  expect(screen.queryByRole('complementary')).toBeNull()
})
