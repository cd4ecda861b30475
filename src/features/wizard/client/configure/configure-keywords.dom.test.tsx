import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useReducer } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { currentToasts } from '#client/ui/shell/toast-store.ts'
import { marketplaces } from '#shared/marketplaces.ts'
import { freshWizard } from '../../wizard-state.ts'
import { ConfigureKeywords } from './configure-keywords.tsx'
import { wizardQueries } from '../queries.ts'
import { wizardReducer } from '../state.ts'

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

const Keywords = ({ asins }: { asins: string[] }) => {
  const [state, dispatch] = useReducer(wizardReducer, {
    ...freshWizard('GUIDED'),
    strategy: 'NORMAL',
    keywordMatchType: 'EXACT',
  })
  const market = marketplaces.find(m => m.key === 'US')
  return market && <ConfigureKeywords state={state} dispatch={dispatch} market={market} listKey={asin} asins={asins} />
}
const show = (asins = [asin]) => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  client.setQueryData(wizardQueries.keywords([asin], 'NORMAL', 'EXACT').queryKey, [recommended])
  render(
    <QueryClientProvider client={client}>
      <Keywords asins={asins} />
    </QueryClientProvider>,
  )
}
const enter = (text: string, bid: string) => {
  fireEvent.change(screen.getByLabelText('Keyword'), { target: { value: text } })
  fireEvent.change(screen.getByLabelText('Bid'), { target: { value: bid } })
}
const addButton = () => screen.getByText<HTMLButtonElement>('Add keyword')

it('takes a recommendation once, with its bid, and shows low, median and high', () => {
  show()
  expect(screen.getByText('Low $0.80 · median $1.20 · high $2.00')).toBeTruthy()
  fireEvent.click(screen.getByLabelText('Add yoga mat'))
  expect(screen.getByText('Chosen keywords (1)')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Bid for yoga mat').value).toBe('1.2')
  expect(screen.getByLabelText<HTMLButtonElement>('yoga mat is added').disabled).toBe(true)
})
it('adds nothing without a bid, nor the same text and match type twice', () => {
  show()
  expect(addButton().disabled).toBe(true)
  enter('Yoga Mat', '')
  expect(addButton().disabled).toBe(true)
  enter('Yoga Mat', '0.5')
  fireEvent.click(addButton())
  expect(screen.getByText('Chosen keywords (1)')).toBeTruthy()
  enter('yoga  mat', '0.6')
  expect(screen.getByText('“yoga mat” is in the list already as exact match.')).toBeTruthy()
  expect(addButton().disabled).toBe(true)
})
it('explains the marketplace’s limits of texts and bids', () => {
  show()
  enter('one two three four five six seven eight nine ten eleven', '0.01')
  expect(screen.getByText('A keyword has at most 10 words')).toBeTruthy()
  expect(screen.getByText('The bid must be between 0.02 and 1000 USD')).toBeTruthy()
})
it('removes a keyword again', () => {
  show()
  fireEvent.click(screen.getByText('Add all'))
  fireEvent.click(screen.getByLabelText('Remove yoga mat'))
  expect(screen.getByText('Chosen keywords (0)')).toBeTruthy()
})
it('takes a pasted list, says which rows it cannot take and why, and keeps those to be mended', async () => {
  show()
  fireEvent.change(screen.getByLabelText('Bid'), { target: { value: '0.9' } })
  const box = screen.getByLabelText<HTMLTextAreaElement>('Keywords')
  fireEvent.change(box, { target: { value: `steel flask\nSteel  Flask\n${'x'.repeat(81)}\ntravel mug\tphrase\t1.10` } })
  expect(await screen.findByText('2 of 4 can be added.')).toBeTruthy()
  expect(screen.getByText(/It is in the list already/)).toBeTruthy()
  expect(screen.getByText(/A keyword has at most 80 characters/)).toBeTruthy()
  fireEvent.click(screen.getByText('Add 2 keywords'))
  expect(screen.getByText('Chosen keywords (2)')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Bid for travel mug').value).toBe('1.1')
  expect(screen.getByLabelText<HTMLInputElement>('Bid for steel flask').value).toBe('0.9')
  expect(box.value.split('\n')).toHaveLength(2)
})
it('changes all bids at once, and takes it back', () => {
  show()
  fireEvent.click(screen.getByText('Add all'))
  enter('steel flask', '0.5')
  fireEvent.click(addButton())
  fireEvent.change(screen.getByLabelText('Percent more, or less with a minus'), { target: { value: '10' } })
  fireEvent.click(screen.getByText('Change all'))
  const bids = () => ['yoga mat', 'steel flask'].map(k => screen.getByLabelText<HTMLInputElement>(`Bid for ${k}`).value)
  expect(bids()).toEqual(['1.32', '0.55'])
  fireEvent.click(screen.getByText('High'))
  expect(bids()).toEqual(['2', '0.55'])
  act(() => currentToasts().at(-1)?.action?.onSelect())
  expect(bids()).toEqual(['1.32', '0.55'])
})
it('asks for recommendations of at most 50 products, which is what the marketplace takes', async () => {
  const asked: { asins: string[] }[] = []
  vi.stubGlobal('fetch', (_: string, init: { body: string }) => {
    asked.push(JSON.parse(init.body) as { asins: string[] })
    return Promise.resolve(Response.json([recommended]))
  })
  const asins = Array.from({ length: 60 }, (_, i) => `B0TEST${String(i).padStart(4, '0')}`)
  show(asins)
  expect(await screen.findByLabelText('Add yoga mat')).toBeTruthy()
  expect(asked.map(body => body.asins)).toEqual([asins.slice(0, 50)])
  vi.unstubAllGlobals()
})
