import './bell.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { notificationsOutline } from 'ionicons/icons'
import { useEffect } from 'react'
import { useEvents } from '#client/api/events.ts'
import { formatNumber } from '#client/ui/figures/format.ts'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { notificationQueries } from './queries.ts'

const mostShown = 99

/** The way to the notifications, with how many wait for a decision; else how many are unread. */
export function Bell() {
  const client = useQueryClient()
  const { data } = useQuery(notificationQueries.counts())
  const refresh = () => void client.invalidateQueries({ queryKey: notificationQueries.all })
  useEvents('/events', event => event.event === 'notifications' && refresh(), { onReconnect: refresh })
  const { openCount = 0, unreadCount = 0 } = data ?? {}
  const count = openCount || unreadCount
  useAppBadge(data?.openCount)
  return (
    <Link to={'/notifications' as string} className="icon-button bell">
      <Icon icon={notificationsOutline} />
      <span className="visually-hidden">Notifications</span>
      {count > 0 && (
        <>
          <span className={openCount > 0 ? 'bell-count bell-open' : 'bell-count'} aria-hidden="true">
            {count > mostShown ? `${mostShown}+` : count}
          </span>
          <span className="visually-hidden">{spoken(openCount, unreadCount)}</span>
        </>
      )}
    </Link>
  )
}

const spoken = (open: number, unread: number): string =>
  [
    open === 1 ? '1 waits for a decision' : open > 0 && `${formatNumber(open)} wait for a decision`,
    unread > 0 && `${formatNumber(unread)} unread`,
  ]
    .filter(Boolean)
    .join(', ')

/** The badge of the installed app: what waits for a decision. */
function useAppBadge(count: number | undefined): void {
  useEffect(() => {
    if (count === undefined || !('setAppBadge' in navigator)) return
    void navigator.setAppBadge(count).catch(() => undefined)
  }, [count])
}
