import { useQueryClient, useMutationState } from '@tanstack/react-query'
import { createOutline } from 'ionicons/icons'
import { useEffect, useEffectEvent, useState } from 'react'
import * as v from 'valibot'
import { useHoldReload } from '#client/pwa/can-reload-now.ts'
import { MoneyField } from '#client/ui/forms/number-field.tsx'
import { useForm } from '#client/ui/forms/use-form.ts'
import { fromMicros, hasUnitPrecision, toMicros } from '#shared/money.ts'
import { Figure } from '#client/ui/figures/figure.tsx'
import { formatMoney } from '#client/ui/figures/format.ts'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { PendingNote } from '#client/ui/states/state-views.tsx'
import { useShop } from '#features/accounts/client/public.ts'
import { catalogueEndpoints, type InventoryProduct } from '../contract.ts'
import { dropCogs, sendCogs, type CogsChange, cogsKey, usePendingCogs } from './mutations.ts'
import { nameOf, unknownBecause } from './product-words.ts'

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
      <MoneyField label="COGS" help="What one unit costs you." currency={currency} {...form.field('cogs')} />
      <div className="button-row">
        <Button tone="primary" type="submit">
          Save
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  )
}
