import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import { formatMoney } from '#client/ui/figures/format.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { catalogueEndpoints, type InventoryPage, type InventoryProduct } from '../contract.ts'
import { nameOf, shortened } from './product-words.ts'
import { catalogueQueries } from './queries.ts'

export interface CogsChange {
  cogs: number
  /** What it was before, which an undo brings back; null when it was not known. */
  before: number | null
  undoes?: true
}

/** Names the changes of one product's COGS among all mutations. */
export const cogsKey = (productId: number) => [...catalogueQueries.all, 'set-cogs', productId] as const

/** Sets a product's COGS, one change after the other; without network it waits, and the inventory is read anew after it. */
export const setCogs = (client: QueryClient, product: InventoryProduct) =>
  mutationOptions({
    mutationKey: cogsKey(product.productId),
    scope: { id: `cogs ${product.productId}` },
    networkMode: 'online',
    mutationFn: ({ cogs }: CogsChange) =>
      call(catalogueEndpoints.setCogs, { params: { productId: product.productId }, query: { cogs } }),
    onSuccess: (saved, change) => {
      client.setQueriesData<InventoryPage>({ queryKey: [...catalogueQueries.all, 'inventory'] }, page =>
        page ? withCogs(page, saved) : page,
      )
      tellSaved(client, product, saved, change)
      // Profit is worked out from costs, wherever it is shown.
      return client.invalidateQueries({ predicate: query => query.meta?.figures === true })
    },
    meta: { errorTitle: 'Failed to update product COGS' },
  })

/** Sends a change. Failures are told by the mutation's own policy, and kept beside the product. */
export const sendCogs = (client: QueryClient, product: InventoryProduct, change: CogsChange): void => {
  const mutation = client.getMutationCache().build(client, setCogs(client, product))
  void mutation.execute(change).catch(() => undefined)
}

/** Takes back what was not sent yet. */
export const dropCogs = (client: QueryClient, productId: number): void => {
  const cache = client.getMutationCache()
  for (const mutation of cache.findAll({ mutationKey: cogsKey(productId), status: 'pending' })) cache.remove(mutation)
}

// Only what was set: of the stock and the rest the page may know something newer than this answer.
const withCogs = (page: InventoryPage, { productId, cogs }: InventoryProduct): InventoryPage => ({
  ...page,
  content: page.content.map(product => (product.productId === productId ? { ...product, cogs } : product)),
})

const tellSaved = (
  client: QueryClient,
  product: InventoryProduct,
  { customerCurrency }: InventoryProduct,
  { cogs, before, undoes }: CogsChange,
): void => {
  const undo = before !== null && !undoes
  toast({
    title: undoes ? 'COGS is what it was' : 'COGS saved',
    message: `${formatMoney(cogs, customerCurrency)} for ${shortened(nameOf(product))}`,
    tone: 'success',
    ...(undo && {
      action: {
        label: 'Undo',
        onSelect: () => sendCogs(client, product, { cogs: before, before: cogs, undoes: true }),
      },
    }),
  })
}
