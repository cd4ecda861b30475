import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createOutline, trashOutline } from 'ionicons/icons'
import { useState } from 'react'
import * as v from 'valibot'
import { call } from '#client/api/call.ts'
import { useOnline } from '#client/api/online.ts'
import { useToday } from '#client/api/server-clock.ts'
import { formatDay, formatMoney } from '#client/ui/figures/format.ts'
import { TextField } from '#client/ui/forms/fields.tsx'
import { MoneyField } from '#client/ui/forms/number-field.tsx'
import { Segment } from '#client/ui/forms/segment.tsx'
import { useForm } from '#client/ui/forms/use-form.ts'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { useMayChange, useShop } from '#features/accounts/client/public.ts'
import { timezoneOfMarketplace } from '#shared/marketplace-timezones.ts'
import { day } from '#shared/query-schemas.ts'
import { dayIn } from '#shared/time.ts'
import { beginning, catalogueEndpoints, type InventoryProduct, type ProductCosts } from '../contract.ts'
import { cogsSchema } from './mutations.ts'
import { catalogueQueries } from './queries.ts'

type Cost = ProductCosts['costs'][number]

const fromText = (from: string): string => (from === beginning ? 'From the beginning' : `From ${formatDay(from)}`)

/** Every cost that a product had, with the days from which they hold; each can be corrected or removed. */
export function CostHistory({ product }: { product: InventoryProduct }) {
  const shop = useShop()
  const mayChange = useMayChange()
  const online = useOnline()
  const query = useQuery(catalogueQueries.costs(shop, product.productId))
  const [edited, setEdited] = useState<Cost | 'new' | null>(null)
  const { save, remove } = useCostChanges(product)
  const canEdit = mayChange && online
  return (
    <Card
      title="Cost history"
      aside={canEdit && edited === null && <Button onClick={() => setEdited('new')}>Add a cost</Button>}
    >
      {edited !== null && (
        <CostForm
          key={edited === 'new' ? 'new' : edited.validFrom}
          product={product}
          cost={edited === 'new' ? null : edited}
          onSave={input => {
            setEdited(null)
            void save(input, edited === 'new' ? null : edited)
          }}
          onCancel={() => setEdited(null)}
        />
      )}
      <QueryView query={query} loading={{ rows: 2, kind: 'line', label: 'Loading the costs' }}>
        {({ costs, currency }) =>
          costs.length === 0 ? (
            <p className="data-age">No cost entered yet. Until then, profit leaves this product out.</p>
          ) : (
            <ul className="cost-history">
              {costs.map(cost => (
                <li key={cost.validFrom}>
                  <span>{fromText(cost.validFrom)}</span>
                  <strong>{formatMoney(cost.cogs, currency)}</strong>
                  {canEdit && (
                    <>
                      <button
                        type="button"
                        className="icon-button"
                        aria-label={`Correct the cost ${fromText(cost.validFrom).toLowerCase()}`}
                        onClick={() => setEdited(cost)}
                      >
                        <Icon icon={createOutline} />
                      </button>
                      <button
                        type="button"
                        className="icon-button"
                        aria-label={`Remove the cost ${fromText(cost.validFrom).toLowerCase()}`}
                        onClick={() => void remove(cost)}
                      >
                        <Icon icon={trashOutline} />
                      </button>
                    </>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
      <p className="data-age">Profit of past days keeps the cost of those days.</p>
    </Card>
  )
}

interface CostInput {
  cogs: number
  validFrom: string
}

function useCostChanges({ productId, customerCurrency }: InventoryProduct) {
  const client = useQueryClient()
  const params = { productId }
  const refresh = () => client.invalidateQueries({ predicate: query => query.meta?.figures === true })
  const put = ({ cogs, validFrom }: CostInput) =>
    call(catalogueEndpoints.setCogs, { params, query: { cogs, validFrom } })
  const drop = (validFrom: string) => call(catalogueEndpoints.removeCogs, { params, query: { validFrom } })
  const attempt = async (act: () => Promise<unknown>, title: string, undo?: () => Promise<unknown>): Promise<void> => {
    try {
      await act()
      toast({
        title,
        tone: 'success',
        ...(undo && { action: { label: 'Undo', onSelect: () => void attempt(undo, 'Cost restored') } }),
      })
    } catch (error) {
      toast({ title: 'Failed to update product COGS', message: (error as Error).message, tone: 'danger' })
    }
    await refresh()
  }
  return {
    /** Saves a cost; one that moved to another day leaves its day before. */
    save: (input: CostInput, before: Cost | null) =>
      attempt(
        async () => {
          await put(input)
          if (before && before.validFrom !== input.validFrom) await drop(before.validFrom)
        },
        `${formatMoney(input.cogs, customerCurrency)} saved`,
        before === null
          ? () => drop(input.validFrom)
          : async () => {
              await put({ cogs: before.cogs, validFrom: before.validFrom })
              if (before.validFrom !== input.validFrom) await drop(input.validFrom)
            },
      ),
    remove: (cost: Cost) =>
      attempt(
        () => drop(cost.validFrom),
        'Cost removed',
        () => put(cost),
      ),
  }
}

const starts = [
  { value: 'today', label: 'Today' },
  { value: 'day', label: 'A day' },
  { value: 'beginning', label: 'Beginning' },
] as const
type Start = (typeof starts)[number]['value']

interface CostFormProps {
  product: InventoryProduct
  /** The cost that is corrected; null for another one. */
  cost: Cost | null
  onSave: (input: CostInput) => void
  onCancel: () => void
}

function CostForm({ product: { customerCurrency: currency }, cost, onSave, onCancel }: CostFormProps) {
  const { marketplaceId } = useShop()
  const today = useToday(at => dayIn(at, timezoneOfMarketplace(marketplaceId)))
  const [start, setStart] = useState<Start>(
    cost === null ? 'today' : cost.validFrom === beginning ? 'beginning' : cost.validFrom === today ? 'today' : 'day',
  )
  const form = useForm({
    schema: v.object({ ...cogsSchema(currency).entries, day }),
    initial: { cogs: cost?.cogs ?? null, day: cost && cost.validFrom !== beginning ? cost.validFrom : today },
    onSubmit: input =>
      onSave({
        cogs: input.cogs,
        validFrom: start === 'beginning' ? beginning : start === 'today' ? today : input.day,
      }),
  })
  return (
    <form {...form.props} className="cost-form" aria-label="Cost from a day on">
      <MoneyField label="COGS" help="What one unit costs you." currency={currency} {...form.field('cogs')} />
      <p className="metric-label">Valid from</p>
      <Segment label="Valid from" options={starts} value={start} onChange={setStart} />
      {start === 'day' && <TextField label="First day" type="date" {...form.field('day')} />}
      <div className="button-row">
        <Button tone="primary" type="submit">
          Save
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  )
}
