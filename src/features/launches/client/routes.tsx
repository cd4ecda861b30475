import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { documentTextOutline } from 'ionicons/icons'
import * as v from 'valibot'
import { onWipe } from '#client/api/wipe-client-data.ts'
import type { NavEntry } from '#client/ui/shell/navigation/nav-entry.ts'
import { followLaunch } from './active-launch.ts'

onWipe(() => followLaunch(null))

const number = v.optional(v.fallback(v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))), undefined))
const search = v.object({ page: number, size: number })

/** /create-campaign-logs, under the dashboard's layout. */
export const launchesRoutes = <P extends AnyRoute>(parent: P) => [
  createRoute({
    getParentRoute: () => parent,
    path: '/create-campaign-logs',
    validateSearch: search,
    component: lazyRouteComponent(() => import('./log/launch-log-page.tsx'), 'LaunchLogPage'),
  }),
]

export const launchesNavigation: NavEntry[] = [
  { to: '/create-campaign-logs', label: 'Launches', icon: documentTextOutline, group: 'Campaigns' },
]
