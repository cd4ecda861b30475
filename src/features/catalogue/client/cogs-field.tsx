import { useQueryClient, useMutationState } from '@tanstack/react-query'
import { createOutline } from 'ionicons/icons'
import { useEffect, useEffectEvent, useState } from 'react'
import { needsUser } from '#client/outbox/flush-outbox.ts'
import { discardEdit, pendingEdits, usePendingEditsOf } from '#client/outbox/outbox.ts'
import { useHoldReload } from '#client/pwa/can-reload-now.ts'
import { MoneyField } from '#client/ui/forms/number-field.tsx'
import { useForm } from '#client/ui/forms/use-form.ts'
import { Figure } from '#client/ui/figures/figure.tsx'
import { formatMoney } from '#client/ui/figures/format.ts'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { PendingNote } from '#client/ui/states/state-views.tsx'
import { useMayChange, useShop } from '#features/accounts/client/public.ts'
import type { InventoryProduct } from '../contract.ts'
import { type CogsChange, cogsEdit, cogsKey, cogsSchema, sendCogs } from './mutations.ts'
import { nameOf, unknownBecause } from './product-words.ts'

const takeFocus = (element: HTMLElement | null): void => element?.focus()

interface CogsFieldProps {
  product: InventoryProduct
  /** The cost of a past day, which is corrected in the history. */
  isPast?: boolean
}

export function CogsField({ product, isPast = false }: CogsFieldProps) {
  const [mode, setMode] = useState<'shown' | 'edited' | 'left'>('shown')
  const client = useQueryClient()
  const shop = useShop()
  const mayChange = useMayChange()
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
        {mayChange && !isPast && (
          <button
            type="button"
            className="icon-button"
            aria-label={`Edit COGS of ${nameOf(product)}`}
            ref={mode === 'left' ? takeFocus : undefined}
            onClick={() => setMode('edited')}
          >
            <Icon icon={createOutline} />
          </button>
        )}
      </div>
      {waiting && <PendingNote onUndo={() => dropCogs(product.productId)}>Queued until you are online.</PendingNote>}
      {failed && (
        <div className="notice" aria-live="polite">
          <span>{formatMoney(failed.cogs, currency)} was not saved.</span>
          <Button onClick={() => sendCogs(client, product, shop, failed)}>Try again</Button>
        </div>
      )}
    </div>
  )
}

/** The COGS to show for a product, and what became of a change: pending ones take precedence over the server's value. */
function useCogsChange({ productId, cogs }: InventoryProduct) {
  const pending = usePendingEditsOf(cogsEdit, productId).filter(edit => !needsUser(edit))
  const unsent = pending.at(-1)?.set.cogs
  const last = useMutationState({ filters: { mutationKey: cogsKey(productId) } }).at(-1)
  // Only setCogs makes mutations with this key.
  const change = (last?.variables ?? null) as CogsChange | null
  if (typeof unsent === 'number') return { amount: unsent, waiting: true, failed: null }
  const amount = last?.status === 'pending' && change ? change.cogs : cogs
  return { amount, waiting: false, failed: last?.status === 'error' ? change : null }
}

/** Discards the changes that were not sent yet. */
function dropCogs(productId: number): void {
  for (const edit of pendingEdits()) if (edit.kind === cogsEdit && edit.row === productId) discardEdit(edit.id)
}

interface CogsFormProps {
  amount: number | null
  currency: string
  onSave: (cogs: number) => void
  onCancel: () => void
}

/** Asks what a piece costs, in place of the figure. Escape leaves it as it was. */
function CogsForm({ amount, currency, onSave, onCancel }: CogsFormProps) {
  const form = useForm({
    schema: cogsSchema(currency),
    initial: { cogs: amount },
    onSubmit: ({ cogs }) => onSave(cogs),
  })
  const { ref } = form.props
  const cancel = useEffectEvent(onCancel)
  useEffect(() => {
    const input = ref.current?.querySelector('input')
    input?.focus()
    input?.select()
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') cancel()
    }
    const element = ref.current
    element?.addEventListener('keydown', onKey)
    return () => element?.removeEventListener('keydown', onKey)
  }, [ref])
  useHoldReload(true)
  return (
    <form {...form.props} className="cogs-form" aria-label="COGS">
      <MoneyField
        label="COGS"
        help={
          amount === null
            ? 'What one unit costs you. It applies to past sales too.'
            : 'What one unit costs you from today on. Past sales keep their cost.'
        }
        currency={currency}
        {...form.field('cogs')}
      />
      <div className="button-row">
        <Button tone="primary" type="submit">
          Save
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  )
}
