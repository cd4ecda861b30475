import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import { forOffline } from '#client/api/query-meta.ts'
import { clientsEndpoints } from '../clients-contract.ts'
import { invitationEndpoints, type InviteInput, teamEndpoints } from '../contract.ts'

export const teamQueries = {
  team: () =>
    queryOptions({
      queryKey: ['team'],
      queryFn: ({ signal }) => call(teamEndpoints.team, {}, { signal }),
      meta: { ...forOffline, silent: true },
    }),
  clients: () =>
    queryOptions({
      queryKey: ['clients'],
      queryFn: ({ signal }) => call(clientsEndpoints.list, {}, { signal }),
      meta: { ...forOffline, silent: true },
    }),
  invitation: (token: string) =>
    queryOptions({
      queryKey: ['invitation', token],
      queryFn: ({ signal }) => call(invitationEndpoints.open, { body: { token } }, { signal }),
      retry: false,
      networkMode: 'always',
      meta: { silent: true },
    }),
}

const refresh = (client: QueryClient) => client.invalidateQueries({ queryKey: teamQueries.team().queryKey })

/** The form shows itself why it failed. */
export const invite = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (body: InviteInput) => call(teamEndpoints.invite, { body }),
    onSuccess: () => refresh(client),
    meta: { silent: true },
  })

const ofInvitation = (
  client: QueryClient,
  endpoint: typeof teamEndpoints.resend | typeof teamEndpoints.revoke | typeof teamEndpoints.restore,
  errorTitle: string,
) =>
  mutationOptions({
    mutationFn: (id: number) => call(endpoint, { params: { id } }),
    onSettled: () => refresh(client),
    meta: { errorTitle },
  })

export const resend = (client: QueryClient) =>
  ofInvitation(client, teamEndpoints.resend, 'The invitation was not resent')
export const revoke = (client: QueryClient) =>
  ofInvitation(client, teamEndpoints.revoke, 'The invitation was not revoked')
export const restore = (client: QueryClient) =>
  ofInvitation(client, teamEndpoints.restore, 'The invitation was not restored')

export const removeMember = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (params: { merchantId: number; accountId: number }) => call(teamEndpoints.removeMember, { params }),
    onSettled: () => refresh(client),
    meta: { errorTitle: 'The access was not removed' },
  })
