import { describe, expect, it } from 'vitest'
import { type Answer, type GuardAnswers, routeGuard } from './route-guard.ts'

const loaded = <T>(value: T): Answer<T> => ({ state: 'known', value })
const failed = { state: 'failed' } as const
const unknown = { state: 'unknown' } as const

const paid = { requiresUpgrade: false, isTrialExpired: false }
const settled: GuardAnswers = {
  signedIn: true,
  merchants: loaded([{ id: 1 }]),
  subscription: loaded(paid),
  currentMerchant: loaded({ id: 1 }),
  currentMarketplace: loaded({ id: 1 }),
}
const go = (answers: Partial<GuardAnswers>, path: string) => routeGuard({ ...settled, ...answers }, path)

describe('the guard of the authenticated area', () => {
  it('lets a settled user go anywhere', () => {
    for (const path of ['/home', '/campaigns', '/connections', '/subscription', '/callback', '/anything/else'])
      expect(go({}, path)).toBeNull()
  })

  it('sends who is not signed in to the log-in, before any other rule', () => {
    const nothing = {
      signedIn: false,
      merchants: loaded([]),
      subscription: loaded(null),
      currentMerchant: failed,
      currentMarketplace: failed,
    }
    for (const path of ['/home', '/connections', '/callback', '/subscription']) expect(go(nothing, path)).toBe('/login')
  })

  it.each([
    '/connections',
    '/connections/7',
    '/add-seller-account',
    '/add-ppc-account',
    '/settings',
    '/settings/profile',
    '/subscription',
    '/subscription/billing',
    '/callback',
  ])('lets a user without merchants see %s, whatever else is missing', path => {
    expect(go({ merchants: loaded([]), subscription: loaded(null), currentMerchant: loaded(null) }, path)).toBeNull()
  })

  it.each(['/home', '/campaigns', '/connectionsx', '/settings-old'])(
    'sends a user without merchants from %s to the connections',
    path => {
      expect(go({ merchants: loaded([]), subscription: loaded(null) }, path)).toBe('/connections')
    },
  )

  it.each([
    ['no subscription', null],
    ['an upgrade required', { requiresUpgrade: true, isTrialExpired: false }],
    ['an expired trial', { requiresUpgrade: false, isTrialExpired: true }],
  ])(
    'with %s every page but connections, subscription, settings and the return from a consent leads to the subscription',
    (_name, subscription) => {
      for (const path of ['/home', '/add-ppc-account', '/create-campaign', '/notifications'])
        expect(go({ subscription: loaded(subscription) }, path)).toBe('/subscription')
      for (const path of [
        '/connections',
        '/connections/3',
        '/subscription',
        '/subscription/billing',
        '/settings',
        '/callback',
      ])
        expect(go({ subscription: loaded(subscription) }, path)).toBeNull()
    },
  )

  it('asks for the subscription before the chosen merchant', () => {
    expect(go({ subscription: loaded(null), currentMerchant: loaded(null) }, '/home')).toBe('/subscription')
    expect(go({ subscription: loaded(null), currentMerchant: loaded(null) }, '/subscription')).toBeNull()
  })

  it.each([
    ['no merchant is chosen', { currentMerchant: loaded(null) }],
    ['no marketplace is chosen', { currentMarketplace: loaded(null) }],
    ['the merchant cannot be fetched', { currentMerchant: failed }],
    ['the marketplace cannot be fetched', { currentMarketplace: failed }],
  ])('when %s, every page but those that can fix it leads to the connections', (_name, answers) => {
    for (const path of ['/home', '/campaigns', '/insights/asin-performance', '/create-campaign'])
      expect(go(answers, path)).toBe('/connections')
    for (const path of [
      '/connections',
      '/subscription',
      '/settings',
      '/add-ppc-account',
      '/add-seller-account',
      '/callback',
    ])
      expect(go(answers, path)).toBeNull()
  })

  it('sends nobody away for what it does not know, as without network', () => {
    expect(
      go({ merchants: unknown, subscription: unknown, currentMerchant: unknown, currentMarketplace: unknown }, '/home'),
    ).toBeNull()
    expect(go({ merchants: failed, subscription: failed }, '/home')).toBeNull()
  })

  it('goes by the last known answers even when others are unknown', () => {
    expect(go({ merchants: unknown, subscription: loaded(null) }, '/home')).toBe('/subscription')
  })
})
