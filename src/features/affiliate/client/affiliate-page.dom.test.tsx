import { setupIonicReact } from '@ionic/react'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { currentToasts, dismissToast } from '#client/ui/shell/toast-store.ts'
import { showRoutes } from '../../../../tests/support/show-routes.tsx'
import type { Affiliate } from '../contract.ts'
import { affiliateRoutes } from './routes.tsx'

setupIonicReact()
afterEach(() => {
  cleanup()
  for (const { id } of currentToasts()) dismissToast(id)
  vi.unstubAllGlobals()
})

const link = 'https://tideline.example/register?affiliate=HRBRPLMXTW'
const nothing: Affiliate = {
  code: 'HRBRPLMXTW',
  link,
  terms: { percent: 20, months: 12, holdDays: 30 },
  referralCount: 0,
  commissionCount: 0,
  referrals: [],
  commissions: [],
  totals: [],
}
const commission = {
  name: 'm•••@p•••.test',
  amount: 19.8,
  currency: 'USD',
  invoicePaidDate: '2026-11-01T12:00:00.000Z',
  payableDate: '2026-12-01T12:00:00.000Z',
  paidOutDate: null,
}

async function open(answer: Affiliate, device: object = {}) {
  vi.stubGlobal('fetch', async () => Response.json(answer))
  vi.stubGlobal('navigator', { onLine: true, ...device })
  showRoutes(affiliateRoutes, '/affiliate')
  await screen.findByLabelText('Link to the registration')
}
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

it('who has no referral sees the link and its terms, and no sums', async () => {
  await open(nothing)
  expect(screen.getByLabelText<HTMLInputElement>('Link to the registration').value).toBe(link)
  expect(screen.getByText(/You earn 20% of what .* for 12 months .* 30 days after the payment/)).toBeTruthy()
  expect(screen.getByText('Nobody has registered with your link yet')).toBeTruthy()
  expect(screen.queryByText('Payable')).toBeNull()
  expect(screen.queryByRole('button')).toBeNull()
})

it('the link is copied, and shared where the device can; a closed share sheet is no failure', async () => {
  const writeText = vi.fn(() => Promise.resolve())
  const share = vi.fn(() => Promise.reject(new DOMException('closed', 'AbortError')))
  await open(nothing, { clipboard: { writeText }, share })
  press('Share')
  await waitFor(() => expect(share).toHaveBeenCalledWith(expect.objectContaining({ url: link })))
  expect(writeText).not.toHaveBeenCalled()
  press('Copy link')
  await waitFor(() => expect(currentToasts().map(one => one.title)).toEqual(['Link copied']))
  expect(writeText).toHaveBeenCalledExactlyOnceWith(link)
})

it('a device that rejects the copy says how to copy by hand', async () => {
  await open(nothing, { clipboard: { writeText: () => Promise.reject(new Error('no permission')) } })
  press('Copy link')
  expect(await screen.findByText('The link could not be copied. Select it and copy it by hand.')).toBeTruthy()
  expect(currentToasts()).toEqual([])
})

it('each commission says its state and when it is payable, and each referral until when it earns', async () => {
  await open({
    ...nothing,
    referralCount: 150,
    commissionCount: 4,
    referrals: [
      {
        name: 'm•••@p•••.test',
        registeredDate: '2026-10-20T12:00:00.000Z',
        firstPaidDate: '2026-11-01T12:00:00.000Z',
        earnsUntilDate: '2027-11-01T12:00:00.000Z',
      },
      { name: 'k•••@o•••.test', registeredDate: '2026-10-21T12:00:00.000Z', firstPaidDate: null, earnsUntilDate: null },
    ],
    commissions: [
      { ...commission, state: 'PENDING' },
      { ...commission, state: 'PAYABLE' },
      { ...commission, state: 'PAID', paidOutDate: '2026-12-05T12:00:00.000Z' },
      { ...commission, state: 'REVERSED' },
    ],
    totals: [{ currency: 'USD', pending: 19.8, payable: -5.8, paid: 39.6 }],
  })
  for (const sentence of [
    'Payment of Nov 1, 2026. Payable on Dec 1, 2026.',
    'Payment of Nov 1, 2026. Payable since Dec 1, 2026.',
    'Payment of Nov 1, 2026. Paid out on Dec 5, 2026.',
    'Payment of Nov 1, 2026. The payment was returned.',
    'Registered on Oct 20, 2026. First payment on Nov 1, 2026; you earn until Nov 1, 2027.',
    'Registered on Oct 21, 2026. No payment yet.',
    'These are the newest 2.',
    '$39.60',
    '-$5.80',
  ])
    expect(screen.getByText(sentence)).toBeTruthy()
})
