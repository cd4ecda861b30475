import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { serverNow, useToday } from '#client/api/server-clock.ts'
import { useEvents } from '#client/api/events.ts'
import { copyEnd, useScreenCopy } from '#client/early/save-screen-copy.ts'
import { lazyWhenIdle, usePainted } from '#client/early/when-idle.ts'
import { resolveRange } from '#client/ui/forms/date-range.ts'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { AwaitedState } from '#client/ui/states/state-views.tsx'
import { MerchantSwitcher, useShop } from '#features/accounts/client/public.ts'
import { endOfToday, todayIn } from '../days.ts'
import { ExportFile } from './export-file.tsx'
import { HomeCards } from './home-cards.tsx'
import { HomeScreen } from './home-screen.tsx'
import { homeQueries } from './queries.ts'

const AccountNeeds = lazyWhenIdle(() => import('#features/campaigns/client/public.ts').then(m => m.AccountNeeds))
const WhyCard = lazyWhenIdle(() => import('./why-card.tsx').then(m => m.WhyCard))
const BudgetsCard = lazyWhenIdle(() => import('./budgets-card.tsx').then(m => m.BudgetsCard))
// Below the cards, so their code and requests come after the cards have been painted.
const PerformanceChart = lazy(() => import('./performance-chart.tsx').then(m => ({ default: m.PerformanceChart })))
const MarketplaceBreakdown = lazy(() =>
  import('./marketplace-breakdown.tsx').then(m => ({ default: m.MarketplaceBreakdown })),
)
const FirstSteps = lazyWhenIdle(() => import('#features/onboarding/client/public.ts').then(m => m.FirstSteps))
const InstallCard = lazyWhenIdle(() => import('#client/pwa/install-app.tsx').then(m => m.InstallCard))

const route = getRouteApi('/dashboard/home')

export function HomePage() {
  const shop = useShop()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const today = useToday(at => todayIn(shop.marketplaceId, at))
  const range = resolveRange(search, today)
  const change = (next: typeof search): void =>
    void navigate({ search: previous => ({ ...previous, ...next }), replace: true })
  const cards = useQuery(homeQueries.cards(shop, range))
  const painted = usePainted(cards.data !== undefined)
  useScreenCopy(cards.data, () => endOfToday(shop.marketplaceId, serverNow()))
  const refresh = () => client.invalidateQueries({ queryKey: homeQueries.all })
  useEvents('/events', event => event.event === 'figures' && void refresh())
  return (
    <HomeScreen
      freshness={cards.data?.freshness}
      account={<MerchantSwitcher />}
      days={{ search, today, onChange: change }}
      onRefresh={refresh}
    >
      <QueryView
        query={cards}
        loading={{ rows: 9, kind: 'tile', label: 'Loading your figures' }}
        failedTitle="Your figures could not be loaded"
        staleTitle="The latest figures could not be loaded"
        empty={({ freshness }) => !freshness.asOf && <AwaitedState what="figures" />}
      >
        {data => (
          <HomeCards data={data} today={today}>
            <ExportFile file="cards" what="figures" count={data.cards.length} shop={shop} range={range} />
          </HomeCards>
        )}
      </QueryView>
      <span {...copyEnd} />
      {painted && cards.data?.freshness.asOf && (
        <Suspense>
          <AccountNeeds shop={shop}>
            <FirstSteps />
            <BudgetsCard shop={shop} />
            <InstallCard />
            <Suspense>
              <WhyCard shop={shop} range={range} chosen={search.why ?? 'acos'} onChoose={why => change({ why })} />
            </Suspense>
            <Suspense>
              <PerformanceChart shop={shop} range={range} today={today} search={search} onChange={change} />
              <MarketplaceBreakdown shop={shop} range={range} />
            </Suspense>
          </AccountNeeds>
        </Suspense>
      )}
    </HomeScreen>
  )
}
