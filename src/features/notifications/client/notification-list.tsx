import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call } from '#client/api/call.ts'
import { useOnline } from '#client/api/online.ts'
import { DataAge } from '#client/ui/figures/data-age.tsx'
import { formatMoment } from '#client/ui/figures/format.ts'
import { Segment } from '#client/ui/forms/segment.tsx'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { type AppNotification, kinds, notificationEndpoints as endpoints } from '../contract.ts'
import { notificationQueries } from './queries.ts'
import type { Decisions } from './use-decisions.ts'
import { kindIcons } from './words.ts'

interface ListProps {
  isUnreadOnly: boolean
  onFilter: (isUnreadOnly: boolean) => void
  chosen: number | undefined
  decisions: Decisions
}

/** All notifications of the user, newest first. */
export function NotificationList({ isUnreadOnly, onFilter, chosen, decisions }: ListProps) {
  const query = useInfiniteQuery(notificationQueries.list({ unread: isUnreadOnly }))
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const unread = query.data?.pages[0]?.unreadCount ?? 0
  return (
    <section className="note-list" aria-labelledby="all-notifications">
      <div className="note-list-head">
        <h2 id="all-notifications">All notifications</h2>
        {unread > 0 && <ReadAll />}
      </div>
      <Segment
        label="Which notifications"
        value={isUnreadOnly ? 'unread' : 'all'}
        options={[
          { value: 'all', label: 'All' },
          { value: 'unread', label: 'Unread' },
        ]}
        onChange={value => onFilter(value === 'unread')}
      />
      <QueryView
        query={query}
        loading={{ rows: 4, label: 'Loading the notifications' }}
        empty={({ pages }) =>
          !pages[0]?.content.length && (
            <EmptyState
              title={isUnreadOnly ? 'Nothing is unread' : 'No notifications yet'}
              hint={
                isUnreadOnly ? 'What you have read is under All.' : 'What needs you, and what is done, is shown here.'
              }
            />
          )
        }
      >
        {({ pages }) => (
          <ul>
            {pages
              .flatMap(page => page.content)
              .map(one => (
                <Row key={one.id} one={one} isChosen={one.id === chosen} decisions={decisions} />
              ))}
          </ul>
        )}
      </QueryView>
      {hasNextPage && (
        <Button block busy={isFetchingNextPage} busyLabel="Loading…" onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </section>
  )
}

function ReadAll() {
  const client = useQueryClient()
  const online = useOnline()
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(endpoints.readAll, {}),
    onSettled: () => client.invalidateQueries({ queryKey: notificationQueries.all }),
  })
  return (
    <Button busy={isPending} disabled={!online} onClick={() => mutate()}>
      Mark all as read
    </Button>
  )
}

interface RowProps {
  one: AppNotification
  isChosen: boolean
  decisions: Decisions
}

function Row({ one, isChosen, decisions }: RowProps) {
  const online = useOnline()
  const { id, kind, title, merchant, createdAt, readAt, canUndo } = one
  const status = statusOf(one)
  return (
    <li className="note-row" data-unread={readAt === null || undefined} data-chosen={isChosen || undefined}>
      <Icon icon={kindIcons[kind]} />
      <div>
        <Link to={'/notifications' as string} search={previous => ({ ...previous, id })} data-row={id}>
          {readAt === null && <span className="visually-hidden">Unread: </span>}
          {title}
        </Link>
        <p>
          {[kinds[kind].label, merchant?.name].filter(Boolean).join(' · ')} · <DataAge at={createdAt} prefix="" />
        </p>
        {status && <p className={one.status === 'OPEN' ? 'note-open' : 'note-status'}>{status}</p>}
      </div>
      {canUndo && (
        <Button disabled={!online} onClick={() => void decisions.undo(one)}>
          Undo<span className="visually-hidden"> the decision about {title}</span>
        </Button>
      )}
    </li>
  )
}

/** What became of it, in words; null of what there is nothing to decide about. */
export function statusOf({ status, snoozedUntil, decision }: AppNotification): string | null {
  switch (status) {
    case 'OPEN':
      return 'Waits for a decision'
    case 'SNOOZED':
      return snoozedUntil ? `Snoozed until ${formatMoment(snoozedUntil)}` : 'Snoozed'
    case 'DONE':
    case 'DISMISSED':
      return decision ?? (status === 'DONE' ? 'Done' : 'Dismissed')
    case 'SETTLED':
      return 'Over without a decision'
    case 'NEWS':
      return null
  }
}
