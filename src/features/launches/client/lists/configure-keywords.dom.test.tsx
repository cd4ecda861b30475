import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useReducer } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { createQueryClient } from '#client/api/query-client.ts'
import { stubLayout } from '../../../../../tests/support/stub-layout.ts'
import { currentToasts } from '#client/ui/shell/toast-store.ts'
import { marketplaces } from '#shared/marketplaces.ts'
import { freshWizard } from '../../draft/wizard-state.ts'
import { ListEditor } from './list-editors.tsx'
import { wizardQueries } from '../wizard/queries.ts'
import { wizardReducer } from '../wizard/wizard-reducer.ts'

afterEach(cleanup)

const asin = 'B0TESTASIN'
const recommended = {
  keyword: 'yoga mat',
  matchType: 'EXACT',
  bid: 1.2,
  lowBid: 0.8,
  medianBid: 1.2,
  highBid: 2,
  currency: 'USD',
  why: 'Middle of the range.',
} as const

function Keywords({ asins }: { asins: string[] }) {
  const [state, dispatch] = useReducer(wizardReducer, {
    ...freshWizard('GUIDED'),
    template: 'SINGLE_PRODUCT_CAMPAIGN_FUNNEL',
    products: [{ asin, sku: 'S-1', title: 'Mat', imageUrl: null }],
    strategy: 'NORMAL',
    keywordMatchType: 'EXACT',
  })
  const market = marketplaces.find(m => m.key === 'US')
  return (
    market && (
      <ListEditor kind="KEYWORDS" state={state} dispatch={dispatch} market={market} listKey={asin} asins={asins} />
    )
  )
}
function show(asins = [asin]) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  client.setQueryData(wizardQueries.keywords([asin], 'NORMAL', 'EXACT').queryKey, [recommended])
  render(
    <QueryClientProvider client={client}>
      <Keywords asins={asins} />
    </QueryClientProvider>,
  )
}
function enter(text: string, bid: string) {
  fireEvent.change(screen.getByLabelText('Keyword'), { target: { value: text } })
  fireEvent.change(screen.getByLabelText('Bid'), { target: { value: bid } })
}
const addButton = () => screen.getByText<HTMLButtonElement>('Add keyword')

it('takes a recommendation once, with its bid, and shows low, median and high', () => {
  show()
  expect(screen.getByText('Low $0.80 · median $1.20 · high $2.00')).toBeTruthy()
  expect(screen.getByText(/Middle of the range\./).textContent).toBe('Bid $1.20. Middle of the range.')
  fireEvent.click(screen.getByLabelText('Add yoga mat, Exact'))
  expect(screen.getByText('Chosen keywords (1)')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Bid for yoga mat, Exact').value).toBe('1.20')
  const again = screen.getByLabelText('yoga mat, Exact, is added')
  expect(again.getAttribute('aria-disabled')).toBe('true')
  fireEvent.click(again)
  expect(screen.getByText('Chosen keywords (1)')).toBeTruthy()
})
it('adds nothing without a bid, nor the same text and match type twice', () => {
  show()
  expect(screen.getByText<HTMLButtonElement>('Add keywords').disabled).toBe(true)
  expect(addButton().disabled).toBe(true)
  enter('Yoga Mat', '')
  expect(addButton().disabled).toBe(true)
  enter('Yoga Mat', '0.5')
  fireEvent.click(addButton())
  expect(screen.getByText('Chosen keywords (1)')).toBeTruthy()
  enter('yoga  mat', '0.6')
  expect(screen.getByText('“yoga mat” is already in the list as exact match.')).toBeTruthy()
  expect(addButton().disabled).toBe(true)
})
it('explains the marketplace’s limits of texts and bids', () => {
  show()
  enter('one two three four five six seven eight nine ten eleven', '0.01')
  expect(screen.getByText('A keyword has at most 10 words')).toBeTruthy()
  expect(screen.getByText('The bid must be between 0.02 and 1000 USD')).toBeTruthy()
})
const undo = () => act(() => currentToasts().at(-1)?.action?.onSelect())
it('removes a keyword, leaves the focus at the list, and takes it back with its bid', () => {
  show()
  fireEvent.click(screen.getByText('Add all'))
  fireEvent.click(screen.getByLabelText('Remove yoga mat, Exact'))
  expect(document.activeElement?.textContent).toBe('Chosen keywords (0)')
  expect(currentToasts().at(-1)?.title).toBe('“yoga mat” removed')
  undo()
  expect(screen.getByLabelText<HTMLInputElement>('Bid for yoga mat, Exact').value).toBe('1.20')
  expect(screen.queryByText(/^Undo: /)).toBeNull()
})
it('offers Undo beside the list as well, since a sheet keeps the focus from the notification', () => {
  show()
  fireEvent.click(screen.getByText('Add all'))
  fireEvent.click(screen.getByLabelText('Remove yoga mat, Exact'))
  const here = screen.getByText('Undo: “yoga mat” removed')
  expect(document.activeElement?.nextElementSibling).toBe(here)
  fireEvent.click(here)
  expect(screen.getByText('Chosen keywords (1)')).toBeTruthy()
  expect(currentToasts().some(one => one.title === '“yoga mat” removed')).toBe(false)
})
it('removes all, and takes all back in their order; what came by the dozen goes by one Undo too', () => {
  show()
  fireEvent.change(screen.getByLabelText('Bid'), { target: { value: '0.9' } })
  fireEvent.change(screen.getByLabelText('Keywords'), { target: { value: 'steel flask, travel mug, tea pot' } })
  fireEvent.click(screen.getByText('Add 3 keywords'))
  const names = () => screen.getAllByLabelText(/^Bid for /).map(field => field.getAttribute('name'))
  const three = ['bid steel flask', 'bid travel mug', 'bid tea pot']
  expect(names()).toEqual(three)
  const added = currentToasts().at(-1)
  expect(added?.title).toBe('3 keywords added')
  fireEvent.click(screen.getByText('Remove all'))
  expect(screen.getByText('Chosen keywords (0)')).toBeTruthy()
  undo()
  expect(names()).toEqual(three)
  act(() => added?.action?.onSelect())
  expect(screen.getByText('Chosen keywords (0)')).toBeTruthy()
})
it('tells in one sentence that pasted rows have no bid', async () => {
  show()
  fireEvent.change(screen.getByLabelText('Keywords'), { target: { value: 'steel flask\ntravel mug\t0.5\ntea pot' } })
  expect(await screen.findByText('2 rows have no bid: enter one above for all rows without a bid.')).toBeTruthy()
  expect(screen.queryByLabelText('Rows that cannot be added')).toBeNull()
  expect(screen.getByText('Add 1 keyword')).toBeTruthy()
})
it('draws a thousand keywords no further than they are in sight', () => {
  stubLayout({ listPx: 500, rowPx: 100 })
  show()
  fireEvent.change(screen.getByLabelText('Bid'), { target: { value: '0.9' } })
  const many = Array.from({ length: 1000 }, (_, i) => `mat ${i}`).join('\n')
  fireEvent.change(screen.getByLabelText('Keywords'), { target: { value: many } })
  fireEvent.click(screen.getByText('Add 1000 keywords'))
  expect(screen.getByText('Chosen keywords (1000)')).toBeTruthy()
  const rows = screen.getAllByLabelText(/^Bid for mat/)
  expect(rows.length).toBeLessThanOrEqual(20)
  expect(rows[0]?.closest('li')?.getAttribute('aria-setsize')).toBe('1000')
  enter('one more', '0.5')
  expect(screen.getByText('The list holds at most 1000')).toBeTruthy()
  expect(addButton().disabled).toBe(true)
  vi.restoreAllMocks()
})
it('takes a pasted list, says which rows it rejects and why, and leaves those to be corrected', async () => {
  show()
  fireEvent.change(screen.getByLabelText('Bid'), { target: { value: '0.9' } })
  const box = screen.getByLabelText<HTMLTextAreaElement>('Keywords')
  fireEvent.change(box, { target: { value: `steel flask\nSteel  Flask\n${'x'.repeat(81)}\ntravel mug\tphrase\t1.10` } })
  expect(await screen.findByText('2 of 4 can be added.')).toBeTruthy()
  expect(screen.getByText('“Steel Flask” is already in the list and will be merged.')).toBeTruthy()
  expect(screen.getByText(/A keyword has at most 80 characters/)).toBeTruthy()
  fireEvent.click(screen.getByText('Add 2 keywords'))
  expect(screen.getByText('Chosen keywords (2)')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Bid for travel mug, Phrase').value).toBe('1.10')
  expect(screen.getByLabelText<HTMLInputElement>('Bid for steel flask, Exact').value).toBe('0.90')
  expect(box.value.split('\n')).toHaveLength(1)
})
it('refuses characters that the marketplace takes in no keyword, typed and pasted', async () => {
  show()
  enter('a*b?', '0.5')
  expect(screen.getByText('The marketplace accepts no * ? in keywords: remove it')).toBeTruthy()
  expect(addButton().hasAttribute('disabled')).toBe(true)
  fireEvent.change(screen.getByLabelText('Keywords'), { target: { value: 'a*b?\nsteel mug' } })
  expect(await screen.findByText('1 of 2 can be added.')).toBeTruthy()
})
it('changes all bids at once, and takes it back', () => {
  show()
  fireEvent.click(screen.getByText('Add all'))
  enter('steel flask', '0.5')
  fireEvent.click(addButton())
  fireEvent.change(screen.getByLabelText('Change by percent (minus lowers)'), { target: { value: '10' } })
  fireEvent.click(screen.getByText('Change all'))
  const bids = () =>
    ['yoga mat', 'steel flask'].map(k => screen.getByLabelText<HTMLInputElement>(`Bid for ${k}, Exact`).value)
  expect(bids()).toEqual(['1.32', '0.55'])
  fireEvent.click(screen.getByText('High'))
  expect(bids()).toEqual(['2.00', '0.55'])
  act(() => currentToasts().at(-1)?.action?.onSelect())
  expect(bids()).toEqual(['1.32', '0.55'])
})
it('tells that the recommendations failed, in a notification and in their place, with a way to try again', async () => {
  const refusal = { errorCode: 'UPSTREAM_FAILED', message: 'The marketplace refused.', details: [], requestId: 'r' }
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(refusal, { status: 409 })))
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Keywords asins={[asin]} />
    </QueryClientProvider>,
  )
  expect(document.querySelectorAll('.skeleton-shape')).toHaveLength(5)
  expect(await screen.findByText('Fetch failed')).toBeTruthy()
  expect(currentToasts().at(-1)).toMatchObject({ title: 'Fetch failed', message: 'The marketplace refused.' })
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json([recommended])))
  fireEvent.click(screen.getByText('Try again'))
  expect(await screen.findByLabelText('Add yoga mat, Exact')).toBeTruthy()
  vi.unstubAllGlobals()
})
it('asks for recommendations of at most 50 products, which is what the marketplace takes', async () => {
  const requests: { asins: string[] }[] = []
  vi.stubGlobal('fetch', (_: string, init: { body: string }) => {
    requests.push(JSON.parse(init.body) as { asins: string[] })
    return Promise.resolve(Response.json([recommended]))
  })
  const asins = Array.from({ length: 60 }, (_, i) => `B0TEST${String(i).padStart(4, '0')}`)
  show(asins)
  expect(await screen.findByLabelText('Add yoga mat, Exact')).toBeTruthy()
  expect(requests.map(body => body.asins)).toEqual([asins.slice(0, 50)])
  vi.unstubAllGlobals()
})
