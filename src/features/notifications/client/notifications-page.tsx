import './notifications.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { isNotFound } from '#client/api/api-error.ts'
import { call } from '#client/api/call.ts'
import { useOnline } from '#client/api/online.ts'
import { serverAheadMs } from '#client/api/server-clock.ts'
import { DataAge, OfflineAge } from '#client/ui/figures/data-age.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { useRoleIn } from '#features/accounts/client/public.ts'
import { type AppNotification, notificationEndpoints as endpoints } from '../contract.ts'
import { NotificationCard } from './deck/card.tsx'
import { Deck } from './deck/deck.tsx'
import { NotificationList, statusOf } from './notification-list.tsx'
import { PushOffer } from './push-offer.tsx'
import { notificationQueries } from './queries.ts'
import { type Decisions, useDecisions } from './use-decisions.ts'

const route = getRouteApi('/dashboard/notifications')

/** What needs a decision as a deck, and all notifications below it, from 768 px beside it. */
export function NotificationsPage() {
  const { id, show } = route.useSearch()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const choose = (next: number | undefined): void =>
    void navigate({ search: previous => ({ ...previous, id: next }), replace: true })
  // What comes after a card that was opened by its address is the next one.
  const decisions = useDecisions(decided => decided === id && choose(undefined))
  const open = useQuery(notificationQueries.open())
  const cards = (open.data?.content ?? []).filter(one => !decisions.decided.includes(one.id))
  const first = cards.find(one => one.id === id)
  const isElsewhere = id !== undefined && !first && !open.isPending
  const other = useQuery(useOneQuery(isElsewhere ? id : undefined))
  const onTop = first ?? cards.find(one => one.id === decisions.returned)
  const inOrder = onTop ? [onTop, ...cards.filter(one => one !== onTop)] : cards
  const top = isElsewhere ? other.data : inOrder[0]
  useReadOnSight(top)
  return (
    <Page
      title="Notifications"
      status={<OfflineAge updatedAt={[open.dataUpdatedAt]} />}
      onRefresh={() => client.invalidateQueries({ queryKey: notificationQueries.all })}
      wide
    >
      <div className="notes">
        <div className="notes-deck">
          {isElsewhere && isNotFound(other.error) ? (
            <Nowhere onClose={() => choose(undefined)} />
          ) : isElsewhere ? (
            <QueryView
              query={other}
              loading={{ rows: 1, kind: 'card', label: 'Loading the notification' }}
              failedTitle="The notification could not be loaded"
            >
              {one => <Decided one={one} decisions={decisions} onClose={() => choose(undefined)} />}
            </QueryView>
          ) : (
            <QueryView
              query={open}
              loading={{ rows: 1, kind: 'card', label: 'Loading what needs a decision' }}
              failedTitle="What needs a decision could not be loaded"
            >
              {() => (
                <>
                  <CardDeck cards={inOrder} decisions={decisions} />
                  {!inOrder.length && (
                    <p className="notes-checked">
                      <DataAge at={open.dataUpdatedAt + serverAheadMs()} prefix="Checked" />
                    </p>
                  )}
                </>
              )}
            </QueryView>
          )}
        </div>
        {cards.length > 0 && (
          <PushOffer
            title="Be notified in time"
            reason="A notification on this device says when a budget runs out or spend is unusual, even while Tideline is closed."
            settled={null}
          />
        )}
        <NotificationList
          isUnreadOnly={show === 'unread'}
          onFilter={isUnread =>
            void navigate({
              search: previous => ({ ...previous, show: isUnread ? 'unread' : undefined }),
              replace: true,
            })
          }
          chosen={top?.id}
          decisions={decisions}
        />
      </div>
    </Page>
  )
}

/** A viewer may look, snooze and dismiss for themselves, but not act. Until that is known nothing moves, and the server decides. */
function CardDeck({ cards, decisions }: { cards: readonly AppNotification[]; decisions: Decisions }) {
  const { role } = useRoleIn(cards[0]?.merchant?.id)
  return <Deck cards={cards} decisions={decisions} mayAct={role !== 'VIEWER'} />
}

/** One that no longer waits, by its id; what the list has of it stands until the answer is there. */
function useOneQuery(id: number | undefined) {
  const client = useQueryClient()
  const fromList = (): AppNotification | undefined =>
    client
      .getQueriesData<{ pages: { content: AppNotification[] }[] }>({ queryKey: [...notificationQueries.all, 'list'] })
      .flatMap(([, data]) => data?.pages.flatMap(page => page.content) ?? [])
      .find(one => one.id === id)
  return { ...notificationQueries.one(id ?? 0), enabled: id !== undefined, placeholderData: fromList }
}

function Nowhere({ onClose }: { onClose: () => void }) {
  return (
    <Card title="This notification is not here">
      <p className="notes-nowhere">
        It belongs to another log-in, is of a merchant that you no longer have, or is older than 180 days.
      </p>
      <Button onClick={onClose}>Back to what needs a decision</Button>
    </Card>
  )
}

function Decided({ one, decisions, onClose }: { one: AppNotification; decisions: Decisions; onClose: () => void }) {
  const online = useOnline()
  return (
    <section className="deck" aria-label="Notification">
      <article className="deck-card deck-over">
        <NotificationCard one={one} />
        <p className="note-status">{statusOf(one)}</p>
        <div className="deck-buttons">
          {one.canUndo && (
            <Button disabled={!online} onClick={() => void decisions.undo(one)}>
              Undo
            </Button>
          )}
          <Button onClick={onClose}>Back to what needs a decision</Button>
        </div>
      </article>
    </section>
  )
}

/** Marks as read what is in sight, on all devices. */
function useReadOnSight(one: AppNotification | undefined): void {
  const client = useQueryClient()
  const online = useOnline()
  const id = one && one.readAt === null && online ? one.id : undefined
  const read = useEffectEvent(async (shown: number) => {
    await call(endpoints.read, { params: { id: shown } }).catch(() => undefined)
    await client.invalidateQueries({ queryKey: notificationQueries.all })
  })
  useEffect(() => {
    if (id !== undefined) void read(id)
  }, [id])
}
