import { keepPreviousData, mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { useEffect } from 'react'
import { toast } from '#client/ui/shell/toast-store.ts'
import { call } from '#client/api/call.ts'
import { useEvents } from '#client/api/events.ts'
import { forOffline } from '#client/api/query-meta.ts'
import { addDays } from '#shared/time.ts'
import { billingEndpoints as endpoints } from '../contract.ts'
import { feeEndpoints } from '../fee-contract.ts'
import { webhookEndpoints } from '../webhook-contract.ts'

// The screen shows the failure itself. It is refreshed on coming back, for payments are made on pages of the provider.
const meta = { ...forOffline, figures: true, silent: true } as const
const all = ['billing']

export const usualSize = 10

export const billingQueries = {
  all,
  dashboard: () =>
    queryOptions({
      queryKey: [...all, 'dashboard'],
      queryFn: ({ signal }) => call(endpoints.dashboard, {}, { signal }),
      meta,
    }),
  invoices: (page: number) =>
    queryOptions({
      queryKey: [...all, 'invoices', page],
      queryFn: ({ signal }) => call(endpoints.invoices, { query: { page, size: usualSize } }, { signal }),
      placeholderData: keepPreviousData,
      meta,
    }),
  invoice: (id: string) =>
    queryOptions({
      queryKey: [...all, 'invoice', id],
      queryFn: ({ signal }) => call(endpoints.invoice, { params: { id } }, { signal }),
      meta,
    }),
  cards: () =>
    queryOptions({
      queryKey: [...all, 'payment-methods'],
      queryFn: ({ signal }) => call(endpoints.paymentMethods, {}, { signal }),
      meta,
    }),
  /** The fee of the last twelve months, of which the newest ends with this day. */
  feeByMonth: (toDate: string) =>
    queryOptions({
      queryKey: [...all, 'fee-by-month', toDate],
      queryFn: ({ signal }) => {
        const fromDate = `${addDays(toDate, -335).slice(0, 7)}-01`
        return call(feeEndpoints.summary, { query: { fromDate, toDate } }, { signal })
      },
      meta: {
        ...forOffline,
        figures: true,
        errorTitle: 'Failed to load ad spend summary',
        errorDefault: 'Failed to fetch ad spend summary',
      },
    }),
  /** The payment that failed, for the banner on every page. */
  problem: () =>
    queryOptions({
      queryKey: [...all, 'problem'],
      queryFn: ({ signal }) => call(webhookEndpoints.problem, {}, { signal }),
      meta: { ...forOffline, silent: true },
    }),
  /** What became of a visit to the page that saves a card. */
  savedCard: (sessionId: string) =>
    queryOptions({
      queryKey: ['billing-return', sessionId],
      queryFn: () => call(endpoints.settleCard, { params: { sessionId } }),
      meta: { silent: true },
    }),
}

/** Everything about money, and the guard's question: an invoice that is paid can bring the access back. */
export async function refreshBilling(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: all }),
    client.invalidateQueries({ queryKey: ['subscription', 'current'] }),
  ])
}

// In an installed app the provider's page lies over this one, which goes on when that page is closed.
let hasLeft = false

function leaveTo({ url }: { url: string }): void {
  hasLeft = true
  location.assign(url)
}

/** Asks again for what is shown when something was paid or changed elsewhere, or the user is back from the provider's page. */
export function useFreshBilling(client: QueryClient): void {
  const refresh = (): void => void refreshBilling(client)
  useEvents('/events', ({ event }) => (event === 'billing' || event === 'subscription') && refresh(), {
    onReconnect: refresh,
  })
  useEffect(() => {
    const onReturn = (): void => {
      if (!hasLeft || document.visibilityState !== 'visible') return
      hasLeft = false
      void refreshBilling(client)
    }
    document.addEventListener('visibilitychange', onReturn)
    addEventListener('pageshow', onReturn)
    return () => {
      document.removeEventListener('visibilitychange', onReturn)
      removeEventListener('pageshow', onReturn)
    }
  }, [client])
}

export const openPaymentPage = () =>
  mutationOptions({
    mutationFn: async (id: string) => leaveTo(await call(endpoints.paymentUrl, { params: { id } })),
    meta: { errorTitle: 'The payment page could not be opened' },
  })

export const openPdf = () =>
  mutationOptions({
    mutationFn: async (id: string) => leaveTo(await call(endpoints.pdfUrl, { params: { id } })),
    meta: { errorTitle: 'The PDF could not be opened' },
  })

export const openCardPage = () =>
  mutationOptions({
    mutationFn: async () => leaveTo(await call(endpoints.addCard, {})),
    meta: { errorTitle: 'The page for your card could not be opened' },
  })

export const payInvoice = (client: QueryClient) =>
  mutationOptions({
    // The bank may take its time, and a payment must not be given up on.
    mutationFn: ({ id, cardId }: { id: string; cardId: string }) =>
      call(endpoints.pay, { params: { id }, body: { cardId } }, { timeoutMs: 60_000 }),
    // Not with the button, which is gone as soon as the invoice is known to be paid.
    onSuccess: () => toast({ title: 'Thank you, the invoice is paid', tone: 'success' }),
    onSettled: () => refreshBilling(client),
    meta: { errorTitle: 'The invoice was not paid' },
  })

/** Charges the fee of closed months now instead of at the next hour. */
export const triggerBilling = (client: QueryClient) =>
  mutationOptions({
    mutationFn: () => call(feeEndpoints.trigger, {}),
    onSuccess: answer =>
      toast({
        title: 'Billing triggered',
        message: 'invoiceId' in answer ? 'Ad spend billing has been triggered successfully.' : answer.message,
        tone: 'success',
      }),
    onSettled: () => refreshBilling(client),
    meta: { errorTitle: 'Billing trigger failed', errorDefault: 'Failed to trigger billing' },
  })

export const setDefaultCard = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (id: string) => call(endpoints.setDefault, { params: { id } }),
    onSettled: () => refreshBilling(client),
    meta: { errorTitle: 'The default card was not changed' },
  })

export const removeCard = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (id: string) => call(endpoints.removeCard, { params: { id } }),
    onSettled: () => refreshBilling(client),
    meta: { errorTitle: 'The card was not removed' },
  })
