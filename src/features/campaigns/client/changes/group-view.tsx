import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { failureMessage } from '#client/api/api-error.ts'
import { useEvents } from '#client/api/events.ts'
import { formatMoment, formatNumber } from '#client/ui/figures/format.ts'
import { ScrollList } from '#client/ui/lists/scroll-list.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { ProgressBar } from '#client/ui/states/progress-bar.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { type Shop, shopText, useMayChange } from '#features/accounts/client/public.ts'
import type { ChangeGroup, EditableEntity, GroupItem } from '#features/structure/contract.ts'
import { timezoneOfMarketplace } from '#shared/marketplace-timezones.ts'
import { useActiveBulk } from '../bulk/active-bulk.ts'
import { type NamedItem, sendBulk } from '../bulk/send-bulk.ts'
import { targetName } from '../form/field-labels.ts'
import { ChangedValue, originLabels } from './changed-value.tsx'
import { changeQueries, GROUP_PAGE, readRejected } from './change-queries.ts'
import { useUndo } from './use-undo.ts'

const pollMs = 2000

/** The changes of one act, refreshed until the marketplace has answered for all of them. */
export function useGroup(shop: Shop, groupId: string, isSending = false) {
  const isWaiting = (group: ChangeGroup | undefined): boolean => isSending || (group?.pending ?? 0) > 0
  const query = useQuery({
    ...changeQueries.group(shop, groupId),
    // Until the first part is saved there is no group yet.
    retry: isSending ? 30 : 1,
    retryDelay: pollMs,
    refetchInterval: ({ state }) => (isWaiting(state.data) ? pollMs : false),
  })
  useEvents('/events', ({ event }) => event === 'campaigns' && void query.refetch(), { enabled: isWaiting(query.data) })
  return query
}

/** What became of the changes of one act: how far the marketplace is, what it rejected and why, retry and undo. */
export function GroupView({ shop, groupId, isSending = false }: { shop: Shop; groupId: string; isSending?: boolean }) {
  const query = useGroup(shop, groupId, isSending)
  return (
    <QueryView
      query={query}
      loading={{ rows: 4, label: 'Loading the changes' }}
      notFound={<EmptyState title="There is no such group of changes" />}
    >
      {group => (
        <>
          <p className="bulk-hint">
            {`${group.by ?? originLabels[group.origin]}, ${formatMoment(group.at, timezoneOfMarketplace(shop.marketplaceId))}`}
          </p>
          <Progress group={group} />
          <GroupActions group={group} shop={shop} isSending={isSending} />
          <Items group={group} shop={shop} />
        </>
      )}
    </QueryView>
  )
}

/** Every change of the group: more are loaded as the end of the list comes near. */
function Items({ group, shop }: { group: ChangeGroup; shop: Shop }) {
  const isSettled = group.pending === 0
  const further = useInfiniteQuery({
    ...changeQueries.furtherItems(shop, group.groupId, isSettled),
    enabled: group.total > GROUP_PAGE,
  })
  // The order follows what became of each: until all are answered one may be on two pages.
  const items = [...new Map([...group.items, ...(further.data ?? [])].map(item => [item.changeId, item])).values()]
  const isMissing = further.hasNextPage && !further.isFetchingNextPage && !further.isFetchNextPageError
  return (
    <>
      <ScrollList
        count={items.length}
        itemKey={i => items[i]?.changeId ?? i}
        label="Changes"
        estimate={64}
        onRange={({ last }) => {
          if (isMissing && last > items.length - nearEnd) void further.fetchNextPage()
        }}
      >
        {i => items[i] && <Item item={items[i]} currency={group.currency} />}
      </ScrollList>
      {further.isFetchNextPageError && (
        <Button onClick={() => void further.fetchNextPage()}>Try to load more changes again</Button>
      )}
    </>
  )
}
const nearEnd = 50

function Progress({ group: { total, pending, accepted, rejected, undone } }: { group: ChangeGroup }) {
  const parts = [
    ...(pending ? [`${formatNumber(pending)} being sent`] : []),
    ...(accepted > undone || !pending ? [`${formatNumber(accepted - undone)} accepted`] : []),
    ...(rejected ? [`${formatNumber(rejected)} rejected`] : []),
    ...(undone ? [`${formatNumber(undone)} undone`] : []),
  ]
  return (
    <>
      {pending > 0 && <ProgressBar label="Answered by the marketplace" value={(total - pending) / total} />}
      <p className="bulk-summary" aria-live="polite">
        {accepted === total && undone === 0
          ? `All ${formatNumber(total)} accepted.`
          : `${parts.join(', ')} of ${formatNumber(total)}.`}
      </p>
    </>
  )
}

/** The rejected changes again, those of one row together. */
function againOf(items: readonly GroupItem[]): NamedItem[] {
  const rejected = items.filter(({ status, field }) => status === 'REJECTED' && field !== null)
  return [...Map.groupBy(rejected, ({ entity, entityId }) => `${entity} ${entityId}`).values()].flatMap(all => {
    const [first] = all
    if (!first || first.entity === 'negative') return []
    const set = Object.fromEntries(all.map(({ field, after }) => [field ?? '', after]))
    const entity: EditableEntity = first.entity
    return [{ entity, id: first.entityId, version: first.version, name: first.name, set }]
  })
}

interface GroupActionsProps {
  group: ChangeGroup
  shop: Shop
  isSending: boolean
}

function GroupActions({ group, shop, isSending }: GroupActionsProps) {
  const client = useQueryClient()
  const mayChange = useMayChange()
  const { undo, isPending } = useUndo()
  const isElsewhere = useActiveBulk()?.groupId !== group.groupId
  const { groupId, origin, total, rejected, undone, items } = group
  const again = againOf(items)
  const [isLoading, setLoading] = useState(false)
  const isUndoable = !isSending && total > rejected + undone && items.some(item => canUndo(item))
  if (!mayChange || (!isUndoable && again.length === 0)) return null
  const retry = async (): Promise<void> => {
    setLoading(true)
    try {
      const all = againOf(rejected > items.length ? await readRejected(groupId, rejected) : items)
      void sendBulk(client, {
        items: all,
        title: `Try ${formatNumber(all.length)} again`,
        what: 'rows',
        shop: shopText(shop),
        // What another person, a rule or the marketplace did stays a group of its own.
        ...(origin === 'USER' && !isElsewhere && { groupId }),
      })
    } catch (error) {
      toast({ title: 'Not tried again', message: failureMessage(error), tone: 'danger' })
    } finally {
      setLoading(false)
    }
  }
  return (
    <div className="button-row">
      {again.length > 0 && (
        <Button
          tone="primary"
          disabled={isSending}
          busy={isLoading}
          busyLabel="Loading the rejected…"
          onClick={() => void retry()}
        >
          {`Try the ${formatNumber(rejected > items.length ? rejected : again.length)} rejected again`}
        </Button>
      )}
      {isUndoable && (
        <Button busy={isPending} busyLabel="Undoing…" onClick={() => void undo({ groupId })}>
          Undo all
        </Button>
      )}
    </div>
  )
}

/** Whether a change has anything to undo; what was created and what was archived has not. */
export const canUndo = (change: { field: string | null; after: unknown; entity: string }): boolean =>
  change.field !== null &&
  change.field !== 'syncState' &&
  change.entity !== 'negative' &&
  !(change.field === 'state' && change.after === 'ARCHIVED')

const statusText = { PENDING: 'Being sent', ACCEPTED: 'Accepted', REJECTED: 'Rejected' } as const

function Item({ item, currency }: { item: GroupItem; currency: string }) {
  const { entity, name, field, before, after, status, message, isUndone } = item
  return (
    <div className="bulk-row">
      <span className="bulk-row-name">{entity === 'target' ? targetName({ kind: 'AUTO', text: name }) : name}</span>
      {field === null ? (
        <span>Created</span>
      ) : (
        <ChangedValue entity={entity} field={field} before={before} after={after} currency={currency} />
      )}
      <span className={status === 'REJECTED' ? 'bulk-row-problem' : 'bulk-row-status'}>
        {isUndone ? 'Undone' : statusText[status]}
        {message && `: ${message}`}
      </span>
    </div>
  )
}
