import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#client/api/call.ts'
import { useOnline } from '#client/api/online.ts'
import { formatDay, formatMoment, formatMoney, formatNumber, formatPercent } from '#client/ui/figures/format.ts'
import { ChoiceCards } from '#client/ui/forms/choices.tsx'
import { ScrollList } from '#client/ui/lists/scroll-list.tsx'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { type Shop, shopText } from '#features/accounts/client/public.ts'
import { targetText } from '#shared/target-text.ts'
import { type OptimizerGroup, optimizerEndpoints, type RestorePreview } from '../../contract.ts'
import { leaveWords, restoreFieldWords } from '../../optimizer-words.ts'
import { optimizerQueries } from '../queries.ts'

type Item = RestorePreview['content'][number]

interface StopSheetProps {
  group: OptimizerGroup
  shop: Shop
  onClose: () => void
}

/** Ends a group: its values stay, or go back to the day of take-over, with what that changes and what it leaves alone. */
export function StopSheet({ group, shop, onClose }: StopSheetProps) {
  const client = useQueryClient()
  const online = useOnline()
  const [end, setEnd] = useState<'KEEP' | 'RESTORE'>('KEEP')
  const preview = useQuery({ ...optimizerQueries.restore(shop, group.id), enabled: end === 'RESTORE' })
  const isRestoring = end === 'RESTORE'
  const stop = useMutation({
    mutationFn: () =>
      call(
        optimizerEndpoints.stop,
        { params: { id: group.id }, body: { restore: isRestoring } },
        { shop: shopText(shop), timeoutMs: 60_000 },
      ),
    onSuccess: ({ restored, left }) => {
      const rest = left.length > 0 ? ` ${formatNumber(left.length)} left alone.` : ''
      toast({
        title: 'Stopped',
        message: isRestoring ? `${formatNumber(restored)} values go back.${rest}` : 'Nothing more is changed.',
        tone: 'success',
      })
      onClose()
    },
    onSettled: async () => {
      void client.invalidateQueries({ predicate: query => query.meta?.figures === true })
      await client.invalidateQueries({ queryKey: optimizerQueries.all })
    },
    meta: { errorTitle: 'Failed to stop optimization' },
  })
  return (
    <Sheet
      open
      title={`Stop ${group.name}`}
      onClose={onClose}
      footer={
        <Button
          tone="danger"
          block
          disabled={!online || (isRestoring && !preview.data)}
          busy={stop.isPending}
          busyLabel="Stopping…"
          onClick={() => stop.mutate()}
        >
          {isRestoring ? 'Stop and put everything back' : 'Stop and leave the values'}
        </Button>
      }
    >
      <p className="take-over-lead">Nothing more is decided, and what was not sent yet is dropped. The log stays.</p>
      <ChoiceCards
        legend="What becomes of the values"
        name="end"
        value={end}
        onChange={setEnd}
        options={[
          {
            value: 'KEEP',
            label: 'Leave them as they are',
            hint: 'The campaigns run on with the present bids and budgets.',
          },
          {
            value: 'RESTORE',
            label: 'Put everything back',
            hint: `To what it was on ${formatMoment(group.takenOverAt, group.timezone)}. What you changed by hand since stays.`,
          },
        ]}
      />
      {isRestoring && (
        <QueryView
          query={preview}
          loading={{ rows: 4, label: 'Loading what would go back' }}
          failedTitle="What would go back could not be loaded"
        >
          {({ content, currency, takenOverAt }) => (
            <RestoreList items={content} currency={currency} since={takenOverAt.slice(0, 10)} />
          )}
        </QueryView>
      )}
    </Sheet>
  )
}

function RestoreList({ items, currency, since }: { items: readonly Item[]; currency: string; since: string }) {
  const changed = items.filter(({ action }) => action !== 'LEAVE')
  const left = items.filter(({ action }) => action === 'LEAVE')
  if (items.length === 0) return <p>Nothing has changed since {formatDay(since)}.</p>
  return (
    <>
      <Items
        title={changed.length === 1 ? '1 goes back' : `${formatNumber(changed.length)} go back`}
        items={changed}
        currency={currency}
      />
      <Items
        title={left.length === 1 ? '1 is left alone' : `${formatNumber(left.length)} are left alone`}
        items={left}
        currency={currency}
      />
    </>
  )
}

function Items({ title, items, currency }: { title: string; items: readonly Item[]; currency: string }) {
  if (items.length === 0) return null
  return (
    <section className="restore-list">
      <h3>{title}</h3>
      <ScrollList
        label={title}
        count={items.length}
        itemKey={index => `${items[index]?.entity} ${items[index]?.entityId} ${items[index]?.field}`}
      >
        {index => {
          const item = items[index]
          return item && <RestoreRow item={item} currency={currency} />
        }}
      </ScrollList>
    </section>
  )
}

const doings: Partial<Record<Item['action'], string>> = {
  PAUSE: 'Is paused: it was created since',
  REMOVE: 'Is removed: it was added since',
}

function RestoreRow({ item, currency }: { item: Item; currency: string }) {
  const { entity, name, campaignName, field, now, atTakeover, action, reason } = item
  const text = (value: Item['now']): string => {
    if (value === null) return '–'
    if (typeof value === 'string') return value.charAt(0) + value.slice(1).toLowerCase().replaceAll('_', ' ')
    return field === 'placement' ? formatPercent(value, 0) : formatMoney(value, currency)
  }
  const doing = doings[action]
  return (
    <div className="restore-row">
      <strong>{entity === 'target' ? targetText({ kind: 'PRODUCT', text: name }) : name}</strong>
      {campaignName !== name && <small>{campaignName}</small>}
      <span>
        {doing ?? (
          <>
            {action === 'LEAVE'
              ? `${restoreFieldWords[field]} stays ${text(now)}, was ${text(atTakeover)}`
              : `${restoreFieldWords[field]} ${text(now)} → ${text(atTakeover)}`}
          </>
        )}
      </span>
      {reason && <small>{leaveWords[reason]}</small>}
    </div>
  )
}
