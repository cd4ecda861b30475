import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { onlineManager } from '@tanstack/react-query'
import { figuresPersister } from '#client/api/memory/persist-figures.ts'
import { queryClient } from '#client/api/query-client.ts'
import { whenPainted } from '#client/early/when-idle.ts'
import { onlyFor } from '#features/auth/client/public.ts'
import { historySearch } from './changes/history-search.ts'
import { adGroupSearch, adGroupsSearch, campaignsSearch, contentsSearch } from './list/list-search.ts'
import { negativesSearch } from './negatives/negatives-search.ts'
import { termsSearch } from './search-terms/terms-search.ts'

// Without network a campaign that nobody has opened here is shown as the lists on the device have it.
async function withStoredLists(): Promise<void> {
  if (!onlineManager.isOnline()) await figuresPersister.restoreQueries(queryClient, { queryKey: ['campaigns', 'list'] })
}

const loadList = () => import('./list/campaigns-page.tsx')
// The first tap leads there most often: then its code has been evaluated, and its rows have come.
whenPainted(async () => {
  await loadList()
  const { askFirstRows } = await import('./list/use-list-page.ts')
  await askFirstRows(queryClient)
})

/** Campaigns, what is in them, their search terms, negatives and history, under the dashboard's layout. */
export function campaignsRoutes<P extends AnyRoute>(parent: P) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/campaigns',
      validateSearch: campaignsSearch,
      beforeLoad: onlyFor('MERCHANT_MANAGER'),
      loader: withStoredLists,
      component: lazyRouteComponent(loadList, 'CampaignsPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/adgroups',
      validateSearch: adGroupsSearch,
      beforeLoad: onlyFor('MERCHANT_MANAGER'),
      component: lazyRouteComponent(() => import('./ad-groups/ad-groups-page.tsx'), 'AdGroupsPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/keywords',
      validateSearch: contentsSearch,
      beforeLoad: onlyFor('MERCHANT_MANAGER'),
      component: lazyRouteComponent(() => import('./ad-groups/contents-page.tsx'), 'KeywordsPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/targets',
      validateSearch: contentsSearch,
      beforeLoad: onlyFor('MERCHANT_MANAGER'),
      component: lazyRouteComponent(() => import('./ad-groups/contents-page.tsx'), 'TargetsPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/ads',
      validateSearch: contentsSearch,
      beforeLoad: onlyFor('MERCHANT_MANAGER'),
      component: lazyRouteComponent(() => import('./ad-groups/contents-page.tsx'), 'AdsPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/adgroup-details',
      validateSearch: adGroupSearch,
      beforeLoad: onlyFor('MERCHANT_MANAGER'),
      component: lazyRouteComponent(() => import('./ad-groups/ad-group-page.tsx'), 'AdGroupPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/campaign-edit/$amazonId',
      beforeLoad: onlyFor('MERCHANT_MANAGER'),
      loader: withStoredLists,
      component: lazyRouteComponent(() => import('./form/campaign-edit-page.tsx'), 'CampaignEditPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/search-terms',
      validateSearch: termsSearch,
      beforeLoad: onlyFor('MERCHANT_MANAGER'),
      component: lazyRouteComponent(() => import('./search-terms/search-terms-page.tsx'), 'SearchTermsPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/changes',
      validateSearch: historySearch,
      beforeLoad: onlyFor('MERCHANT_MANAGER'),
      component: lazyRouteComponent(() => import('./changes/history-page.tsx'), 'HistoryPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/negatives',
      validateSearch: negativesSearch,
      beforeLoad: onlyFor('MERCHANT_MANAGER'),
      component: lazyRouteComponent(() => import('./negatives/negatives-page.tsx'), 'NegativesPage'),
    }),
  ]
}
