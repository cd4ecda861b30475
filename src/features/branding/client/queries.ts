import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import { forOffline } from '#client/api/query-meta.ts'
import type { EndpointInput } from '#shared/define-endpoint.ts'
import { brandingEndpoints as endpoints } from '../contract.ts'

export type ProfileContent = EndpointInput<typeof endpoints.create>['body']

export const brandingQueries = {
  all: ['branding'] as const,
  list: () =>
    queryOptions({
      queryKey: ['branding', 'list'],
      queryFn: ({ signal }) => call(endpoints.list, {}, { signal }),
      meta: { ...forOffline, silent: true },
    }),
}

const change = <V, T>(client: QueryClient, errorTitle: string, mutationFn: (values: V) => Promise<T>) =>
  mutationOptions({
    mutationFn,
    onSuccess: () => client.invalidateQueries({ queryKey: brandingQueries.all }),
    meta: { errorTitle },
  })

export const saveProfile = (client: QueryClient) =>
  change(client, 'The profile was not saved', ({ id, body }: { id: number | null; body: ProfileContent }) =>
    id === null ? call(endpoints.create, { body }) : call(endpoints.update, { params: { id }, body }),
  )
export const deleteProfile = (client: QueryClient) =>
  change(client, 'The profile was not deleted', (id: number) => call(endpoints.remove, { params: { id } }))
export const setDefault = (client: QueryClient) =>
  change(client, 'The default was not changed', (id: number | null) => call(endpoints.setDefault, { body: { id } }))
export const uploadLogo = (client: QueryClient) =>
  change(client, 'The logo was not uploaded', ({ id, file }: { id: number; file: File }) =>
    call(endpoints.uploadLogo, { params: { id }, upload: file }, { timeoutMs: 60_000 }),
  )
