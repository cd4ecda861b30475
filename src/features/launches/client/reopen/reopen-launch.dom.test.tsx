import { onlineManager, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { Suspense } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createQueryClient } from '#client/api/query-client.ts'
import { signInAs } from '../../../../../tests/support/test-edit.ts'
import { currentToasts, dismissToast } from '#client/ui/shell/toast-store.ts'
import { accountQueries } from '#features/accounts/client/public.ts'
import type { Launch, LaunchInput } from '../../contract.ts'
import { marketplaceByKey } from '#shared/marketplaces.ts'
import type { Draft } from '../../draft/draft.ts'
import { freshWizard } from '../../draft/wizard-state.ts'
import { draftStore } from '../draft/draft-store.ts'
import { productAt } from '../products/targeting-test-scene.tsx'
import { type Opened, ReopenLaunch } from './reopen-launch.tsx'

const facts = marketplaceByKey('US')
if (!facts) throw new Error('no US marketplace')
const market = facts
const at = '2026-11-20T10:00:00.000Z'
const [listed, gone] = [productAt(0), productAt(1)]
const lists = { keywords: [], categories: [], productTargets: [] }
const input: LaunchInput = {
  marketplaceId: market.id,
  payload: {
    template: 'MULTI_PRODUCT_AD_GROUP_FUNNEL',
    strategy: 'NORMAL',
    setupMode: 'SMART',
    campaignName: 'Tide mugs',
    budget: 30,
    targetAcos: 25,
    products: [listed, gone].map(({ asin, sku }) => ({ asin: asin ?? '', sku, ...lists })),
    ...lists,
    negativeKeywords: [],
    includeHighImpact: false,
    includeRanking: true,
    separateBrandTerms: false,
  },
}
const launch: Launch = {
  id: 7,
  campaignName: 'Tide mugs',
  template: 'MULTI_PRODUCT_AD_GROUP_FUNNEL',
  status: 'COMPLETED',
  undo: null,
  canRetry: false,
  waitingUntil: null,
  createdAt: at,
  finishedAt: at,
  steps: [],
  createdCount: 9,
  created: [],
  warnings: [],
  input,
}
function draftOf(id: string, campaignName: string): Draft {
  return {
    id,
    changedAt: at,
    state: { ...freshWizard('SMART'), template: 'SINGLE_PRODUCT_CAMPAIGN_FUNNEL', campaignName, currentStep: 3 },
  }
}

// The network is the outside.
let answer: Launch | null
let remote: Draft | null
let shelf: (typeof listed)[]
let calls: string[]
beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  signInAs('7')
  ;[answer, remote, shelf, calls] = [launch, null, [listed, gone], []]
  vi.stubGlobal('fetch', async (address: string) => {
    const { pathname, searchParams } = new URL(address, 'https://tideline.test')
    calls.push(`${pathname.replace(/^.*\/api/, '')}?${searchParams}`)
    if (pathname.endsWith('/draft')) return Response.json({ draft: remote })
    if (pathname.includes('/launches/'))
      return answer
        ? Response.json(answer)
        : Response.json({ errorCode: 'NOT_FOUND', message: 'none' }, { status: 404 })
    const found = shelf.filter(p => searchParams.get('asins')?.includes(p.asin ?? ''))
    const page = { size: 200, number: 0, totalElements: found.length, totalPages: 1 }
    return Response.json({ content: found, page, asOf: null })
  })
})
afterEach(() => {
  cleanup()
  for (const { id } of currentToasts()) dismissToast(id)
  onlineManager.setOnline(true)
  vi.unstubAllGlobals()
})

const scope = `3.${market.id}`
async function show() {
  const opened: Opened[] = []
  const root = createRootRoute()
  const page = createRoute({
    getParentRoute: () => root,
    path: '/create-campaign',
    component: () => (
      <Suspense>
        <ReopenLaunch launchId={7} market={market} onOpened={next => opened.push(next)} />
      </Suspense>
    ),
  })
  const client = createQueryClient()
  client.setQueryData(accountQueries.currentMerchant().queryKey, { id: 3, name: 'Mugs Ltd' } as never)
  client.setQueryData(accountQueries.currentMarketplace().queryKey, { ...market })
  const history = createMemoryHistory({ initialEntries: ['/create-campaign?launch=7'] })
  const router = createRouter({ routeTree: root.addChildren([page]), history })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  return { opened, router }
}
const storedDraft = () => draftStore(scope).read()

it('opens the stored input as the draft of this tab, at the review, under a free name', async () => {
  const { opened, router } = await show()
  await waitFor(() => expect(opened).toHaveLength(1))
  const { draft, sentAt } = storedDraft()
  expect(draft?.state).toMatchObject({ campaignName: 'Tide mugs (2)', budget: 30, currentStep: 5 })
  expect(draft?.state.products.map(p => p.title)).toEqual([listed.title, gone.title])
  expect(opened).toEqual([{ draftId: draft?.id, problems: [] }])
  expect([sentAt, draftStore(scope).openId()]).toEqual([null, draft?.id])
  await waitFor(() => expect(router.state.location.href).toBe('/create-campaign?step=5'))
  expect(currentToasts()).toMatchObject([{ title: 'Opened from “Tide mugs”' }])
  expect(calls.filter(call => call.startsWith('/campaign/launches'))).toEqual(['/campaign/launches/7?withInput=true'])
})
it('leaves out a product that is no longer listed, and opens at the step that says so', async () => {
  shelf = [listed]
  const { opened, router } = await show()
  await waitFor(() => expect(router.state.location.href).toBe('/create-campaign?step=4'))
  expect(opened[0]?.problems).toEqual([
    expect.objectContaining({ field: 'products', message: expect.stringContaining(`${gone.asin} (${gone.sku})`) }),
  ])
  expect(storedDraft().draft?.state.products).toHaveLength(1)
})

it('asks before it takes the place of a draft of this device, and throws that away everywhere only then', async () => {
  const mine = draftOf('mine-00000001', 'Summer hats')
  draftStore(scope).write({ draft: mine, sentAt: null, discardedId: null })
  const { opened } = await show()
  const replace = await screen.findByRole('button', { name: 'Replace it with “Tide mugs”' })
  expect([opened, storedDraft().draft]).toEqual([[], mine])
  fireEvent.click(replace)
  expect(opened).toHaveLength(1)
  expect(storedDraft()).toMatchObject({ draft: { state: { campaignName: 'Tide mugs (2)' } }, discardedId: mine.id })
})
it('continues the draft of another device if the user chooses it', async () => {
  remote = draftOf('theirs-000001', 'Summer hats')
  const { opened, router } = await show()
  fireEvent.click(await screen.findByRole('button', { name: 'Continue editing “Summer hats”' }))
  expect(opened).toEqual([{ draftId: remote.id, problems: [] }])
  expect(storedDraft()).toMatchObject({ draft: remote, discardedId: null })
  await waitFor(() => expect(router.state.location.href).toBe('/create-campaign?step=3'))
  expect(currentToasts()).toEqual([])
})

it.each<[string, Launch | null, string]>([
  ['of another merchant', null, 'Launch not found'],
  [
    'for another marketplace',
    { ...launch, input: { ...input, marketplaceId: 2 } },
    '“Tide mugs” is a launch for Brazil',
  ],
  ['of an older version', { ...launch, input: { ...input, payload: null } }, '“Tide mugs” can no longer be opened'],
  ['under way', { ...launch, status: 'IN_PROGRESS' }, '“Tide mugs” is still running'],
])('a launch %s opens nothing, and says so', async (_, unusable, title) => {
  answer = unusable
  const { opened } = await show()
  expect(await screen.findByText(title)).toBeTruthy()
  expect([opened, storedDraft().draft]).toEqual([[], null])
})
it('says that it needs a connection, and opens by itself once there is one', async () => {
  onlineManager.setOnline(false)
  const { opened } = await show()
  expect(await screen.findByText('Opening a launch needs a connection')).toBeTruthy()
  expect(calls).toEqual([])
  onlineManager.setOnline(true)
  await waitFor(() => expect(opened).toHaveLength(1))
})
