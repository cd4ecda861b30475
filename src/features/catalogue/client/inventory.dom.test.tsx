import { onlineManager, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createQueryClient } from '#client/api/query-client.ts'
import { setSession } from '#client/api/session.ts'
import { flushOutbox } from '#client/outbox/flush-outbox.ts'
import { waitingEdits } from '#client/outbox/outbox.ts'
import { setupIonic } from '#client/ui/ionic/setup-ionic.ts'
import { currentToasts, dismissToast } from '#client/ui/shell/toast-store.ts'
import type { InventoryProduct } from '../contract.ts'
import { sendWaitingCogs } from './mutations.ts'
import { catalogueRoutes } from './routes.tsx'

setupIonic()
// The first test also waits for the page's code.
configure({ asyncUtilTimeout: 5000 })

const mug: InventoryProduct = {
  productId: 7,
  asin: 'B000000007',
  sku: 'MUG-7',
  title: 'Blue mug',
  brand: 'Tidewater',
  category: 'Kitchen',
  customerPrice: 24.99,
  customerCurrency: 'USD',
  availability: 'IN_STOCK',
  bestSellerRank: 1234,
  imageUrl: 'https://pictures.test/mug.jpg',
  spEligibilityStatus: 'ELIGIBLE',
  spEligibilityMessage: null,
  fnsku: 'X007',
  condition: 'New',
  available: 120,
  reservedQuantity: 3,
  unfulfillableQuantity: 0,
  totalReservedQuantity: 3,
  pendingRemovalQuantity: null,
  inboundQuantity: 40,
  inboundWorking: 10,
  inboundShipped: 20,
  inboundReceived: 10,
  cogs: 4,
}
const bare: InventoryProduct = {
  ...mug,
  productId: 8,
  asin: null,
  sku: 'BARE-8',
  title: null,
  brand: null,
  customerPrice: null,
  bestSellerRank: null,
  imageUrl: null,
  spEligibilityStatus: null,
  available: null,
  reservedQuantity: null,
  unfulfillableQuantity: null,
  inboundQuantity: null,
  cogs: null,
}

let shelf: InventoryProduct[] = []
let total: number | undefined
let asked: URL[] = []
let put: URL[] = []
let inventoryAnswer: (() => Response | Promise<Response>) | undefined
let putAnswer: ((url: URL) => Response | Promise<Response>) | undefined

const refusal = (status: number, errorCode: string, message: string) =>
  Response.json({ errorCode, message, details: [], requestId: 'r' }, { status })
const merchant = {
  id: 5,
  name: 'Harbor Lane',
  accountType: 'SELLER',
  regionId: 1,
  regionName: 'North America',
  role: 'OWNER',
  connections: [],
  profiles: [],
}
const pageOf = (url: URL) => {
  const size = Number(url.searchParams.get('size'))
  const totalElements = total ?? shelf.length
  const page = {
    size,
    number: Number(url.searchParams.get('page')),
    totalElements,
    totalPages: Math.ceil(totalElements / size),
  }
  return Response.json({ content: shelf, page, asOf: '2026-11-20T10:00:00.000Z' })
}
const save = (url: URL): Response => {
  const id = Number(/\d+/.exec(url.pathname)?.[0])
  shelf = shelf.map(p => (p.productId === id ? { ...p, cogs: Number(url.searchParams.get('cogs')) } : p))
  return Response.json(shelf.find(p => p.productId === id))
}
const answer = (path: string, method: string): Response | Promise<Response> => {
  const url = new URL(path, 'https://tideline.test')
  if (method === 'PUT') {
    put.push(url)
    return putAnswer ? putAnswer(url) : save(url)
  }
  if (url.pathname === '/api/profile/current') return Response.json(merchant)
  if (url.pathname === '/api/profile/marketplaces/current')
    return Response.json({ id: 1, amazonId: 'ATVPDKIKX0DER', name: 'United States', key: 'US', currency: 'USD' })
  if (url.pathname !== '/api/inventory') return refusal(404, 'NOT_FOUND', 'none')
  asked.push(url)
  return inventoryAnswer ? inventoryAnswer() : pageOf(url)
}

beforeEach(() => {
  shelf = [mug, bare]
  total = undefined
  asked = []
  put = []
  inventoryAnswer = undefined
  putAnswer = undefined
  localStorage.clear()
  setSession({ accessToken: 'access', refreshToken: 'refresh' })
  vi.stubGlobal('fetch', async (path: string, init: { method: string }) => answer(path, init.method))
  // happy-dom's remove() calls the parent's removeChild, which Ionic's elements replace with one that calls remove().
  vi.spyOn(Element.prototype, 'remove').mockImplementation(function (this: Element) {
    if (this.parentNode) Node.prototype.removeChild.call(this.parentNode, this)
  })
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }))
})
afterEach(() => {
  cleanup()
  onlineManager.setOnline(true)
  for (const { id } of currentToasts()) dismissToast(id)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const open = (address = '/inventory') => {
  const root = createRootRoute()
  const dashboard = createRoute({ getParentRoute: () => root, id: 'dashboard' })
  const router = createRouter({
    routeTree: root.addChildren([dashboard.addChildren(catalogueRoutes(dashboard))]),
    history: createMemoryHistory({ initialEntries: [address] }),
  })
  const client = createQueryClient()
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retry: false } })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  return router
}
const wide = () =>
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: () => {}, removeEventListener: () => {} }))
const rowOf = async (name: string) => {
  const row = (await screen.findAllByText(name))[0]?.closest('li')
  if (!row) throw new Error(`${name} stands in no row`)
  return within(row)
}
const edit = async (cogs: string) => {
  fireEvent.click(await screen.findByLabelText('Edit COGS of Blue mug'))
  fireEvent.change(screen.getByLabelText('COGS', { selector: 'input' }), { target: { value: cogs } })
  fireEvent.submit(screen.getByRole('form', { name: 'COGS' }))
}

it('shows each product with its picture, ids, price, stock, cost and eligibility', async () => {
  open()
  const row = await rowOf('Blue mug')
  expect(row.getByAltText('Product shot: Blue mug').getAttribute('src')).toBe('https://pictures.test/mug.jpg')
  for (const text of ['B000000007', 'MUG-7', 'Tidewater', '$24.99', '120', '$4.00', 'Eligible'])
    expect(row.getByText(text)).toBeTruthy()
  expect(asked[0]?.search).toBe('?page=0&size=20')
})
it('shows what is not known as a dash with its reason, never as 0', async () => {
  open()
  const row = await rowOf('BARE-8')
  expect(row.getAllByText('–')).toHaveLength(3)
  expect(row.queryByText(/\b0\b/)).toBeNull()
  expect(row.getByText('Not known: the listing has no price.')).toBeTruthy()
  expect(row.getByText('Not known: enter what a piece costs you.')).toBeTruthy()
  expect(row.getByText('Eligibility not known')).toBeTruthy()
  expect(row.getByLabelText('No picture of BARE-8')).toBeTruthy()
})
it('shows a price and a cost of zero as zero', async () => {
  shelf = [{ ...mug, customerPrice: 0, cogs: 0, available: 0 }]
  open()
  const row = await rowOf('Blue mug')
  expect(row.getAllByText('$0.00')).toHaveLength(2)
  expect(row.getByText('0')).toBeTruthy()
})
it('puts a placeholder where a picture does not load', async () => {
  open()
  fireEvent.error(await screen.findByAltText('Product shot: Blue mug'))
  expect(screen.getByLabelText('No picture of Blue mug')).toBeTruthy()
})
it('keeps the search in the address and starts on the first page again', async () => {
  total = 100
  const router = open('/inventory?page=3&size=10')
  await rowOf('Blue mug')
  expect(asked[0]?.search).toBe('?page=3&size=10')
  fireEvent.change(screen.getByLabelText('Search by title, SKU or ASIN'), { target: { value: ' mug ' } })
  await waitFor(() => expect(asked.at(-1)?.search).toBe('?page=0&size=10&search=mug'))
  expect(router.state.location.search).toEqual({ search: 'mug', size: 10 })
})
it('goes to the next page and changes how much a page holds', async () => {
  total = 45
  const router = open()
  fireEvent.click(await screen.findByLabelText('Next page'))
  await waitFor(() => expect(asked.at(-1)?.search).toBe('?page=1&size=20'))
  fireEvent.change(screen.getByLabelText('Rows on a page'), { target: { value: '50' } })
  await waitFor(() => expect(asked.at(-1)?.search).toBe('?page=0&size=50'))
  expect(router.state.location.search).toEqual({ size: 50 })
})
it('opens a product in place of the list on a phone, and leads back to it', async () => {
  const router = open()
  fireEvent.click(await screen.findByText('Blue mug'))
  const heading = await screen.findByRole('heading', { level: 2, name: 'Blue mug' })
  await waitFor(() => expect(document.activeElement).toBe(heading))
  const stock = within(screen.getByRole('region', { name: 'Stock' }))
  for (const text of ['120', '3', '40', '0']) expect(stock.getByText(text)).toBeTruthy()
  expect(screen.queryByText('BARE-8')).toBeNull()
  router.history.back()
  await screen.findByLabelText('Search by title, SKU or ASIN')
  const link = screen.getByText('Blue mug').closest('a')
  await waitFor(() => expect(document.activeElement).toBe(link))
})
it('shows the list beside the detail on a wide screen', async () => {
  wide()
  open('/inventory?product=8')
  expect(await screen.findByRole('heading', { level: 2, name: 'BARE-8' })).toBeTruthy()
  expect(screen.getByText('Blue mug')).toBeTruthy()
})
it('says that nothing was found and offers the way back', async () => {
  shelf = []
  const router = open('/inventory?search=zzz')
  expect(await screen.findByText('No product matches “zzz”')).toBeTruthy()
  fireEvent.click(screen.getByText('Show all products'))
  expect(await screen.findByText('No products in this marketplace yet')).toBeTruthy()
  expect(screen.getByText('See connections').getAttribute('href')).toBe('/connections')
  expect(router.state.location.search).toEqual({})
})
it('leads from a page beyond the last to the first', async () => {
  shelf = []
  total = 2
  open('/inventory?page=9')
  expect(await screen.findByText('This page is empty')).toBeTruthy()
  shelf = [mug]
  fireEvent.click(screen.getByText('To the first page'))
  expect(await screen.findByText('Blue mug')).toBeTruthy()
})
it('says that the inventory could not be fetched, and tries again', async () => {
  inventoryAnswer = () => refusal(409, 'RULE_VIOLATED', 'Choose a marketplace first.')
  open()
  expect(await screen.findByText('Failed to fetch inventory')).toBeTruthy()
  expect(screen.getByText('Choose a marketplace first.')).toBeTruthy()
  inventoryAnswer = undefined
  fireEvent.click(screen.getByText('Try again'))
  expect(await screen.findByText('Blue mug')).toBeTruthy()
})
it('calls an answer of another shape what it is', async () => {
  inventoryAnswer = () => Response.json({ content: [{}], page: null })
  open()
  expect(await screen.findByText('Invalid inventory response')).toBeTruthy()
})
it('keeps the last good list when a later answer fails', async () => {
  open()
  await edit('5')
  inventoryAnswer = () => refusal(403, 'FORBIDDEN', 'No.')
  expect(await screen.findByText('Failed to fetch inventory')).toBeTruthy()
  expect(screen.getByText('Blue mug')).toBeTruthy()
})
it('says that a page was never saved on this device when there is no network', async () => {
  inventoryAnswer = () => Promise.reject(new TypeError('no network'))
  onlineManager.setOnline(false)
  open()
  expect(await screen.findByText('You are offline')).toBeTruthy()
})

it('shows a new cost at once, saves it, reads the inventory anew and offers to undo it', async () => {
  open()
  let arrive: () => void = () => undefined
  putAnswer = url => new Promise(resolve => (arrive = () => resolve(save(url))))
  await edit('4.50')
  expect(await screen.findByText('$4.50')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('Edit COGS of Blue mug'))
  expect(currentToasts()).toEqual([])
  const before = asked.length
  arrive()
  await waitFor(() => expect(currentToasts()[0]?.title).toBe('COGS saved'))
  await waitFor(() => expect(asked.length).toBe(before + 1))
  expect(put[0]?.pathname + (put[0]?.search ?? '')).toBe('/api/inventory/7/cogs?cogs=4.5')
  putAnswer = undefined
  currentToasts()[0]?.action?.onSelect()
  await waitFor(() => expect(put.at(-1)?.search).toBe('?cogs=4'))
  expect(await screen.findByText('$4.00')).toBeTruthy()
  await waitFor(() => expect(currentToasts().at(-1)?.title).toBe('COGS is what it was'))
  expect(currentToasts().at(-1)?.action).toBeUndefined()
})
it('asks nothing of the server for a cost that did not change or is not valid', async () => {
  open()
  await edit('4')
  await edit('4.505')
  expect(screen.getByText('USD has no such small amounts')).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('COGS', { selector: 'input' })))
  fireEvent.keyDown(screen.getByLabelText('COGS', { selector: 'input' }), { key: 'Escape' })
  expect(screen.getByText('$4.00')).toBeTruthy()
  expect(put).toEqual([])
})
it('brings back the cost that was, when the server refuses the new one, and keeps what was typed for another try', async () => {
  open()
  putAnswer = () => refusal(403, 'FORBIDDEN', 'Only an owner may do that.')
  await edit('9')
  expect(await screen.findByText('$9.00 was not saved.')).toBeTruthy()
  expect(screen.getByText('$4.00')).toBeTruthy()
  expect(currentToasts()[0]).toMatchObject({
    title: 'Failed to update product COGS',
    message: 'Only an owner may do that.',
  })
  putAnswer = undefined
  fireEvent.click(screen.getByText('Try again'))
  expect(await screen.findByText('$9.00')).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('$9.00 was not saved.')).toBeNull())
})
it('keeps a change made without network until it can be sent', async () => {
  open()
  await rowOf('Blue mug')
  onlineManager.setOnline(false)
  await edit('6')
  expect(await screen.findByText(/Waits for the network/)).toBeTruthy()
  expect(screen.getByText('$6.00')).toBeTruthy()
  expect(put).toEqual([])
  onlineManager.setOnline(true)
  const [waiting] = waitingEdits()
  expect(waiting).toMatchObject({ name: 'Blue mug', words: 'COGS $6.00', was: { cogs: 4 } })
  await act(() =>
    flushOutbox({
      senders: { cogs: () => Promise.resolve(sendWaitingCogs) },
      shop: () => waiting?.shop,
      onSent: () => undefined,
      onRefused: () => undefined,
    }),
  )
  expect(put[0]?.search).toBe('?cogs=6')
  expect(screen.queryByText(/Waits for the network/)).toBeNull()
})
it('takes back a change that waits for the network', async () => {
  open()
  await rowOf('Blue mug')
  onlineManager.setOnline(false)
  await edit('6')
  fireEvent.click(await screen.findByText('Undo'))
  expect(await screen.findByText('$4.00')).toBeTruthy()
  onlineManager.setOnline(true)
  await waitFor(() => expect(asked.length).toBeGreaterThan(0))
  expect(put).toEqual([])
})
