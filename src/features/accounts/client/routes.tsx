import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { linkOutline, settingsOutline } from 'ionicons/icons'
import type { ComponentType } from 'react'
import { userQueries } from '#features/auth/client/public.ts'
import { queryClient } from '#client/api/query-client.ts'
import { type GuardQuestions, questionOf } from '#client/guarded.ts'
import type { NavEntry } from '#client/ui/shell/navigation/nav-context.ts'
import { callbackSearch, consentSearch } from './consent/consent-search.ts'
import { accountQueries } from './queries.ts'

export const accountQuestions = {
  merchants: questionOf(accountQueries.merchants()),
  currentMerchant: questionOf(accountQueries.currentMerchant()),
  currentMarketplace: questionOf(accountQueries.currentMarketplace()),
} satisfies GuardQuestions

export const accountsNavigation: NavEntry[] = [
  { to: '/connections', label: 'Connections', icon: linkOutline, group: 'Account' },
  { to: '/settings', label: 'Settings', icon: settingsOutline, group: 'Account' },
]

const addAccount = () => import('./consent/add-account-page.tsx')

// Features above this one have settings of their own.
function settingsWith(loadMore: () => Promise<ComponentType>) {
  return async () => {
    const [{ SettingsPage }, More] = await Promise.all([import('./settings-page.tsx'), loadMore()])
    const SettingsScreen = () => (
      <SettingsPage>
        <More />
      </SettingsPage>
    )
    return { SettingsScreen }
  }
}

/** The screens within the dashboard; `moreSettings` are shown among the settings. */
export function accountsDashboardRoutes<P extends AnyRoute>(parent: P, moreSettings: () => Promise<ComponentType>) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/connections',
      loader: () =>
        Promise.all([
          queryClient.ensureQueryData(accountQueries.merchants()),
          queryClient.ensureQueryData(accountQueries.currentMerchant()),
        ]),
      component: lazyRouteComponent(() => import('./connections-page.tsx'), 'ConnectionsPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/connections/profiles',
      loader: async () => {
        const merchants = await queryClient.ensureQueryData(accountQueries.merchants())
        await Promise.all(merchants.map(m => queryClient.ensureQueryData(accountQueries.merchant(m.id))))
      },
      component: lazyRouteComponent(() => import('./consent/choose-profiles-page.tsx'), 'ChooseProfilesPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/settings',
      loader: () => queryClient.ensureQueryData(userQueries.user()),
      component: lazyRouteComponent(settingsWith(moreSettings), 'SettingsScreen'),
    }),
  ] as const
}

const beforeConsent = {
  validateSearch: consentSearch,
  loader: () => queryClient.ensureQueryData(accountQueries.regions()),
}

/** The screens without the dashboard: adding accounts, and the return from the marketplace. */
export function accountsActionRoutes<P extends AnyRoute>(parent: P) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/add-seller-account',
      ...beforeConsent,
      component: lazyRouteComponent(addAccount, 'AddSellerAccountPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/add-ppc-account',
      ...beforeConsent,
      component: lazyRouteComponent(addAccount, 'AddPpcAccountPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/callback',
      validateSearch: callbackSearch,
      component: lazyRouteComponent(() => import('./consent/callback-page.tsx'), 'CallbackPage'),
    }),
  ] as const
}
