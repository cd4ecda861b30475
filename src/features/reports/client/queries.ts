import { keepPreviousData, mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import { forOffline } from '#client/api/query-meta.ts'
import type { Shop } from '#features/accounts/client/public.ts'
import type { EndpointInput } from '#shared/define-endpoint.ts'
import { adminReportEndpoints as admin } from '../admin-contract.ts'
import { reportEndpoints as endpoints } from '../contract.ts'

export type ReportRequest = EndpointInput<typeof endpoints.create>['body']

const meta = { ...forOffline, silent: true } as const
export const usualSize = 20

export const reportQueries = {
  all: ['reports'] as const,
  list: (shop: Shop, page: number, query: string) =>
    queryOptions({
      queryKey: ['reports', 'list', shop, page, query],
      queryFn: ({ signal }) =>
        query
          ? call(endpoints.search, { query: { page, size: usualSize, query } }, { signal })
          : call(endpoints.list, { query: { page, size: usualSize } }, { signal }),
      placeholderData: keepPreviousData,
      meta,
    }),
  one: (shop: Shop, id: number) =>
    queryOptions({
      queryKey: ['reports', 'one', shop, id],
      queryFn: ({ signal }) => call(endpoints.one, { params: { id } }, { signal }),
      meta,
    }),
  schedules: (shop: Shop) =>
    queryOptions({
      queryKey: ['reports', 'schedules', shop],
      queryFn: ({ signal }) => call(endpoints.schedules, {}, { signal }),
      meta,
    }),
}

// Not persisted: these are other people's names and addresses.
export const adminReportQueries = {
  all: ['admin-reports'] as const,
  list: (page: number) =>
    queryOptions({
      queryKey: ['admin-reports', page],
      queryFn: ({ signal }) => call(admin.list, { query: { page, size: usualSize } }, { signal }),
      placeholderData: keepPreviousData,
      meta: { silent: true },
    }),
}

const change = <V, T>(
  client: QueryClient,
  errorTitle: string,
  mutationFn: (values: V) => Promise<T>,
  queryKey: readonly string[] = reportQueries.all,
) =>
  mutationOptions({
    mutationFn,
    onSuccess: () => client.invalidateQueries({ queryKey }),
    meta: { errorTitle },
  })
const ofOne = (id: number) => ({ params: { id } })

/** A request is sent again under its own key, so that a lost answer makes no second report. */
export const requestReport = (client: QueryClient) =>
  change(client, 'The report was not requested', ({ body, key }: { body: ReportRequest; key: string }) =>
    call(endpoints.create, { body }, { idempotencyKey: key }),
  )
export const requestAsinReport = (client: QueryClient) =>
  change(
    client,
    'The report was not requested',
    ({ body, key }: { body: EndpointInput<typeof admin.request>['body']; key: string }) =>
      call(admin.request, { body }, { idempotencyKey: key }),
    adminReportQueries.all,
  )
export const retryReport = (client: QueryClient) =>
  change(client, 'The report was not started again', (id: number) => call(endpoints.retry, ofOne(id)))
export const removeReport = (client: QueryClient) =>
  change(client, 'The report was not deleted', (id: number) => call(endpoints.remove, ofOne(id)))
export const restoreReport = (client: QueryClient) =>
  change(client, 'The report was not restored', (id: number) => call(endpoints.restore, ofOne(id)))
export const pauseSchedule = (client: QueryClient) =>
  change(client, 'The schedule was not changed', ({ id, isPaused }: { id: number; isPaused: boolean }) =>
    call(endpoints.updateSchedule, { ...ofOne(id), body: { isPaused } }),
  )
export const removeSchedule = (client: QueryClient) =>
  change(client, 'The schedule was not deleted', (id: number) => call(endpoints.removeSchedule, ofOne(id)))

/** The file of a report, for the system's share sheet. */
export async function fetchFile(id: number, name: string): Promise<File> {
  const { url } = await call(endpoints.downloadUrl, ofOne(id))
  const { pathname, search } = new URL(url)
  const response = await fetch(pathname + search)
  if (!response.ok) throw new Error('The file could not be loaded.')
  return new File([await response.blob()], name, { type: response.headers.get('content-type') ?? '' })
}
