import { QueryClientProvider, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { Suspense } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createQueryClient } from '#client/api/query-client.ts'
import { setSession } from '#client/api/session/session.ts'
import { chooseMerchant } from '../mutations.ts'
import { knownShop, type Shop, useShop } from './shop.ts'

const merchants = {
  1: { id: 1, name: 'Mug Harbour', accountType: 'SELLER', regionId: 1, regionName: 'North America' },
  2: { id: 2, name: 'Lampenhaus', accountType: 'SELLER', regionId: 2, regionName: 'Europe' },
}
const us = { id: 1, amazonId: 'ATVPDKIKX0DER', name: 'United States', key: 'US', currency: 'USD' }
const de = { id: 4, amazonId: 'A1PA6795UKMFR9', name: 'Germany', key: 'DE', currency: 'EUR' }

// The server: what is chosen there, and for which shop it was asked for figures under which key.
let chosen: 1 | 2 = 1
let figuresAsked: { key: Shop; answeredFor: Shop }[] = []
const shopOf = (merchantId: 1 | 2): Shop => ({ merchantId, marketplaceId: merchantId === 1 ? us.id : de.id })

beforeEach(() => {
  localStorage.clear()
  setSession({ accessToken: 'access', refreshToken: 'refresh' })
  chosen = 1
  figuresAsked = []
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    const url = new URL(path, 'https://tideline.test')
    if (url.pathname === '/api/profile/current' && init.method === 'PATCH')
      chosen = Number(url.searchParams.get('merchantId')) as 1 | 2
    return Promise.resolve(
      Response.json(url.pathname.includes('marketplaces') ? (chosen === 1 ? us : de) : merchants[chosen]),
    )
  })
})
afterEach(cleanup)

function Figures() {
  const shop = useShop()
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: ['figures', shop],
    queryFn: () => {
      figuresAsked.push({ key: shop, answeredFor: shopOf(chosen) })
      return Promise.resolve(`figures of ${chosen}`)
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  const choose = useMutation(chooseMerchant(client))
  return (
    <>
      <output>{data}</output>
      <button type="button" onClick={() => choose.mutate(2)}>
        Second
      </button>
      <button type="button" onClick={() => choose.mutate(1)}>
        First
      </button>
    </>
  )
}
const shown = (text: string) => waitFor(() => expect(screen.getByRole('status').textContent).toBe(text))

it('asks for figures only under the key of the shop that the server answers for, through switches and back', async () => {
  const client = createQueryClient()
  render(
    <QueryClientProvider client={client}>
      <Suspense>
        <Figures />
      </Suspense>
    </QueryClientProvider>,
  )
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('figures of 1'))
  fireEvent.click(screen.getByText('Second'))
  await shown('figures of 2')
  expect(knownShop(client)).toEqual(shopOf(2))
  fireEvent.click(screen.getByText('First'))
  await shown('figures of 1')
  // Cached data of the first shop is fetched again when the shop is shown again.
  await waitFor(() => expect(figuresAsked).toHaveLength(3))
  expect(figuresAsked.map(request => request.key)).toEqual([shopOf(1), shopOf(2), shopOf(1)])
  for (const { key, answeredFor } of figuresAsked) expect(key).toEqual(answeredFor)
})
