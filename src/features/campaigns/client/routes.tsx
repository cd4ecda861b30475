import { type AnyRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { megaphoneOutline } from 'ionicons/icons'
import * as v from 'valibot'
import { queryClient } from '#client/api/query-client.ts'
import { rangeSearch } from '#client/ui/forms/date-range.ts'
import type { NavEntry } from '#client/ui/shell/nav-entry.ts'
import { authoritiesOfUser, userQueries } from '#features/auth/client/public.ts'

const maybe = <S extends v.GenericSchema>(schema: S) => v.optional(v.fallback(v.optional(schema), undefined))
const id = maybe(v.pipe(v.number(), v.integer(), v.minValue(1)))
const text = maybe(v.pipe(v.string(), v.maxLength(200)))

/** What a list is narrowed to and ordered by; columns are checked by the page, which knows them. */
const listSearch = {
  ...rangeSearch,
  name: text,
  state: maybe(v.picklist(['ENABLED', 'PAUSED', 'ARCHIVED', 'PROPOSED'])),
  sortBy: text,
  sortDir: maybe(v.picklist(['asc', 'desc'])),
}
const campaignsSearch = v.object({ ...listSearch, campaign: id })
const adGroupsSearch = v.object({ ...listSearch, campaignId: id })
const adGroupSearch = v.object({
  ...listSearch,
  adGroupId: id,
  tab: maybe(v.picklist(['ads', 'keywords', 'targets', 'negatives'])),
})
export type ListSearch = Omit<v.InferOutput<typeof campaignsSearch>, 'campaign'>

// Courtesy only: the server checks every call. Who cannot be asked for (offline, never seen) is let through to the page's own words.
const managersOnly = async (): Promise<void> => {
  const user = await queryClient.ensureQueryData(userQueries.user()).catch(() => null)
  const home: string = '/home'
  if (user && !authoritiesOfUser(user).includes('ACCOUNT_MANAGER')) throw redirect({ to: home, replace: true })
}

/** /campaigns, /adgroups, /adgroup-details and /campaign-edit/{amazonId}, under the dashboard's layout. */
export const campaignsRoutes = <P extends AnyRoute>(parent: P) => [
  createRoute({
    getParentRoute: () => parent,
    path: '/campaigns',
    validateSearch: campaignsSearch,
    beforeLoad: () => managersOnly(),
    component: lazyRouteComponent(() => import('./campaigns-page.tsx'), 'CampaignsPage'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/adgroups',
    validateSearch: adGroupsSearch,
    beforeLoad: () => managersOnly(),
    component: lazyRouteComponent(() => import('./ad-groups-page.tsx'), 'AdGroupsPage'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/adgroup-details',
    validateSearch: adGroupSearch,
    beforeLoad: () => managersOnly(),
    component: lazyRouteComponent(() => import('./ad-group-page.tsx'), 'AdGroupPage'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/campaign-edit/$amazonId',
    beforeLoad: () => managersOnly(),
    component: lazyRouteComponent(() => import('./campaign-edit-page.tsx'), 'CampaignEditPage'),
  }),
]

export const campaignsNavigation: NavEntry[] = [
  { to: '/campaigns', label: 'Campaigns', icon: megaphoneOutline, tab: true },
]
