import { onlineManager, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, configure, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { createQueryClient } from '#client/api/query-client.ts'
import { signInAs } from '../../../../tests/support/test-edit.ts'
import { setupIonicReact } from '@ionic/react'
import { currentToasts, dismissToast } from '#client/ui/shell/toast-store.ts'
import type { InventoryProduct } from '../contract.ts'
import { catalogueRoutes } from './routes.tsx'

setupIonicReact()
// The first test also waits for the page's code.
configure({ asyncUtilTimeout: 5000 })

/** A product of which all is known; and one of which next to nothing is. */
export const mug: InventoryProduct = {
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

/** The server's rows and received requests; each test starts with two products and answers by the contract. */
export const scene = {
  shelf: [] as InventoryProduct[],
  /** How many there are, where it is not what the shelf holds. */
  total: undefined as number | undefined,
  asked: [] as URL[],
  put: [] as URL[],
  inventoryAnswer: undefined as (() => Response | Promise<Response>) | undefined,
  putAnswer: undefined as ((url: URL) => Response | Promise<Response>) | undefined,
}

/** The server refuses. */
export const refusal = (status: number, errorCode: string, message: string) =>
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
function pageOf(url: URL) {
  const size = Number(url.searchParams.get('size'))
  const totalElements = scene.total ?? scene.shelf.length
  const page = {
    size,
    number: Number(url.searchParams.get('page')),
    totalElements,
    totalPages: Math.ceil(totalElements / size),
  }
  return Response.json({ content: scene.shelf, page, asOf: '2026-11-20T10:00:00.000Z' })
}
/** The server saves a cost. */
export function save(url: URL): Response {
  const id = Number(/\d+/.exec(url.pathname)?.[0])
  scene.shelf = scene.shelf.map(p => (p.productId === id ? { ...p, cogs: Number(url.searchParams.get('cogs')) } : p))
  return Response.json(scene.shelf.find(p => p.productId === id))
}
function answer(path: string, method: string): Response | Promise<Response> {
  const url = new URL(path, 'https://tideline.test')
  if (method === 'PUT') {
    scene.put.push(url)
    return scene.putAnswer ? scene.putAnswer(url) : save(url)
  }
  if (url.pathname === '/api/profile/current') return Response.json(merchant)
  if (url.pathname === '/api/profile/marketplaces/current')
    return Response.json({ id: 1, amazonId: 'ATVPDKIKX0DER', name: 'United States', key: 'US', currency: 'USD' })
  if (url.pathname !== '/api/inventory') return refusal(404, 'NOT_FOUND', 'none')
  scene.asked.push(url)
  return scene.inventoryAnswer ? scene.inventoryAnswer() : pageOf(url)
}

beforeEach(() => {
  scene.shelf = [mug, bare]
  scene.total = undefined
  scene.asked = []
  scene.put = []
  scene.inventoryAnswer = undefined
  scene.putAnswer = undefined
  localStorage.clear()
  signInAs('7')
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

/** Opens the page at an address; answers its router. */
export function open(address = '/inventory') {
  const root = createRootRoute()
  const dashboard = createRoute({ getParentRoute: () => root, id: 'dashboard' })
  const router = createRouter({
    routeTree: root.addChildren([dashboard.addChildren(catalogueRoutes(dashboard))]),
    history: createMemoryHistory({ initialEntries: [address] }),
  })
  const client = createQueryClient()
  client.setDefaultOptions({
    ...client.getDefaultOptions(),
    queries: { ...client.getDefaultOptions().queries, retry: false },
  })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  return router
}
/** There is room for a list and what was chosen in it. */
export const wide = () =>
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: () => {}, removeEventListener: () => {} }))
/** The row of a product. */
export async function rowOf(name: string) {
  const row = (await screen.findAllByText(name))[0]?.closest('li')
  if (!row) throw new Error(`${name} stands in no row`)
  return within(row)
}
/** Types a cost for the mug and saves it. */
export async function edit(cogs: string) {
  fireEvent.click(await screen.findByLabelText('Edit COGS of Blue mug'))
  fireEvent.change(screen.getByLabelText('COGS', { selector: 'input' }), { target: { value: cogs } })
  fireEvent.submit(screen.getByRole('form', { name: 'COGS' }))
}
