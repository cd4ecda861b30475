import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { notificationsOutline } from 'ionicons/icons'
import * as v from 'valibot'
import type { NavEntry } from '#client/ui/shell/navigation/nav-context.ts'

const search = v.object({
  /** The notification whose card comes first, as a push opens it. */
  id: v.optional(v.fallback(v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))), undefined)),
  show: v.optional(v.fallback(v.optional(v.picklist(['unread'])), undefined)),
})

const unsubscribeSearch = v.object({ token: v.optional(v.fallback(v.string(), '')) })

/** Where the link of a digest leads, for everybody. */
export function unsubscribeRoutes<P extends AnyRoute>(parent: P) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/unsubscribe',
      validateSearch: unsubscribeSearch,
      component: lazyRouteComponent(() => import('./unsubscribe-page.tsx'), 'UnsubscribePage'),
    }),
  ]
}

/** /notifications, under the dashboard's layout. */
export function notificationsRoutes<P extends AnyRoute>(parent: P) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/notifications',
      validateSearch: search,
      component: lazyRouteComponent(() => import('./notifications-page.tsx'), 'NotificationsPage'),
    }),
  ]
}

export const notificationsNavigation: NavEntry[] = [
  { to: '/notifications', label: 'Notifications', icon: notificationsOutline },
]
