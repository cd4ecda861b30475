import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { authEndpoints, type UserChanges, userEndpoints } from '#features/auth/contract.ts'
import { call } from '#client/api/call.ts'
import { queryClient } from '#client/api/query-client.ts'
import { getSession, signOut } from '#client/api/session.ts'

export const settingsQueries = {
  user: () =>
    queryOptions({
      queryKey: ['user'],
      queryFn: ({ signal }) => call(userEndpoints.get, {}, { signal, shapeError: 'Invalid user response' }),
      meta: { errorTitle: 'Failed to fetch user' },
    }),
}

export const saveUser = () =>
  mutationOptions({
    mutationFn: (body: UserChanges) => call(userEndpoints.update, { body }),
    onSuccess: user => void queryClient.setQueryData(settingsQueries.user().queryKey, user),
    meta: { errorTitle: 'Your settings were not saved' },
  })

/** Ends the session at the server where it can be reached, and on this device in any case. */
export const logOut = () =>
  mutationOptions({
    mutationFn: async () => {
      const session = getSession()
      if (session)
        await call(authEndpoints.logout, { body: { refreshToken: session.refreshToken } }).catch(() => undefined)
      await signOut()
    },
  })
