import { mutationOptions } from '@tanstack/react-query'
import { userQueries } from '#features/auth/client/public.ts'
import { type UserChanges, userEndpoints } from '#features/auth/contract.ts'
import { call } from '#client/api/call.ts'
import { queryClient } from '#client/api/query-client.ts'

export function saveUser() {
  return mutationOptions({
    mutationFn: (body: UserChanges) => call(userEndpoints.update, { body }),
    onSuccess: user => void queryClient.setQueryData(userQueries.user().queryKey, user),
    meta: { errorTitle: 'Your settings were not saved' },
  })
}
