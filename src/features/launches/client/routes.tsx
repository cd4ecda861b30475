import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { documentTextOutline } from 'ionicons/icons'
import * as v from 'valibot'
import { onWipe } from '#client/api/wipe-client-data.ts'
import type { NavEntry } from '#client/ui/shell/navigation/nav-context.ts'
import { registerUnsavedWork } from '#client/api/session/unsaved-work.ts'
import { followLaunch } from './active-launch.ts'
import { ownDrafts } from './draft/own-drafts.ts'

onWipe(() => followLaunch(null))
registerUnsavedWork(ownDrafts)

const number = v.optional(v.fallback(v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))), undefined))
const logSearch = v.object({ page: number, size: number })

/** /create-campaign-logs, under the dashboard's layout. */
export function launchesRoutes<P extends AnyRoute>(parent: P) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/create-campaign-logs',
      validateSearch: logSearch,
      component: lazyRouteComponent(() => import('./log/launch-log-page.tsx'), 'LaunchLogPage'),
    }),
  ]
}

export const launchesNavigation: NavEntry[] = [
  { to: '/create-campaign-logs', label: 'Launches', icon: documentTextOutline, group: 'Campaigns' },
]

const wizardSearch = v.object({
  step: v.optional(v.fallback(v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5))), undefined)),
  /** The product (or the campaign) whose keywords, categories or targets are being configured. */
  configure: v.optional(v.fallback(v.optional(v.string()), undefined)),
  /** A launch whose settings are opened as the draft. */
  launch: v.optional(v.fallback(v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))), undefined)),
})

/** /create-campaign, without the dashboard. */
export function wizardRoutes<P extends AnyRoute>(parent: P) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/create-campaign',
      validateSearch: wizardSearch,
      component: lazyRouteComponent(() => import('./wizard/wizard-page.tsx'), 'WizardPage'),
    }),
  ]
}
