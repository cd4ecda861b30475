import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import * as v from 'valibot'
import { call, type CallOptions } from '#client/api/call.ts'
import type { EditKind } from '#client/outbox/flush-outbox.ts'
import type { NewEdit } from '#client/outbox/outbox.ts'
import { sendOrKeep } from '#client/outbox/send-or-keep.ts'
import { formatMoney } from '#client/ui/figures/format.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { type Shop, shopText } from '#features/accounts/client/public.ts'
import { fromMicros, hasUnitPrecision, toMicros } from '#shared/money.ts'
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
    mutationFn: (change: CogsChange) =>
      sendOrKeep(cogsNote(product, shop, change), idempotencyKey =>
        saveCogs(product.productId, change.cogs, { idempotencyKey }),
      ),
    onSuccess: (sent, change) => {
      if (!sent) return
      const saved = sent.answer
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

const saveCogs = (productId: number, cogs: number, options: CallOptions) =>
  call(catalogueEndpoints.setCogs, { params: { productId }, query: { cogs } }, options)

const cogsWords = (cogs: number, currency: string): string => `COGS ${formatMoney(cogs, currency)}`

/** What the outbox knows of a cost that was changed. */
export const cogsKind: EditKind = {
  send: async ({ id, row, set, user }) =>
    void (await saveCogs(row, Number(set.cogs), { onlyAs: user, idempotencyKey: id })),
  fields: ({ set, currency = 'USD' }) => [
    {
      name: 'cogs',
      label: 'COGS',
      value: set.cogs,
      format: value => (value === null ? 'None' : formatMoney(Number(value), currency)),
      input: 'money',
      problemOf: value => v.safeParse(cogsSchema(currency), { cogs: value }).issues?.[0].message ?? null,
    },
  ],
  revise: ({ currency = 'USD' }, { cogs }) => ({ set: { cogs }, words: cogsWords(Number(cogs), currency) }),
}

function cogsNote(product: InventoryProduct, shop: Shop, { cogs, before }: CogsChange): NewEdit {
  return {
    kind: cogsEdit,
    row: product.productId,
    name: shortened(nameOf(product)),
    words: cogsWords(cogs, product.customerCurrency),
    version: null,
    set: { cogs },
    was: { cogs: before },
    shop: shopText(shop),
    href: `/inventory?product=${product.productId}`,
    currency: product.customerCurrency,
  }
}

/** Sends a change; it waits in the outbox while the server does not answer. The mutation reports its failures. */
export function sendCogs(client: QueryClient, product: InventoryProduct, shop: Shop, change: CogsChange): void {
  const mutation = client.getMutationCache().build(client, setCogs(client, product, shop))
  return void mutation.execute(change).catch(() => undefined)
}

const { cogs: cogsRule } = catalogueEndpoints.setCogs.query.entries

/** The contract's rule for COGS, and that the currency can express the amount. An empty field is null and asks for one. */
export function cogsSchema(currency: string) {
  return v.object({
    cogs: v.pipe(
      v.number('Enter what one unit costs you'),
      v.rawCheck(({ dataset, addIssue }) => {
        if (!dataset.typed) return
        const { issues } = v.safeParse(cogsRule, dataset.value)
        if (issues) addIssue({ message: issues[0].message })
        else if (!isWritable(dataset.value, currency)) addIssue({ message: `${currency} has no such small amounts` })
      }),
    ),
  })
}

function isWritable(amount: number, currency: string): boolean {
  const micros = toMicros(amount)
  // An amount below a micro would be rounded to nothing.
  return fromMicros(micros) === amount && hasUnitPrecision(micros, currency)
}
