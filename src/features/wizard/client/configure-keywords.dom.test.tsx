import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useReducer } from 'react'
import { afterEach, expect, it } from 'vitest'
import { marketplaces } from '#shared/marketplaces.ts'
import { freshWizard } from '../wizard-state.ts'
import { ConfigureKeywords } from './configure-keywords.tsx'
import { wizardQueries } from './queries.ts'
import { wizardReducer } from './state.ts'

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

const Keywords = () => {
  const [state, dispatch] = useReducer(wizardReducer, {
    ...freshWizard('GUIDED'),
    strategy: 'NORMAL',
    keywordMatchType: 'EXACT',
  })
  const market = marketplaces.find(m => m.key === 'US')
  return market && <ConfigureKeywords state={state} dispatch={dispatch} market={market} listKey={asin} asins={[asin]} />
}
const show = () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  client.setQueryData(wizardQueries.keywords([asin], 'NORMAL', 'EXACT').queryKey, [recommended])
  render(
    <QueryClientProvider client={client}>
      <Keywords />
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
