import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { repeatOutline } from 'ionicons/icons'
import * as v from 'valibot'
import { rangeSearch } from '#client/ui/forms/range-search.ts'
import type { NavEntry } from '#client/ui/shell/navigation/nav-context.ts'
import { onlyFor } from '#features/auth/client/public.ts'

export const optimizerNavigation: NavEntry[] = [
  {
    to: '/automation-logs',
    label: 'Automation',
    icon: repeatOutline,
    group: 'Campaigns',
    authorities: ['MERCHANT_MANAGER'],
  },
]

/** A search parameter that is left out when it is wrong. */
const param = <S extends v.GenericSchema>(schema: S) => v.optional(v.fallback(v.optional(schema), undefined))
const id = param(v.pipe(v.number(), v.integer(), v.minValue(1)))
const word = param(v.pipe(v.string(), v.maxLength(20)))

const logSearch = v.object({
  ...rangeSearch,
  group: id,
  campaign: id,
  /** Checked by the page, which knows them. */
  kind: word,
  state: word,
  /** The decision that is open. */
  row: id,
})
export type LogSearch = v.InferOutput<typeof logSearch>

const groupSearch = v.object({ sheet: param(v.picklist(['settings', 'stop'])), row: id })

/** The log and the groups, under the dashboard's layout. */
export function optimizerRoutes<P extends AnyRoute>(parent: P) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/automation-logs',
      validateSearch: logSearch,
      beforeLoad: onlyFor('MERCHANT_MANAGER'),
      component: lazyRouteComponent(() => import('./log/log-page.tsx'), 'LogPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/automation-groups',
      beforeLoad: onlyFor('MERCHANT_MANAGER'),
      component: lazyRouteComponent(() => import('./groups/groups-page.tsx'), 'GroupsPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/automation-groups/$groupId',
      validateSearch: groupSearch,
      beforeLoad: onlyFor('MERCHANT_MANAGER'),
      component: lazyRouteComponent(() => import('./groups/group-page.tsx'), 'GroupPage'),
    }),
  ]
}

const takeOverSearch = v.object({
  step: param(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(6))),
  /** Ids with commas between them: what was selected. */
  campaigns: param(v.pipe(v.union([v.number(), v.string()]), v.transform(String), v.regex(/^\d{1,15}(,\d{1,15})*$/))),
})

/** Taking campaigns over, without the frame, like the wizard. */
export function takeOverRoutes<P extends AnyRoute>(parent: P) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/take-over',
      validateSearch: takeOverSearch,
      beforeLoad: onlyFor('MERCHANT_MANAGER'),
      component: lazyRouteComponent(() => import('./take-over/take-over-page.tsx'), 'TakeOverPage'),
    }),
  ]
}
