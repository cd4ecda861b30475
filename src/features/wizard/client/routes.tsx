import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { registerOwnWork } from '#client/api/session/own-work.ts'
import { ownDrafts } from './draft/own-drafts.ts'

registerOwnWork(ownDrafts)

const search = v.object({
  step: v.optional(v.fallback(v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5))), undefined)),
  /** The product (or the campaign) whose keywords, categories or targets are being configured. */
  configure: v.optional(v.fallback(v.optional(v.string()), undefined)),
  /** A launch whose settings are opened as the draft. */
  launch: v.optional(v.fallback(v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))), undefined)),
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
