import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import { useEvents } from '#client/api/events.ts'
import { formatMoment, formatNumber } from '#client/ui/figures/format.ts'
import { ScrollList } from '#client/ui/lists/scroll-list.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { ProgressBar } from '#client/ui/states/progress-bar.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { type Shop, shopText, useMayChange } from '#features/accounts/client/public.ts'
import { changeEndpoints, type ChangeGroup, type EntityChange, type GroupItem } from '#features/structure/contract.ts'
import { timezoneOfMarketplace } from '#shared/marketplace-timezones.ts'
import { targetText } from '#shared/target-text.ts'
import { campaignQueries } from '../queries.ts'
import { ChangedValue, hasValues, originLabels } from './changed-value.tsx'
import { changeQueries, GROUP_PAGE } from './change-queries.ts'
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
        {undone === total
          ? `All ${formatNumber(total)} undone.`
          : accepted === total && undone === 0
            ? `All ${formatNumber(total)} accepted.`
            : `${parts.join(', ')} of ${formatNumber(total)}.`}
      </p>
    </>
  )
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
  const { groupId, total, rejected, undone, items } = group
  const retry = useMutation({
    mutationFn: () =>
      call(changeEndpoints.retryGroup, { params: { groupId } }, { shop: shopText(shop), timeoutMs: 60_000 }),
    onSuccess: ({ retried, failed, message }) =>
      toast({
        title: `${formatNumber(retried)} sent again`,
        ...(failed > 0 && { message: `${formatNumber(failed)} could not be sent: ${message ?? ''}`, tone: 'warning' }),
      }),
    onSettled: () => client.invalidateQueries({ queryKey: campaignQueries.all }),
    meta: { errorTitle: 'Not tried again' },
  })
  const isUndoable = !isSending && total > rejected + undone && items.some(item => canUndo(item))
  if (!mayChange || (!isUndoable && rejected === 0)) return null
  const archives = items.some(item => isCreated(item))
  return (
    <div className="button-row">
      {rejected > 0 && (
        <Button
          tone="primary"
          disabled={isSending}
          busy={retry.isPending}
          busyLabel="Sending…"
          onClick={() => retry.mutate()}
        >
          {`Try the ${formatNumber(rejected)} rejected again`}
        </Button>
      )}
      {isUndoable && (
        <Button busy={isPending} busyLabel="Undoing…" onClick={() => void undo({ groupId }, { archives })}>
          Undo all
        </Button>
      )}
    </div>
  )
}

type Undoable = Pick<EntityChange, 'field' | 'after' | 'entity'>

/** Whether a change created something: its undo archives that for good. */
export const isCreated = ({ field }: Pick<Undoable, 'field'>): boolean => field === null

/** Whether a change has anything to undo; what was archived has not. */
export const canUndo = (change: Undoable): boolean =>
  isCreated(change) ||
  (hasValues(change.field) &&
    change.entity !== 'negative' &&
    !(change.field === 'state' && change.after === 'ARCHIVED'))

const statusText = { PENDING: 'Being sent', ACCEPTED: 'Accepted', REJECTED: 'Rejected' } as const

function Item({ item, currency }: { item: GroupItem; currency: string }) {
  const { entity, name, field, before, after, status, message, isUndone } = item
  return (
    <div className="bulk-row">
      <span className="bulk-row-name">
        {entity === 'target' || entity === 'negative' ? targetText({ kind: 'AUTO', text: name }) : name}
      </span>
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
