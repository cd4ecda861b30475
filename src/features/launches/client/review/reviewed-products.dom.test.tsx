import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { createQueryClient } from '#client/api/query-client.ts'
import type { WizardProduct } from '../../draft/wizard-state.ts'
import { openShelf, productAt, shelf } from '../products/targeting-test-scene.tsx'
import { ReviewedProducts } from './review-step.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function draft(index: number, title: string) {
  return {
    asin: productAt(index).asin ?? '',
    sku: productAt(index).sku,
    title,
    imageUrl: null,
  }
}
function show(products: WizardProduct[]) {
  return render(
    <QueryClientProvider client={createQueryClient()}>
      <ReviewedProducts shop={{ merchantId: 1, marketplaceId: 1 }} products={products} onChange={() => undefined} />
    </QueryClientProvider>,
  )
}

it('shows the current inventory of each selected product, with one request for all', async () => {
  openShelf(0)
  shelf.products = [
    { ...productAt(0), available: 0, spEligibilityStatus: 'INELIGIBLE', spEligibilityMessage: 'Missing image.' },
  ]
  show([draft(0, 'Old title'), draft(7, 'Listed no longer')])
  // The draft's own words stand in until then, and where the inventory has none.
  expect(screen.getByText('Old title')).toBeTruthy()
  expect(await screen.findByText('Thing 0')).toBeTruthy()
  expect(screen.getByText('$20.00 · 0 in stock')).toBeTruthy()
  expect(screen.getByText(/Missing image\./)).toBeTruthy()
  expect(screen.getByText('Listed no longer')).toBeTruthy()
  expect(shelf.asked.map(query => [query.get('page'), query.get('size'), query.get('asins')])).toEqual([
    ['0', '100', `${productAt(0).asin},${productAt(7).asin}`],
  ])
})
it('folds many, so that the rest of the review is in reach', () => {
  openShelf(0)
  show(Array.from({ length: 12 }, (_, i) => draft(i, `Mat ${i}`)))
  const folded = screen.getByText('Show 8 more products').closest('details')
  expect(folded?.open).toBe(false)
  expect([...(folded?.querySelectorAll('strong') ?? [])].map(name => name.textContent)).toEqual(
    Array.from({ length: 8 }, (_, i) => `Mat ${i + 4}`),
  )
})
