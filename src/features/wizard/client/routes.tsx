import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { onWipe } from '#client/api/wipe-client-data.ts'
import { wipeDrafts } from './draft/wipe-drafts.ts'

onWipe(wipeDrafts)

const search = v.object({
  step: v.optional(v.fallback(v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5))), undefined)),
  /** The product (or the campaign) whose keywords, categories or targets are being configured. */
  configure: v.optional(v.fallback(v.optional(v.string()), undefined)),
})

/** /create-campaign, without the dashboard. */
export const wizardRoutes = <P extends AnyRoute>(parent: P) => [
  createRoute({
    getParentRoute: () => parent,
    path: '/create-campaign',
    validateSearch: search,
    component: lazyRouteComponent(() => import('./wizard-page.tsx'), 'WizardPage'),
  }),
]
