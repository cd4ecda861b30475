import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { documentTextOutline } from 'ionicons/icons'
import * as v from 'valibot'
import { sessionUser } from '#client/api/session/session.ts'
import { parseJson } from '#client/api/session/token-claims.ts'
import { registerUnsavedWork } from '#client/api/session/unsaved-work.ts'
import { onWipe } from '#client/api/wipe-client-data.ts'
import type { NavEntry } from '#client/ui/shell/navigation/nav-context.ts'
import { onlyFor } from '#features/auth/client/public.ts'
import { followLaunch } from './active-launch.ts'
import { draftPrefixOf } from './draft/draft-keys.ts'

onWipe(() => followLaunch(null))

// This code loads at start, so it reads the stored draft without the schema.
function isUnsaved(text: string | null): boolean {
  const stored = parseJson(text) as { draft?: { changedAt?: unknown } | null; sentAt?: unknown } | null | undefined
  return Boolean(stored?.draft) && stored?.draft?.changedAt !== stored?.sentAt
}

function ownKeys(storage: Storage): string[] {
  const prefix = draftPrefixOf(sessionUser())
  return Object.keys(storage).filter(key => key.startsWith(prefix))
}

// The drafts of the signed-in user survive an expired session; a log-out deletes them.
registerUnsavedWork({
  save: async () => {
    const { saveOwnDraft } = await import('./draft/draft-sync.ts')
    await saveOwnDraft()
  },
  atRisk: () => {
    const unsaved = ownKeys(localStorage).filter(key => isUnsaved(localStorage.getItem(key))).length
    if (unsaved === 0) return null
    return unsaved === 1
      ? 'Your unfinished campaign is not saved on our server yet and will be lost.'
      : `${unsaved} unfinished campaigns are not saved on our server yet and will be lost.`
  },
  forget: () => {
    for (const storage of [localStorage, sessionStorage]) for (const key of ownKeys(storage)) storage.removeItem(key)
  },
})

/** A search parameter that is left out when it is wrong. */
const param = <S extends v.GenericSchema>(schema: S) => v.optional(v.fallback(v.optional(schema), undefined))
const whole = v.pipe(v.number(), v.integer())
const count = param(v.pipe(whole, v.minValue(0)))
const logSearch = v.object({ page: count, size: count })

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
  step: param(v.pipe(whole, v.minValue(1), v.maxValue(5))),
  configure: param(v.string()),
  launch: param(v.pipe(whole, v.minValue(1))),
  /** The ASIN of the product to begin with. */
  product: param(v.pipe(v.string(), v.regex(/^[A-Z0-9]{10}$/))),
})

export function wizardRoutes<P extends AnyRoute>(parent: P) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/create-campaign',
      beforeLoad: onlyFor('MERCHANT_MANAGER'),
      validateSearch: wizardSearch,
      component: lazyRouteComponent(() => import('./wizard/wizard-page.tsx'), 'WizardPage'),
    }),
  ]
}
