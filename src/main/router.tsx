import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { guarded, type GuardQuestions, startOrLogin } from '#client/guarded.ts'
import { queryClient } from '#client/api/query-client.ts'
import { lazyWhenIdle } from '#client/early/when-idle.ts'
import { AppShell, PlainLayout } from '#client/ui/shell/layouts.tsx'
import { DashboardLayout } from '#client/ui/shell/dashboard-layout.tsx'
import type { NavEntry } from '#client/ui/shell/navigation/nav-context.ts'
import { NotFoundScreen, routerOptions } from '#client/ui/shell/router-options.tsx'
import {
  accountQuestions,
  accountsActionRoutes,
  accountsDashboardRoutes,
  accountsNavigation,
} from '#features/accounts/client/routes.tsx'
import { knownShop } from '#features/accounts/client/shop/shop.ts'
import { affiliateNavigation, affiliateRoutes } from '#features/affiliate/client/routes.tsx'
import { useUserAuthorities } from '#features/auth/client/queries.ts'
import { AccountBlock } from '#features/auth/client/public.ts'
import { publicAuthRoutes } from '#features/auth/client/routes.tsx'
import { brandingNavigation, brandingRoutes } from '#features/branding/client/routes.tsx'
import { billingNavigation, billingRoutes } from '#features/billing/client/routes.tsx'
import { catalogueNavigation, catalogueRoutes } from '#features/catalogue/client/routes.tsx'
import { campaignsNavigation } from '#features/campaigns/client/navigation.ts'
import { campaignsRoutes } from '#features/campaigns/client/routes.tsx'
import { homeNavigation } from '#features/home/client/navigation.ts'
import { homeRoutes } from '#features/home/client/routes.tsx'
import { insightsNavigation } from '#features/insights/client/navigation.ts'
import { insightsRoutes } from '#features/insights/client/routes.tsx'
import { LaunchWatch } from '#features/launches/client/launch-watch.tsx'
import { launchesNavigation, launchesRoutes, wizardRoutes } from '#features/launches/client/routes.tsx'
import { ManagingContext } from '#features/managing/client/context.tsx'
import { managingRoutes } from '#features/managing/client/routes.tsx'
import {
  notificationsNavigation,
  notificationsRoutes,
  unsubscribeRoutes,
} from '#features/notifications/client/routes.tsx'
import { surveyRoutes } from '#features/onboarding/client/routes.tsx'
import { clientsNavigation, invitationRoutes, teamNavigation, teamRoutes } from '#features/team/client/routes.tsx'
import { optimizerNavigation, optimizerRoutes, takeOverRoutes } from '#features/optimizer/client/routes.tsx'
import { reportsNavigation, reportsRoutes } from '#features/reports/client/routes.tsx'
import { shareNavigation, shareRoutes, shareTargetRoutes } from '#features/share/client/routes.tsx'
import {
  subscriptionDashboardRoutes,
  subscriptionNavigation,
  subscriptionQuestions,
} from '#features/subscription/client/routes.tsx'

/** The destinations of the frame. Each feature adds one line to each list that concerns it. */
export const navigation: NavEntry[] = [
  ...clientsNavigation,
  ...homeNavigation,
  ...campaignsNavigation,
  ...optimizerNavigation,
  ...insightsNavigation,
  ...reportsNavigation,
  ...launchesNavigation,
  ...notificationsNavigation,
  ...accountsNavigation,
  ...subscriptionNavigation,
  ...billingNavigation,
  ...teamNavigation,
  ...brandingNavigation,
  ...affiliateNavigation,
  ...catalogueNavigation,
  ...shareNavigation,
]
/** What the guard asks, as the features answer it. */
export const guardQuestions: GuardQuestions = { ...accountQuestions, ...subscriptionQuestions }

const News = lazyWhenIdle(() => import('./news.tsx').then(m => m.News))
const news = (
  <Suspense key="news">
    <News />
  </Suspense>
)
const PaymentBanner = lazyWhenIdle(() =>
  import('#features/billing/client/payment-banner.tsx').then(m => m.PaymentBanner),
)
const ErasureBanner = lazyWhenIdle(() => import('#features/auth/client/erasure-card.tsx').then(m => m.ErasureBanner))
const banner = (
  <Suspense>
    <ErasureBanner />
    <PaymentBanner />
  </Suspense>
)
const SeedingCard = lazyWhenIdle(() => import('#features/onboarding/client/seeding-card.tsx').then(m => m.SeedingCard))
const seeding = (
  <Suspense key="seeding">
    <SeedingCard />
  </Suspense>
)

async function moreSettings() {
  const [{ PushSwitch }, { PreferencesCard }, { AuditLogCard }, { DataExportCard }] = await Promise.all([
    import('#features/notifications/client/push-switch.tsx'),
    import('#features/notifications/client/preferences-card.tsx'),
    import('#features/managing/client/audit-log-page.tsx'),
    import('#features/data-export/client/data-export-card.tsx'),
  ])
  const MoreSettings = () => (
    <>
      <PushSwitch />
      <PreferencesCard />
      <AuditLogCard />
      <DataExportCard />
    </>
  )
  return MoreSettings
}

const Bell = lazyWhenIdle(() => import('#features/notifications/client/bell.tsx').then(m => m.Bell))
// It keeps its room, so that nothing moves when it comes.
const bell = (
  <Suspense fallback={<span className="icon-button" />}>
    <Bell />
  </Suspense>
)

const account = (
  <Suspense>
    <AccountBlock />
  </Suspense>
)

function Dashboard({ bar }: { bar: ReactNode }) {
  return (
    <DashboardLayout
      bar={bar}
      entries={navigation}
      authorities={useUserAuthorities()}
      canReach={dashboard.useRouteContext().canReach}
      account={account}
      bell={bell}
      floating={[seeding, <LaunchWatch key="launch" />, news]}
      banner={banner}
    />
  )
}

const Action = ({ bar }: { bar: ReactNode }) => (
  <>
    {bar}
    <PlainLayout />
    <div className="floating-cards">{news}</div>
    {banner}
  </>
)

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: AppShell })
const start = createRoute({ getParentRoute: () => root, path: '/', beforeLoad: startOrLogin })

const publicArea = createRoute({ getParentRoute: () => root, id: 'public', component: PlainLayout })
const dashboard = createRoute({
  getParentRoute: () => root,
  id: 'dashboard',
  beforeLoad: guarded(guardQuestions),
  component: () => <ManagingContext>{Dashboard}</ManagingContext>,
})
const action = createRoute({
  getParentRoute: () => root,
  id: 'action',
  beforeLoad: guarded(guardQuestions),
  component: () => <ManagingContext>{Action}</ManagingContext>,
})

const more = createRoute({
  getParentRoute: () => dashboard,
  path: '/more',
  component: lazyRouteComponent(() => import('#client/ui/shell/navigation/more-page.tsx'), 'MorePage'),
})
const elsewhere = createRoute({ getParentRoute: () => dashboard, path: '$', component: NotFoundScreen })

export const router = createRouter({
  ...routerOptions,
  context: { queryClient },
  routeTree: root.addChildren([
    start,
    ...shareTargetRoutes(root),
    publicArea.addChildren([
      ...publicAuthRoutes(publicArea),
      ...unsubscribeRoutes(publicArea),
      ...invitationRoutes(publicArea),
    ]),
    action.addChildren([
      ...accountsActionRoutes(action),
      ...wizardRoutes(action),
      ...takeOverRoutes(action),
      ...surveyRoutes(action),
    ]),
    dashboard.addChildren([
      ...homeRoutes(dashboard, knownShop),
      ...campaignsRoutes(dashboard),
      ...optimizerRoutes(dashboard),
      ...insightsRoutes(dashboard),
      ...accountsDashboardRoutes(dashboard, moreSettings),
      ...subscriptionDashboardRoutes(dashboard),
      ...billingRoutes(dashboard),
      ...brandingRoutes(dashboard),
      ...affiliateRoutes(dashboard),
      ...managingRoutes(dashboard),
      ...teamRoutes(dashboard),
      ...reportsRoutes(dashboard),
      ...launchesRoutes(dashboard),
      ...notificationsRoutes(dashboard),
      ...catalogueRoutes(dashboard),
      ...shareRoutes(dashboard),
      more,
      elsewhere,
    ]),
  ]),
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
