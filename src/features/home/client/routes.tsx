import type { QueryClient } from '@tanstack/react-query'
import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import * as v from 'valibot'
import { figuresNow } from '#client/api/server-clock.ts'
import { isScreenCopyShown } from '#client/early/screen-copy.ts'
import { resolveRange } from '#client/ui/forms/date-range.ts'
import { rangeSearch } from '#client/ui/forms/range-search.ts'
import type { Shop } from '#features/accounts/client/public.ts'
import { todayIn } from '../days.ts'
import { explainedNames } from '../why.ts'

const search = v.object({
  ...rangeSearch,
  view: v.optional(v.fallback(v.optional(v.picklist(['money', 'efficiency', 'traffic'])), undefined)),
  why: v.optional(v.fallback(v.optional(v.picklist(explainedNames)), undefined)),
  step: v.optional(v.fallback(v.optional(v.picklist(['DAY', 'WEEK', 'MONTH'])), undefined)),
})

const loadPage = () => import('./home-page.tsx')
// Most visits begin here: the screen's code loads while the guard checks the session.
if (typeof location !== 'undefined' && /^\/(home)?$/.test(location.pathname)) void loadPage().catch(() => undefined)

/** /home, under the dashboard's layout. `shopOf` returns the current shop, if it is cached. */
export function homeRoutes<P extends AnyRoute>(parent: P, shopOf: (client: QueryClient) => Shop | undefined) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/home',
      validateSearch: search,
      loaderDeps: ({ search: params }) => params,
      // Requests the cards before the screen is drawn, which uses the same query; everything else waits until they are painted.
      loader: async ({ context, deps }) => {
        const { queryClient } = context as { queryClient: QueryClient }
        const shop = shopOf(queryClient)
        if (!shop) return
        const range = resolveRange(deps, todayIn(shop.marketplaceId, new Date(figuresNow())))
        const { homeQueries } = await import('./queries.ts')
        const cards = queryClient.prefetchQuery(homeQueries.cards(shop, range))
        if (isScreenCopyShown()) await cards
      },
      component: lazyRouteComponent(loadPage, 'HomePage'),
    }),
  ]
}
