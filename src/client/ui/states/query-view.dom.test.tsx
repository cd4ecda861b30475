import { onlineManager, QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { cleanup, configure, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { ApiError, NetworkError } from '../../api/api-error.ts'
import { EmptyState } from './state-views.tsx'
import { QueryView, type QueryViewProps } from './query-view.tsx'

const refused = new ApiError(500, { errorCode: 'INTERNAL', message: 'Broken.', details: [], requestId: '' })
const forbidden = new ApiError(403, { errorCode: 'FORBIDDEN', message: 'Not yours.', details: [], requestId: '' })
const notFound = new ApiError(404, { errorCode: 'NOT_FOUND', message: 'None.', details: [], requestId: '' })
const refetch = vi.fn()
const client = new QueryClient()

function show(
  query: Partial<QueryViewProps<number[]>['query']>,
  views: { staleTitle?: string; failedTitle?: string; offline?: string; notFound?: string; fallback?: string } = {},
) {
  return render(
    <QueryClientProvider client={client}>
      <QueryView
        query={{ data: undefined, error: null, dataUpdatedAt: Date.now() - 7 * 60_000, refetch, ...query }}
        loading={{ rows: 2, label: 'Loading the rows' }}
        empty={rows => rows.length === 0 && <EmptyState title="No rows yet" />}
        {...views}
      >
        {rows => <p>{`Rows: ${rows.join(', ')}`}</p>}
      </QueryView>
    </QueryClientProvider>,
  )
}
const text = () => document.body.textContent

configure({ asyncUtilTimeout: 20_000 })
afterEach(() => {
  cleanup()
  onlineManager.setOnline(true)
  refetch.mockReset()
})

it('announces that it is loading until an answer arrives', () => {
  show({})
  expect(screen.getByText('Loading the rows')).toBeTruthy()
  expect(document.querySelectorAll('.skeleton-shape')).toHaveLength(2)
})

it('draws the data, and the empty state when there is none', () => {
  show({ data: [1, 2] })
  expect(text()).toBe('Rows: 1, 2')
  cleanup()
  show({ data: [] })
  expect(text()).toBe('No rows yet')
})

it('says what failed and tries again, with another way on where there is one', () => {
  show({ error: refused }, { failedTitle: 'The rows could not be loaded', fallback: 'To the first page' })
  expect(text()).toBe('The rows could not be loadedBroken.Try againTo the first page')
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(refetch).toHaveBeenCalledOnce()
})

it('tells what does not exist from what failed', () => {
  show({ error: notFound }, { notFound: 'There is no such row' })
  expect(text()).toBe('There is no such row')
  cleanup()
  show({ error: notFound })
  expect(text()).toContain('This could not be loaded')
})

it('says that nothing was saved while the device is offline', () => {
  onlineManager.setOnline(false)
  show({ error: new NetworkError(false, undefined) })
  expect(text()).toContain('Not saved on this device')
  cleanup()
  show({}, { offline: 'The rows need a connection', fallback: 'To the first page' })
  expect(text()).toBe('The rows need a connectionTo the first page')
})

it('keeps the last good data with its age when it cannot be refreshed', () => {
  show({ data: [1], error: refused }, { staleTitle: 'The latest rows could not be loaded' })
  expect(text()).toMatch(/^The latest rows could not be loaded Saved 7 min\.? agoTry againRows: 1$/)
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(refetch).toHaveBeenCalledOnce()
  cleanup()
  show({ data: [1], error: refused, isFetching: true })
  expect(text()).toMatch(/^This could not be refreshed Saved 7 min\.? agoTrying again…Rows: 1$/)
  cleanup()
  show({ data: [1], error: forbidden })
  expect(text()).toMatch(/^This could not be refreshed Not yours\. Saved/)
})

it('says after two seconds that it still tries, over the last good data too', async () => {
  show({ failureCount: 1, failureReason: refused })
  expect(text()).toBe('Loading the rows')
  expect(await screen.findByText('No answer yet. Tideline keeps trying.')).toBeTruthy()
  cleanup()
  show({ data: [1], failureCount: 1, failureReason: refused, isFetching: true })
  expect(text()).toBe('Rows: 1')
  expect(await screen.findByText(/could not be refreshed/)).toBeTruthy()
  cleanup()
  show({ data: [1], isPlaceholderData: true })
  expect(await screen.findByText(/Until then you see your previous choice/)).toBeTruthy()
  expect(text()).toContain('Rows: 1')
})

it('asks again at a tap for an answer that does not come', async () => {
  let requests = 0
  const Slow = ({ of }: { of: string }) => (
    <QueryView
      query={useQuery({
        queryKey: ['slow', of],
        // Only the second request is answered.
        queryFn: ({ signal }) =>
          (requests += 1) === 2 ? of : new Promise<string>((_, reject) => signal.addEventListener('abort', reject)),
      })}
      loading={{ label: 'Loading the rows' }}
    >
      {row => <p>{row}</p>}
    </QueryView>
  )
  render(
    <QueryClientProvider client={client}>
      <Slow of="tide" />
    </QueryClientProvider>,
  )
  fireEvent.click(await screen.findByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('tide')).toBeTruthy()
  expect(screen.queryByText(/Still loading/)).toBeNull()
})

it('draws saved data as it is while offline, and when only the next page failed', () => {
  show({ data: [1], error: refused, isFetchNextPageError: true })
  expect(text()).toBe('Rows: 1')
  cleanup()
  onlineManager.setOnline(false)
  show({ data: [1], error: refused })
  expect(text()).toBe('Rows: 1')
})
