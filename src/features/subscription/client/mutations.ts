import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { type Subscription, subscriptionEndpoints } from '../contract.ts'
import { subscriptionQueries } from './queries.ts'

const remember = (client: QueryClient, subscription: Subscription): void =>
  void client.setQueryData(subscriptionQueries.current().queryKey, subscription)

export function startTrial(client: QueryClient) {
  return mutationOptions({
    mutationFn: (planId: number) => call(subscriptionEndpoints.startTrial, { body: { planId } }),
    onSuccess: subscription => remember(client, subscription),
    meta: { errorTitle: 'The plan could not be chosen' },
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
