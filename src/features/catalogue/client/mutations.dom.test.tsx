import { waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { createQueryClient } from '#client/api/query-client.ts'
import { setSession } from '#client/api/session/session.ts'
import type { InventoryProduct } from '../contract.ts'
import { sendCogs } from './mutations.ts'

const product: InventoryProduct = {
  productId: 7,
  asin: 'B0TIDE0007',
  sku: 'MUG-7',
  title: 'Mug',
  brand: null,
  category: null,
  customerPrice: 20,
  customerCurrency: 'USD',
  availability: null,
  bestSellerRank: null,
  imageUrl: null,
  spEligibilityStatus: null,
  spEligibilityMessage: null,
  fnsku: null,
  condition: null,
  available: null,
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

beforeEach(() => {
  setSession({ accessToken: 'access', refreshToken: 'refresh' })
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ ...product, cogs: 4.5 })))
})

it('setting a cost refetches every cached figure, including profit on Home', async () => {
  const client = createQueryClient()
  const cards = client.getQueryCache().build(client, { queryKey: ['home', 'cards'], meta: { figures: true } })
  const regions = client.getQueryCache().build(client, { queryKey: ['accounts', 'regions'] })
  client.setQueryData(['home', 'cards'], { profit: 1 })
  client.setQueryData(['accounts', 'regions'], [])
  sendCogs(client, product, { merchantId: 1, marketplaceId: 1 }, { cogs: 4.5, before: null })
  await waitFor(() => expect(cards.state.isInvalidated).toBe(true))
  expect(regions.state.isInvalidated).toBe(false)
})
