import { mutationOptions, onlineManager, type QueryClient } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import type { SendEdit } from '#client/outbox/flush-outbox.ts'
import { queueEdit } from '#client/outbox/outbox.ts'
import { formatMoney } from '#client/ui/figures/format.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { type Shop, shopText } from '#features/accounts/client/public.ts'
import { catalogueEndpoints, type InventoryPage, type InventoryProduct } from '../contract.ts'
import { nameOf, shortened } from './product-words.ts'
import { catalogueQueries } from './queries.ts'

export interface CogsChange {
  cogs: number
  /** The previous value, which an undo restores; null when there was none. */
  before: number | null
  undoes?: true
}

export const cogsKey = (productId: number) => [...catalogueQueries.all, 'set-cogs', productId] as const

/** Sets a product's COGS, one change after the other, and refreshes the figures that depend on it. */
function setCogs(client: QueryClient, product: InventoryProduct, shop: Shop) {
  return mutationOptions({
    mutationKey: cogsKey(product.productId),
    scope: { id: `cogs ${product.productId}` },
    mutationFn: ({ cogs }: CogsChange) =>
      call(catalogueEndpoints.setCogs, { params: { productId: product.productId }, query: { cogs } }),
    onSuccess: (saved, change) => {
      client.setQueriesData<InventoryPage>(
        { queryKey: [...catalogueQueries.all, 'inventory'] },
        page =>
          // Only the changed field: the page may have newer stock and other values than this answer.
          page && {
            ...page,
            content: page.content.map(p => (p.productId === saved.productId ? { ...p, cogs: saved.cogs } : p)),
          },
      )
      const { cogs, before, undoes } = change
      const undo = () =>
        before !== null && sendCogs(client, product, shop, { cogs: before, before: cogs, undoes: true })
      toast({
        title: undoes ? 'COGS restored' : 'COGS saved',
        message: `${formatMoney(cogs, saved.customerCurrency)} for ${shortened(nameOf(product))}`,
        tone: 'success',
        ...(before !== null && !undoes && { action: { label: 'Undo', onSelect: () => void undo() } }),
      })
      // Profit depends on costs, wherever it is shown.
      return client.invalidateQueries({ predicate: query => query.meta?.figures === true })
    },
    meta: { errorTitle: 'Failed to update product COGS' },
  })
}

export const cogsEdit = 'cogs'

/** How the outbox sends what was changed without network. */
export const sendPendingCogs: SendEdit = ({ row, set, user }) =>
  call(catalogueEndpoints.setCogs, { params: { productId: row }, query: { cogs: Number(set.cogs) } }, { onlyAs: user })

/** Sends a change, or adds it to the outbox while there is no network. The mutation reports its failures. */
export function sendCogs(client: QueryClient, product: InventoryProduct, shop: Shop, change: CogsChange): void {
  if (onlineManager.isOnline()) {
    const mutation = client.getMutationCache().build(client, setCogs(client, product, shop))
    return void mutation.execute(change).catch(() => undefined)
  }
  const { cogs, before } = change
  queueEdit({
    kind: cogsEdit,
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
