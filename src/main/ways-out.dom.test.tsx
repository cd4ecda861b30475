import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
  useRouteContext,
} from '@tanstack/react-router'
import { act, cleanup, render, screen } from '@testing-library/react'
import { type ReactNode, Suspense } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { queryClient } from '#client/api/query-client.ts'
import { askGuard, type CanReach, guarded } from '#client/guarded.ts'
import { setSession } from '#client/api/session/session.ts'
import { routeGuard } from '#client/route-guard.ts'
import { setupIonicReact } from '@ionic/react'
import { DashboardLayout } from '#client/ui/shell/dashboard-layout.tsx'
import { MorePage } from '#client/ui/shell/navigation/more-page.tsx'
import { ConnectionsPage } from '#features/accounts/client/connections-page.tsx'
import { AccountBlock } from '#features/auth/client/log-out-button.tsx'
import { SubscriptionPage } from '#features/subscription/client/subscription-page.tsx'
import { guardQuestions, navigation, router } from './router.tsx'

// The network is the outside; what the guard asks is answered by the state, all else is not there.
const merchant = { id: 7, name: 'Harborlane', accountType: 'SELLER', regionId: 1, regionName: 'North America' }
const marketplace = { id: 1, amazonId: 'ATVPDKIKX0DER', name: 'United States', key: 'US', currency: 'USD' }
const user = {
  id: 1,
  email: 'sam@people.test',
  firstName: 'Sam',
  lastName: 'Person',
  accountType: 'SELLER',
  locale: 'en',
  timezone: 'UTC',
  dateCreated: '2026-03-01T00:00:00.000Z',
  dateUpdated: '2026-03-01T00:00:00.000Z',
  roles: [{ id: 1, name: 'OWNER', authorities: [{ id: 1, name: 'ACCOUNT_MANAGER', description: '' }] }],
  amazonProfiles: [],
}
const paid = {
  hasAccess: true,
  requiresUpgrade: false,
  hasActiveSubscription: true,
  status: 'active',
  isTrialActive: false,
  isTrialExpired: false,
  trialDaysRemaining: 0,
  trialStartDate: null,
  trialEndDate: null,
  planId: 2,
  planName: 'Growth',
  cancelAtPeriodEnd: false,
  periodEndDate: null,
  isOwn: true,
  isMerchantTrialUsed: false,
  isBilled: true,
  hasCard: true,
  hasOpenInvoice: false,
  paymentError: null,
  graceEndDate: null,
  overLimits: [],
}
const ended = { ...paid, hasAccess: false, requiresUpgrade: true, hasActiveSubscription: false, status: 'canceled' }

const settled = {
  '/profile': [merchant] as object[],
  '/profile/current': merchant as object | null,
  '/profile/marketplaces/current': marketplace as object | null,
  '/subscriptions/current': paid as object | null,
}
const states = {
  'no merchant and no subscription': {
    '/profile': [],
    '/profile/current': null,
    '/profile/marketplaces/current': null,
    '/subscriptions/current': null,
  },
  'no merchant, but a subscription': {
    '/profile': [],
    '/profile/current': null,
    '/profile/marketplaces/current': null,
  },
  'no subscription yet': { '/subscriptions/current': null },
  'a canceled subscription': { '/subscriptions/current': ended },
  'an expired trial': { '/subscriptions/current': { ...ended, status: 'paused', isTrialExpired: true } },
  'a payment that is late beyond the grace': {
    '/subscriptions/current': { ...paid, hasAccess: false, requiresUpgrade: true, status: 'past_due' },
  },
  'a plan that is too small': { '/subscriptions/current': { ...paid, requiresUpgrade: true } },
  'no merchant chosen': { '/profile/current': null, '/profile/marketplaces/current': null },
  'no marketplace chosen': { '/profile/marketplaces/current': null },
  'no subscription and no merchant chosen': {
    '/profile/current': null,
    '/profile/marketplaces/current': null,
    '/subscriptions/current': null,
  },
  'all there is': {},
} as const

function asUser(state: keyof typeof states): void {
  const answers: Record<string, unknown> = {
    ...settled,
    ...states[state],
    '/user': user,
    '/user/short': user,
    '/subscriptions/plans': [],
    '/regions': [],
    '/profile/merchants-info': [],
  }
  vi.stubGlobal('fetch', (url: string) => {
    const answer = answers[url.replace('/api', '').replace(/\?.*/, '')] ?? null
    return Promise.resolve(
      answer === null
        ? Response.json({ errorCode: 'NOT_FOUND', message: '', details: [], requestId: '' }, { status: 404 })
        : Response.json(answer),
    )
  })
  queryClient.clear()
  localStorage.clear()
  const later = btoa(JSON.stringify({ exp: 4_000_000_000, sub: '1' }))
  setSession({ accessToken: `a.${later}.c`, refreshToken: 'r' })
}

// Every address of the area behind the log-in.
const addresses = Object.values(router.routesById)
  .filter(({ id }) => id.startsWith('/dashboard/') || id.startsWith('/action/'))
  .map(({ fullPath }) => String(fullPath).replace(/\$\w+/g, '1').replace('$', 'nowhere'))

/** Where the guard leaves a user who goes to an address. */
const placeOf = async (address: string): Promise<string> =>
  routeGuard(await askGuard(queryClient, guardQuestions), address) ?? address

/** The addresses that the frame and the page link to, and whether one can log out here. */
async function waysOf() {
  await screen.findAllByRole('navigation')
  await screen.findByRole('heading', { level: 1 })
  const links = [...document.querySelectorAll<HTMLAnchorElement>('a[href^="/"]')].map(a => a.getAttribute('href') ?? '')
  return { links: [...new Set(links)], canLogOut: screen.queryByRole('button', { name: 'Log out' }) !== null }
}

function Frame() {
  return (
    <DashboardLayout
      entries={navigation}
      authorities={['ACCOUNT_MANAGER']}
      canReach={useRouteContext({ strict: false, select: context => (context as { canReach: CanReach }).canReach })}
      account={<AccountBlock />}
    />
  )
}
const Elsewhere = () => <h1>Somewhere</h1>

/** The frame of the app at an address, around the pages at which the guard leaves people. */
function openFrame(address: string) {
  const root = createRootRoute()
  const frame = createRoute({
    getParentRoute: () => root,
    id: 'frame',
    beforeLoad: ({ location }) => guarded(guardQuestions)({ context: { queryClient }, location }),
    component: Frame,
  })
  const page = (path: string, component: () => ReactNode) =>
    createRoute({ getParentRoute: () => frame, path, component })
  const app = createRouter({
    routeTree: root.addChildren([
      frame.addChildren([
        page('/connections', ConnectionsPage),
        page('/subscription', SubscriptionPage),
        page('/more', MorePage),
        page('$', Elsewhere),
      ]),
    ]),
    history: createMemoryHistory({ initialEntries: [address] }),
  })
  render(
    <QueryClientProvider client={queryClient}>
      {/* The registered router is the app's own. */}
      <Suspense>
        <RouterProvider router={app as never} />
      </Suspense>
    </QueryClientProvider>,
  )
  return app
}

function isWide(wide: boolean) {
  return vi.stubGlobal('matchMedia', (media: string) => ({
    media,
    matches: wide,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
}

setupIonicReact()
afterEach(cleanup)

test('the addresses are those of the whole app', () => {
  expect(addresses).toEqual(expect.arrayContaining(['/home', '/settings', '/more', '/create-campaign', '/callback']))
  expect(addresses.length).toBeGreaterThan(15)
})

describe.each(Object.keys(states) as (keyof typeof states)[])('with %s', state => {
  test('every address leads to a page that stays', async () => {
    asUser(state)
    for (const address of addresses) {
      const place = await placeOf(address)
      expect([address, place, await placeOf(place)]).toEqual([address, place, place])
    }
  })

  test.each([
    ['phone', false],
    ['tablet', true],
  ])(
    'on a %s no link leads back, and connections, account and log-out are at most one tap away',
    async (_name, wide) => {
      asUser(state)
      isWide(wide)
      const start = await placeOf('/home')
      const app = openFrame(start)
      if (wide) await screen.findByRole('button', { name: 'Log out' })
      const first = await waysOf()
      expect(first.canLogOut || first.links.includes('/more')).toBe(true)
      for (const link of first.links) expect([link, await placeOf(link)]).toEqual([link, link])
      if (!wide) {
        await act(() => app.navigate({ to: '/more' }))
        await screen.findByRole('button', { name: 'Log out' })
      }
      const { links } = await waysOf()
      for (const link of links) expect([link, await placeOf(link)]).toEqual([link, link])
      expect(links).toContain('/connections')
      expect(links).toContain('/settings')
      expect(links).toContain('/subscription')
    },
    60_000,
  )
})
