import { OutletContent } from '#client/early/static/libraries.tsx'
import { toHtml } from '#client/early/static/markup.ts'
import { noteServerTime, serverNow } from '#client/api/server-clock.ts'
import { routeGuard } from '#client/route-guard.ts'
import { resolveRange } from '#client/ui/forms/date-range.ts'
import { DashboardLayout } from '#client/ui/shell/dashboard-layout.tsx'
import { AppShell } from '#client/ui/shell/layouts.tsx'
import { AccountChip } from '#features/accounts/client/shop/account-chip.tsx'
import { campaignsNavigation } from '#features/campaigns/client/navigation.ts'
import { HomeCards } from '#features/home/client/home-cards.tsx'
import { HomeScreen } from '#features/home/client/home-screen.tsx'
import { homeNavigation } from '#features/home/client/navigation.ts'
import { todayIn } from '#features/home/days.ts'
import type { startEndpoint } from '#features/home/start-contract.ts'
import { insightsNavigation } from '#features/insights/client/navigation.ts'
import type { EndpointOutput } from '#shared/define-endpoint.ts'

// A program of its own, built with stand-ins for React and the router (vite.config.ts), for a first visit: it draws Home with
// the app's own components while the app's code is on its way.

const tabs = [...homeNavigation, ...campaignsNavigation, ...insightsNavigation]
const nothing = (): void => undefined
const room = <span className="icon-button" />

/**
 * Home on a phone as the app is about to draw it, as HTML, from the answer of the start and its Date header; undefined where
 * the app will show something else.
 */
export function firstScreen(start: EndpointOutput<typeof startEndpoint>, date: string | null): string | undefined {
  noteServerTime(date)
  const { cards, currentMerchant, currentMarketplace } = start
  const answerOf = <T,>(value: T) => ({ state: 'known' as const, value })
  const guardAnswers = {
    signedIn: true,
    merchants: answerOf(start.merchants),
    subscription: answerOf(start.subscription),
    currentMerchant: answerOf(currentMerchant),
    currentMarketplace: answerOf(currentMarketplace),
  }
  const canReach = (path: string): boolean => routeGuard(guardAnswers, path) === null
  if (!cards?.freshness.asOf || !currentMarketplace || !canReach('/home')) return undefined
  const today = todayIn(currentMarketplace.id, new Date(serverNow()))
  const { from, to } = resolveRange({}, today)
  // The device's clock differs from the server's: the app asks for the days by its own.
  if (from !== cards.dateFrom || to !== cards.dateTo) return undefined
  const home = (
    <HomeScreen
      freshness={cards.freshness}
      account={<AccountChip merchant={currentMerchant} marketplace={currentMarketplace} />}
      days={{ search: {}, today, onChange: nothing }}
      onRefresh={() => Promise.resolve()}
    >
      <HomeCards data={cards} today={today}>
        {room}
      </HomeCards>
    </HomeScreen>
  )
  const frame = (
    <OutletContent value={home}>
      <DashboardLayout entries={tabs} authorities={undefined} canReach={canReach} account={null} bell={room} />
    </OutletContent>
  )
  return toHtml(
    <OutletContent value={frame}>
      <AppShell />
    </OutletContent>,
  )
}
