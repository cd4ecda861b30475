import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useReducer } from 'react'
import { afterEach, expect, it } from 'vitest'
import { currentToasts } from '#client/ui/shell/toast-store.ts'
import { marketplaceByKey } from '#shared/marketplaces.ts'
import { freshWizard } from '../../draft/wizard-state.ts'
import { wizardQueries } from '../wizard/queries.ts'
import { wizardReducer } from '../wizard/wizard-reducer.ts'
import { ListEditor } from './list-editors.tsx'

afterEach(cleanup)

const asin = 'B0TESTASIN'
const bids = { bid: 1.2, lowBid: 0.8, medianBid: 1.2, highBid: 2, currency: 'USD', why: 'Middle of the range.' }
const themes = [
  { theme: 'TOP_CONVERTING_TARGETS', description: 'They sell well beside yours.', asinBids: ['A', 'B', 'C'] },
  { theme: 'SIMILAR_ITEMS', description: null, asinBids: ['C', 'D'] },
].map(theme => ({
  ...theme,
  asinBids: theme.asinBids.map(letter => ({ asin: letter.repeat(10), isOwn: false, ...bids })),
}))
const categories = ['Mats', 'Rugs'].map((name, i) => ({
  categoryId: String(i + 1),
  name,
  path: `Home / ${name}`,
  isRelated: true,
  ...bids,
}))

function Configure({ kind }: { kind: 'CATEGORY' | 'PRODUCT' }) {
  const [state, dispatch] = useReducer(wizardReducer, {
    ...freshWizard('GUIDED'),
    template: 'SINGLE_PRODUCT_PRODUCT_TARGET_CAMPAIGN',
    products: [{ asin, sku: 'S-1', title: 'Mat', imageUrl: null }],
    strategy: 'NORMAL',
    productTargetType: kind,
  })
  const market = marketplaceByKey('US')
  if (!market) throw new Error('no marketplace US')
  const props = { state, dispatch, market, listKey: asin, asins: [asin] }
  return <ListEditor kind={kind === 'CATEGORY' ? 'CATEGORIES' : 'PRODUCT_TARGETS'} {...props} />
}
function show(kind: 'CATEGORY' | 'PRODUCT', own = '', unrelated = '') {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  client.setQueryData(
    wizardQueries.themes([asin], 'NORMAL').queryKey,
    themes.map(t => ({ ...t, asinBids: t.asinBids.map(r => ({ ...r, isOwn: r.asin === own })) })),
  )
  client.setQueryData(
    wizardQueries.categories([asin], 'NORMAL').queryKey,
    categories.map(c => ({ ...c, isRelated: c.name !== unrelated })),
  )
  render(
    <QueryClientProvider client={client}>
      <Configure kind={kind} />
    </QueryClientProvider>,
  )
}
const enter = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
const button = (text: string) => screen.getByText<HTMLButtonElement>(text)

it('takes a theme’s products that are not chosen yet, and gives them up by one Undo', () => {
  show('PRODUCT')
  expect(screen.getByText('They sell well beside yours.')).toBeTruthy()
  fireEvent.click(button('Add these 3'))
  expect(screen.getByText('Chosen product targets (3)')).toBeTruthy()
  expect(button('Add these 1')).toBeTruthy()
  fireEvent.click(button('Add these 1'))
  expect(screen.getByText('Chosen product targets (4)')).toBeTruthy()
  expect(screen.getAllByText('All added').length).toBe(3)
  act(() => currentToasts().at(-1)?.action?.onSelect())
  expect(screen.getByText('Chosen product targets (1)')).toBeTruthy()
})
it('takes a product target by hand: ten letters and digits, in upper case, once, with a bid', () => {
  show('PRODUCT')
  const add = button('Add product target')
  enter('ASIN', ' b0handmade ')
  expect(add.disabled).toBe(true)
  enter('Bid', '0.7')
  fireEvent.click(add)
  expect(screen.getByLabelText<HTMLInputElement>('Bid for B0HANDMADE, Product Exact').value).toBe('0.70')
  enter('ASIN', 'B0HANDMADE')
  expect(screen.getByText('“B0HANDMADE” is already in the list.')).toBeTruthy()
  expect(add.disabled).toBe(true)
  enter('ASIN', 'B0-SHORT')
  expect(screen.getByText('An ASIN has exactly 10 letters and digits')).toBeTruthy()
})
it('takes a pasted list of ASINs, and says which rows it cannot take and why', async () => {
  show('PRODUCT')
  enter('Bid', '0.7')
  enter('ASINs', 'B0AAAAAAAA\t0,90\nB0BBBBBBBB\nB0SHORT')
  expect(await screen.findByText('2 of 3 can be added.')).toBeTruthy()
  expect(screen.getByText(/An ASIN has exactly 10 letters and digits/)).toBeTruthy()
  fireEvent.click(button('Add 2 product targets'))
  expect(screen.getByLabelText<HTMLInputElement>('Bid for B0AAAAAAAA, Product Exact').value).toBe('0.90')
  expect(screen.getByLabelText<HTMLInputElement>('Bid for B0BBBBBBBB, Product Exact').value).toBe('0.70')
})
it('takes a category with a bid of one’s own, once', () => {
  show('CATEGORY')
  const add = button('Add category')
  enter('Category', '2')
  expect(add.disabled).toBe(true)
  enter('Bid', '0.01')
  expect(screen.getByText('The bid must be between 0.02 and 1000 USD')).toBeTruthy()
  enter('Bid', '0.6')
  fireEvent.click(add)
  expect(screen.getByLabelText<HTMLInputElement>('Bid for Rugs, Category').value).toBe('0.60')
  expect(screen.queryByRole('option', { name: 'Home / Rugs' })).toBeNull()
  expect(screen.getByLabelText('Home / Rugs, Category, is added').getAttribute('aria-disabled')).toBe('true')
})
it('marks the seller’s own products as a defence, and adds them only one by one', () => {
  show('PRODUCT', 'DDDDDDDDDD')
  fireEvent.click(button('Add all'))
  expect(screen.getByText('Chosen product targets (3)')).toBeTruthy()
  fireEvent.click(screen.getByLabelText(/^Add DDDDDDDDDD, Your own product, as a defence/))
  expect(screen.getByText('Chosen product targets (4)')).toBeTruthy()
})
it('leaves unrelated categories out of the recommended ones, says so, and lets one add them by hand', () => {
  show('CATEGORY', '', 'Rugs')
  expect(
    screen.getByText('Left out because they are not related to the product: Rugs. You can add them above.'),
  ).toBeTruthy()
  expect(screen.queryByLabelText(/^Add Home \/ Rugs/)).toBeNull()
  expect(screen.getByRole('option', { name: 'Home / Rugs' })).toBeTruthy()
  fireEvent.click(button('Add all'))
  expect(screen.getByText('Chosen categories (1)')).toBeTruthy()
})
