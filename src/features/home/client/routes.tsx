import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { homeOutline } from 'ionicons/icons'
import * as v from 'valibot'
import { rangeSearch } from '#client/ui/forms/date-range.ts'
import type { NavEntry } from '#client/ui/shell/nav-entry.ts'

const search = v.object({
  ...rangeSearch,
  view: v.optional(v.fallback(v.optional(v.picklist(['money', 'efficiency', 'traffic'])), undefined)),
  step: v.optional(v.fallback(v.optional(v.picklist(['DAY', 'WEEK', 'MONTH'])), undefined)),
})

/** /home, under the dashboard's layout. */
export const homeRoutes = <P extends AnyRoute>(parent: P) => [
  createRoute({
    getParentRoute: () => parent,
    path: '/home',
    validateSearch: search,
    component: lazyRouteComponent(() => import('./home-page.tsx'), 'HomePage'),
  }),
]

export const homeNavigation: NavEntry[] = [{ to: '/home', label: 'Home', icon: homeOutline, tab: true }]
