import { type AnyRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { asinSearch } from './asin/asin-search.ts'
import { hourlySearch } from './hourly/hourly-search.ts'
import { keywordSearch } from './keywords/keyword-search.ts'
import { firstInsight } from './insight-pages.ts'

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
      component: lazyRouteComponent(() => import('./hourly/hourly-page.tsx'), 'HourlyPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/insights/asin-performance',
      validateSearch: asinSearch,
      component: lazyRouteComponent(() => import('./asin/asin-page.tsx'), 'AsinPage'),
    }),
  ]
}
