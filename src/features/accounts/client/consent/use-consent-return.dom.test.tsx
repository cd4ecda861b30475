import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen } from '@testing-library/react'
import { StrictMode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '#client/api/query-client.ts'
import { setSession } from '#client/api/session/session.ts'
import { callbackSearch } from './consent-search.ts'
import { useConsentReturn } from './callback-page.tsx'

// The network is the outside; what goes out and comes back is set here.
const sent: { url: string; body: unknown }[] = []
let answer: () => Response

beforeEach(() => {
  localStorage.clear()
  setSession({ accessToken: 'access', refreshToken: 'refresh' })
  sent.length = 0
  vi.stubGlobal('fetch', (url: string, init: { body: string | null }) => {
    sent.push({ url, body: JSON.parse(init.body ?? 'null') })
    return Promise.resolve(answer())
  })
})
afterEach(cleanup)

function Probe() {
  const failure = useConsentReturn()
  return failure ? <p role="alert">{failure.title}</p> : <p>going on</p>
}

const open = (search: string) => {
  const root = createRootRoute()
  const page = (path: string, text: string) =>
    createRoute({ getParentRoute: () => root, path, component: () => <p>{text}</p> })
  const callback = createRoute({
    getParentRoute: () => root,
    path: '/callback',
    validateSearch: callbackSearch,
    component: Probe,
  })
  const router = createRouter({
    routeTree: root.addChildren([
      callback,
      page('/connections', 'the connections'),
      page('/connections/profiles', 'the choice of accounts'),
    ]),
    history: createMemoryHistory({ initialEntries: [`/callback${search}`] }),
  })
  render(
    <StrictMode>
      <QueryClientProvider client={createQueryClient()}>
        {/* The registered router is the app's own; this one has its pages by themselves. */}
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </StrictMode>,
  )
  return router
}
const merchant = { id: 7, name: 'Harborlane', accountType: 'SELLER', regionId: 1, regionName: 'North America' }
const refuse = (errorCode: string, status = 400) => Response.json({ errorCode, message: 'no' }, { status })

test('a consent to a seller account is completed once and leads to the connections', async () => {
  answer = () => Response.json({ connectionId: 3, kind: 'SELLING_PARTNER', merchant })
  const router = open('?state=s1&spapi_oauth_code=c&selling_partner_id=A1HARBORLANE')
  await screen.findByText('the connections')
  expect(sent).toEqual([
    {
      url: '/api/amazon/callback',
      body: { state: 's1', spapi_oauth_code: 'c', selling_partner_id: 'A1HARBORLANE' },
    },
  ])
  // Neither code nor state stay in the address or behind Back.
  expect(router.history.length).toBe(1)
})

test('a consent to advertising accounts leads to their choice', async () => {
  answer = () => Response.json({ connectionId: 3, kind: 'AMAZON_ADS', profiles: [], taken: [] })
  open('?state=s2&code=c&scope=advertising%3A%3Acampaign_management')
  await screen.findByText('the choice of accounts')
  expect(sent).toEqual([{ url: '/api/amazon/callback', body: { state: 's2', code: 'c' } }])
})

test.each([
  ['OAUTH_REFUSED', 400, 'The permission was not given'],
  ['OAUTH_CODE_INVALID', 400, 'The permission expired'],
  ['OAUTH_STATE_INVALID', 400, 'This connection was not started here'],
  ['NO_PROFILES', 422, 'No advertising accounts found'],
  ['MERCHANT_TAKEN', 409, 'Already connected by someone else'],
  ['RULE_VIOLATED', 422, 'This is another seller account'],
  ['FORBIDDEN', 403, 'You may not connect accounts'],
  ['UPSTREAM_UNAVAILABLE', 503, 'The connection could not be completed'],
])('%s has a screen of its own', async (code, status, title) => {
  answer = () => refuse(code, status)
  open(`?state=of-${code}&code=c`)
  expect(await screen.findByRole('alert')).toHaveProperty('textContent', expect.stringContaining(title))
  expect(sent).toHaveLength(1)
})

test('without a state nothing is sent', async () => {
  open('?code=c')
  expect((await screen.findByRole('alert')).textContent).toContain('This connection was not started here')
  expect(sent).toEqual([])
})
