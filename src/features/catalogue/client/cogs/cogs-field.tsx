import { useQueryClient, useMutationState } from '@tanstack/react-query'
import { createOutline } from 'ionicons/icons'
import { useState } from 'react'
import { Figure } from '#client/ui/figures/figure.tsx'
import { formatMoney } from '#client/ui/figures/format.ts'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { PendingNote } from '#client/ui/states/state-views.tsx'
import { useShop } from '#features/accounts/client/public.ts'
import type { InventoryProduct } from '../../contract.ts'
import { dropCogs, sendCogs, type CogsChange, cogsKey, usePendingCogs } from '../mutations.ts'
import { nameOf, unknownBecause } from '../product-words.ts'
import { CogsForm } from './cogs-form.tsx'

const takeFocus = (element: HTMLElement | null): void => element?.focus()

/** What one unit costs the seller, editable in place. */
export function CogsField({ product }: { product: InventoryProduct }) {
  const [mode, setMode] = useState<'shown' | 'edited' | 'left'>('shown')
  const client = useQueryClient()
  const shop = useShop()
  const { amount, waiting, failed } = useCogsChange(product)
  const currency = product.customerCurrency
  const save = (cogs: number): void => {
    setMode('left')
    if (cogs !== amount || failed) sendCogs(client, product, shop, { cogs, before: amount })
  }
  if (mode === 'edited')
    return <CogsForm amount={amount} currency={currency} onSave={save} onCancel={() => setMode('left')} />
  return (
    <div className="cogs">
      <p className="metric-label">COGS</p>
      <div className="cogs-value">
        <span className="metric-value">
          <Figure value={amount} kind="money" currency={currency} reason={unknownBecause.cogs} />
        </span>
        <button
          type="button"
          className="icon-button"
          aria-label={`Edit COGS of ${nameOf(product)}`}
          ref={mode === 'left' ? takeFocus : undefined}
          onClick={() => setMode('edited')}
        >
          <Icon icon={createOutline} />
        </button>
      </div>
      {waiting && <PendingNote onUndo={() => dropCogs(product.productId)}>Waits for the network.</PendingNote>}
      {failed && (
        <div className="pending-note" aria-live="polite">
          <span>{formatMoney(failed.cogs, currency)} was not saved.</span>
          <Button onClick={() => sendCogs(client, product, shop, failed)}>Try again</Button>
        </div>
      )}
    </div>
  )
}

interface ShownCogs {
  /** What the user entered last, saved or not; null when there is nothing. */
  amount: number | null
  /** The change that waits for the network. */
  waiting: boolean
  /** The last change, when it was rejected or did not arrive. */
  failed: CogsChange | null
}

/** The COGS to show for a product: pending changes take precedence over the server's value. */
function useCogsChange({ productId, cogs }: InventoryProduct): ShownCogs {
  const waiting = usePendingCogs(productId)
  const changes = useMutationState({
    filters: { mutationKey: cogsKey(productId) },
    // Only setCogs makes mutations with this key.
    select: ({ state }) => ({ ...state, variables: state.variables as CogsChange | undefined }),
  })
  if (waiting !== undefined) return { amount: waiting, waiting: true, failed: null }
  const last = changes.at(-1)
  if (!last?.variables) return { amount: cogs, waiting: false, failed: null }
  if (last.status === 'error') return { amount: cogs, waiting: false, failed: last.variables }
  if (last.status !== 'pending') return { amount: cogs, waiting: false, failed: null }
  return { amount: last.variables.cogs, waiting: false, failed: null }
}
