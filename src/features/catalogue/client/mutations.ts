import { mutationOptions, onlineManager, type QueryClient } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import type { SendEdit } from '#client/outbox/flush-outbox.ts'
import { queueEdit, usePendingEditsOf, pendingEdits, discardEdit } from '#client/outbox/outbox.ts'
import { formatMoney } from '#client/ui/figures/format.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { type Shop, shopText } from '#features/accounts/client/public.ts'
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

/** Sets a product's COGS, one change after the other; the figures that stand on it are read anew after it. */
export const setCogs = (client: QueryClient, product: InventoryProduct, shop: Shop) =>
  mutationOptions({
    mutationKey: cogsKey(product.productId),
    scope: { id: `cogs ${product.productId}` },
    mutationFn: ({ cogs }: CogsChange) =>
      call(catalogueEndpoints.setCogs, { params: { productId: product.productId }, query: { cogs } }),
    onSuccess: (saved, change) => {
      client.setQueriesData<InventoryPage>({ queryKey: [...catalogueQueries.all, 'inventory'] }, page =>
        page ? withCogs(page, saved) : page,
      )
      tellSaved(client, product, shop, saved, change)
      // Profit is worked out from costs, wherever it is shown.
      return client.invalidateQueries({ predicate: query => query.meta?.figures === true })
    },
    meta: { errorTitle: 'Failed to update product COGS' },
  })

const kind = 'cogs'

/** How the outbox sends what was changed without network. */
export const sendWaitingCogs: SendEdit = ({ row, set, user }) =>
  call(catalogueEndpoints.setCogs, { params: { productId: row }, query: { cogs: Number(set.cogs) } }, { onlyAs: user })

const wait = (product: InventoryProduct, shop: Shop, { cogs, before }: CogsChange): void => {
  queueEdit({
    kind,
    row: product.productId,
    name: shortened(nameOf(product)),
    words: `COGS ${formatMoney(cogs, product.customerCurrency)}`,
    version: null,
    set: { cogs },
    was: { cogs: before },
    shop: shopText(shop),
    href: `/inventory?product=${product.productId}`,
  })
}

/** The change of a product's COGS that waits for the network. */
export const useWaitingCogs = (productId: number): number | undefined => {
  const cogs = usePendingEditsOf(kind, productId).at(-1)?.set.cogs
  return typeof cogs === 'number' ? cogs : undefined
}

/**
 * Sends a change, or keeps it in the outbox while there is no network. Failures are told by the mutation's own policy, and
 * kept beside the product.
 */
export const sendCogs = (client: QueryClient, product: InventoryProduct, shop: Shop, change: CogsChange): void => {
  if (!onlineManager.isOnline()) return wait(product, shop, change)
  const mutation = client.getMutationCache().build(client, setCogs(client, product, shop))
  void mutation.execute(change).catch(() => undefined)
}

/** Takes back what was not sent yet. */
export const dropCogs = (productId: number): void => {
  for (const edit of pendingEdits()) if (edit.kind === kind && edit.row === productId) discardEdit(edit.id)
}

// Only what was set: of the stock and the rest the page may know something newer than this answer.
const withCogs = (page: InventoryPage, { productId, cogs }: InventoryProduct): InventoryPage => ({
  ...page,
  content: page.content.map(product => (product.productId === productId ? { ...product, cogs } : product)),
})

const tellSaved = (
  client: QueryClient,
  product: InventoryProduct,
  shop: Shop,
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
        onSelect: () => sendCogs(client, product, shop, { cogs: before, before: cogs, undoes: true }),
      },
    }),
  })
}
