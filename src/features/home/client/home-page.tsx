import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useToday } from '#client/api/server-clock.ts'
import { useEvents } from '#client/api/events.ts'
import { lazyWhenIdle } from '#client/early/when-idle.ts'
import { DataAge, MovingNote } from '#client/ui/figures/data-age.tsx'
import { ContextBar } from '#client/ui/filters/context-bar.tsx'
import { resolveRange } from '#client/ui/forms/date-range.ts'
import { Page } from '#client/ui/ionic/page.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { MerchantSwitcher, useShop } from '#features/accounts/client/public.ts'
import { todayIn } from '../days.ts'
import { HomeCards } from './home-cards.tsx'
import { MarketplaceBreakdown } from './marketplace-breakdown.tsx'
import { PerformanceChart } from './performance-chart.tsx'
import { homeQueries } from './queries.ts'
import './home.css'

const InstallCard = lazyWhenIdle(() => import('#client/pwa/install-card.tsx').then(m => m.InstallCard))

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
  const refresh = () => client.invalidateQueries({ queryKey: homeQueries.all })
  useEvents('/events', event => event.event === 'figures' && void refresh())
  return (
    <Page
      title="Home"
      status={
        cards.data && (
          <>
            <DataAge at={cards.data.freshness.asOf} />
            <MovingNote movingFrom={cards.data.freshness.movingFrom} to={range.to} />
          </>
        )
      }
      toolbar={<ContextBar account={<MerchantSwitcher />} days={{ search, today, onChange: change }} />}
      onRefresh={refresh}
      wide
    >
      <QueryView
        query={cards}
        loading={{ rows: 6, kind: 'card', label: 'Loading your figures' }}
        staleTitle="The latest figures could not be loaded"
        empty={({ freshness }) =>
          !freshness.asOf && (
            <EmptyState
              title="Your figures are on their way"
              hint="The first import brings the last 95 days. This screen updates itself when they arrive."
            />
          )
        }
      >
        {data => <HomeCards data={data} today={today} />}
      </QueryView>
      {cards.data?.freshness.asOf && (
        <>
          <Suspense>
            <InstallCard />
          </Suspense>
          <PerformanceChart shop={shop} range={range} today={today} search={search} onChange={change} />
          <MarketplaceBreakdown shop={shop} range={range} />
        </>
      )}
    </Page>
  )
}
