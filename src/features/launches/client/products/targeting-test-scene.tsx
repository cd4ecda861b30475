import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import { useReducer, useState } from 'react'
import { vi } from 'vitest'
import { createQueryClient } from '#client/api/query-client.ts'
import { stubLayout } from '../../../../../tests/support/stub-layout.ts'
import type { InventoryProduct } from '#features/catalogue/contract.ts'
import { freshWizard, type WizardState } from '../../draft/wizard-state.ts'
import { wizardReducer } from '../wizard/wizard-reducer.ts'
import { firstView } from './available-products.tsx'
import { TargetingStep } from '../steps/targeting-step.tsx'

const unknown = {
  brand: null,
  category: null,
  customerPrice: 20,
  customerCurrency: 'USD',
  availability: null,
  bestSellerRank: null,
  imageUrl: null,
  spEligibilityMessage: null,
  fnsku: null,
  condition: null,
  available: 5,
  reservedQuantity: null,
  unfulfillableQuantity: null,
  totalReservedQuantity: null,
  pendingRemovalQuantity: null,
  inboundQuantity: null,
  inboundWorking: null,
  inboundShipped: null,
  inboundReceived: null,
  cogs: null,
}

/** The product at a place of the seller's list. */
export function productAt(index: number): InventoryProduct {
  return {
    ...unknown,
    productId: index + 1,
    asin: `B0${String(index).padStart(8, '0')}`,
    sku: `SKU-${index}`,
    title: `Thing ${index}`,
    spEligibilityStatus: 'ELIGIBLE',
  }
}

/** What the server holds and was asked. */
export const shelf = {
  products: [] as InventoryProduct[],
  asked: [] as URLSearchParams[],
  /** Pages that are not answered with products. */
  refuse: (_page: number): Response | Promise<Response> | null => null,
}

/** A seller of so many products, on a screen where the list is 500 px high and a row 132. */
export function openShelf(count: number): void {
  shelf.products = Array.from({ length: count }, (_, index) => productAt(index))
  shelf.asked = []
  shelf.refuse = () => null
  stubLayout({ listPx: 500, rowPx: 132 })
  vi.stubGlobal('fetch', (address: string) => answer(new URL(address, 'https://tideline.test').searchParams))
}

async function answer(query: URLSearchParams): Promise<Response> {
  shelf.asked.push(query)
  const [number, size] = [Number(query.get('page')), Number(query.get('size'))]
  const refused = shelf.refuse(number)
  if (refused) return refused
  const found = shelf.products.filter(p => p.title?.includes(query.get('search') ?? ''))
  const page = { size, number, totalElements: found.length, totalPages: Math.ceil(found.length / size) }
  return Response.json({ content: found.slice(number * size, (number + 1) * size), page, asOf: null })
}

const shop = { merchantId: 5, marketplaceId: 1 }
function Step({ from }: { from: Partial<WizardState> }) {
  const [state, dispatch] = useReducer(wizardReducer, { ...freshWizard('GUIDED'), ...from })
  const [view, setView] = useState(firstView)
  const [turns, setTurns] = useState(0)
  const common = { state, dispatch, messages: {}, shop, view, onView: setView }
  return (
    <>
      <button onClick={() => setTurns(turns + 1)}>Turn the phone</button>
      <TargetingStep key={turns} {...common} />
    </>
  )
}

/** Draws step 4 of a wizard that has come so far. */
export async function showTargeting(from: Partial<WizardState> = {}): Promise<QueryClient> {
  const client = createQueryClient()
  const rootRoute = createRootRoute({
    component: () => (
      <QueryClientProvider client={client}>
        <Step from={{ template: 'MULTI_PRODUCT_AD_GROUP_FUNNEL', ...from }} />
      </QueryClientProvider>
    ),
  })
  const history = createMemoryHistory({ initialEntries: ['/?step=4'] })
  render(<RouterProvider router={createRouter({ routeTree: rootRoute, history })} />)
  await screen.findByText('Available Products')
  return client
}
