import { type AnyRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { queryClient } from '#client/api/query-client.ts'
import { whenPainted } from '#client/early/when-idle.ts'
import { asinSearch } from './asin/asin-search.ts'
import { hourlySearch } from './hourly/hourly-search.ts'
import { keywordSearch } from './keywords/keyword-search.ts'
import { firstInsight } from './insight-pages.ts'

const loadFirst = () => import('./hourly/hourly-page.tsx')
// As of the list of campaigns: a tab of the bar answers its first tap with what is there.
whenPainted(async () => {
  await loadFirst()
  const { askFirstHours } = await import('./use-insight-page.ts')
  await askFirstHours(queryClient)
})

/** The pages of insights, under the dashboard's layout. /insights leads to the first of them. */
export function insightsRoutes<P extends AnyRoute>(parent: P) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/insights',
      beforeLoad: () => {
        throw redirect({ to: firstInsight, replace: true })
      },
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/insights/keyword-performance',
      validateSearch: keywordSearch,
      component: lazyRouteComponent(() => import('./keywords/keyword-page.tsx'), 'KeywordPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: firstInsight,
      validateSearch: hourlySearch,
      component: lazyRouteComponent(loadFirst, 'HourlyPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/insights/asin-performance',
      validateSearch: asinSearch,
      component: lazyRouteComponent(() => import('./asin/asin-page.tsx'), 'AsinPage'),
    }),
  ]
}
