import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import { ApiError } from '#client/api/api-error.ts'
import { call } from '#client/api/call.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { type PlanChange, type Subscription, subscriptionEndpoints } from '../contract.ts'
import { subscriptionQueries } from './queries.ts'

const remember = (client: QueryClient, subscription: Subscription): void =>
  void client.setQueryData(subscriptionQueries.current().queryKey, subscription)
const lookAgain = (client: QueryClient): void =>
  void client.invalidateQueries({ queryKey: subscriptionQueries.current().queryKey })
const isConflict = (error: unknown): boolean => error instanceof ApiError && error.code === 'CONFLICT'

export function startTrial(client: QueryClient) {
  return mutationOptions({
    mutationFn: (planId: number) => call(subscriptionEndpoints.startTrial, { body: { planId } }),
    onSuccess: subscription => remember(client, subscription),
    meta: { errorTitle: 'The plan could not be chosen' },
  })
}

/** Leads to the provider's page where a plan is bought. */
export function startCheckout(client: QueryClient) {
  return mutationOptions({
    mutationFn: async (planId: number) =>
      location.assign((await call(subscriptionEndpoints.startCheckout, { body: { planId } })).url),
    // It may be paid already, on another device.
    onError: error => isConflict(error) && lookAgain(client),
    meta: { errorTitle: 'The payment could not be started' },
  })
}

/** Leads to the provider's page where the open invoice is paid. */
export function payOpenInvoice(client: QueryClient) {
  return mutationOptions({
    mutationFn: async () => location.assign((await call(subscriptionEndpoints.paymentUrl, {})).url),
    onError: error => isConflict(error) && lookAgain(client),
    meta: { errorTitle: 'The invoice could not be opened' },
  })
}

export function cancelSubscription(client: QueryClient) {
  return mutationOptions({
    mutationFn: (cancelAtPeriodEnd: boolean) => call(subscriptionEndpoints.cancel, { query: { cancelAtPeriodEnd } }),
    onSuccess: (subscription, cancelAtPeriodEnd) => {
      remember(client, subscription)
      toast({
        title: 'Subscription canceled',
        message: cancelAtPeriodEnd
          ? 'Subscription will be canceled at the end of the current period'
          : 'Subscription has been canceled immediately',
        tone: 'success',
      })
    },
    meta: { errorTitle: 'Cancellation failed', errorDefault: 'Failed to cancel subscription' },
  })
}

export function resumeSubscription(client: QueryClient) {
  return mutationOptions({
    mutationFn: () => call(subscriptionEndpoints.resume, {}),
    onSuccess: subscription => {
      remember(client, subscription)
      toast({ title: 'Subscription resumed', message: 'It no longer ends by itself.', tone: 'success' })
    },
    meta: { errorTitle: 'The subscription could not be resumed' },
  })
}

export function changePlan(client: QueryClient) {
  return mutationOptions({
    mutationFn: ({ planId, amountDue, prorationDate }: PlanChange) =>
      call(subscriptionEndpoints.changePlan, { body: { planId, amountDue, prorationDate } }),
    onSuccess: subscription => {
      remember(client, subscription)
      toast({ title: `You are on ${subscription.planName} now`, tone: 'success' })
    },
    onError: (_error, { planId }) => void client.invalidateQueries(subscriptionQueries.planChange(planId)),
    meta: { errorTitle: 'The plan was not changed' },
  })
}
