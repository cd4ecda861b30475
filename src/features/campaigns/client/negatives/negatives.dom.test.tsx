import { onlineManager } from '@tanstack/react-query'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import * as overlays from '#client/ui/overlays/ionic-overlays.ts'
import { currentToasts } from '#client/ui/shell/toast-store.ts'
import type { NegativeRow } from '../../contract.ts'
import { type PendingEdit, pendingEdits } from '#client/outbox/outbox.ts'
import { removeNegativeKind } from './negative-drafts.ts'
import { open, viewport } from '../../../../../tests/support/campaigns-scene.tsx'

const negative = (id: number, more: Partial<NegativeRow>): NegativeRow => ({
  id,
  amazonId: `9000${id}`,
  state: 'ENABLED',
  servingStatus: null,
  syncState: 'SYNCED',
  syncError: null,
  version: 1,
  campaignId: 11,
  campaignName: 'Bottles',
  adGroupId: null,
  adGroupName: null,
  adType: 'SPONSORED_PRODUCTS',
  kind: 'KEYWORD',
  text: 'cheap',
  matchType: 'NEGATIVE_PHRASE',
  expression: null,
  ...more,
})
const rows = [
  negative(1, {}),
  negative(2, {
    text: 'ASIN_SAME_AS: B0TIDE0001',
    expression: [{ type: 'ASIN_SAME_AS', value: 'B0TIDE0001' }],
    kind: 'PRODUCT',
    matchType: null,
    adGroupId: 21,
    adGroupName: 'Group',
    adType: 'SPONSORED_BRANDS',
  }),
  negative(3, { amazonId: 'new:3', text: 'free', syncState: 'FAILED', syncError: 'Too many negatives.' }),
  negative(4, { amazonId: 'new:4', text: 'used', syncState: 'PENDING' }),
]
const scene = {
  role: 'OWNER',
  requests: [] as URL[],
  sent: [] as { path: string; method: string; body: Record<string, unknown> }[],
}

const page = (content: object[]) => ({
  content,
  page: { size: 50, number: 0, totalElements: content.length, totalPages: 1 },
})
const campaign = (id: number, name: string, adType: string) => ({
  id,
  amazonId: `3000${id}`,
  name,
  state: 'ENABLED',
  targetingType: 'MANUAL',
  adType,
})
const campaigns = [
  campaign(11, 'Bottles', 'SPONSORED_PRODUCTS'),
  campaign(12, 'Brand', 'SPONSORED_BRANDS'),
  campaign(13, 'Shown', 'SPONSORED_DISPLAY'),
]
const merchant = { id: 1, name: 'Harbour', accountType: 'SELLER', regionId: 1, regionName: 'North America' }
const blocks = [
  {
    targetId: 5,
    text: 'used bottle',
    matchType: 'EXACT',
    adGroupId: 21,
    adGroupName: 'Group',
    campaignName: 'Bottles',
    orders: 1,
    cost: 12,
  },
]

function answerOf({ pathname }: URL, body: { keywords?: { text: string }[] }): unknown {
  switch (pathname) {
    case '/api/profile/marketplaces/current':
      return { id: 1, amazonId: 'ATVPDKIKX0DER', name: 'United States', key: 'US', currency: 'USD' }
    case '/api/profile/current':
      return merchant
    case '/api/profile/merchant/1':
      return { ...merchant, role: scene.role, connections: [], profiles: [] }
    case '/api/negatives/cm':
      return page(rows)
    case '/api/campaigns':
      return campaigns
    case '/api/negatives/preview':
      return {
        items: body.keywords?.map(({ text }) =>
          text === 'cheap'
            ? { status: 'EXISTS', message: null, blocks: [], blockedCount: 0 }
            : {
                status: 'NEW',
                message: null,
                blocks: text === 'used' ? blocks : [],
                blockedCount: text === 'used' ? 21 : 0,
              },
        ),
        currency: 'USD',
      }
    case '/api/sp/negative-keyword/create':
      return {
        groupId: '0b0c3c4e-7a4f-4a6e-9d1e-1f2a3b4c5d6f',
        outcomes: body.keywords?.map(({ text }, i) =>
          text === 'late'
            ? { status: 'INVALID', id: null, message: 'The campaign is archived.' }
            : { status: 'CREATED', id: 90 + i, message: null },
        ),
      }
    case '/api/negatives/3/retry':
      return { ...rows[2], syncState: 'PENDING' }
    default:
      return null
  }
}

/** Whether a call is an act of the user, and not of the page itself. */
const acts = ({ pathname }: URL) => pathname !== '/api/events' && pathname !== '/api/campaigns/synchronize'

beforeEach(() => {
  Object.assign(scene, { role: 'OWNER', requests: [], sent: [] })
  vi.stubGlobal('fetch', async (path: string, init: { method: string; body: string | null }) => {
    const url = new URL(path, 'https://tideline.test')
    const body = init.body ? (JSON.parse(init.body) as Record<string, unknown>) : {}
    if (init.method === 'GET' || !acts(url)) scene.requests.push(url)
    else scene.sent.push({ path: url.pathname, method: init.method, body })
    if (init.method === 'DELETE') return new Response(null, { status: 204 })
    if (url.pathname === '/api/adgroups/cm') return Response.json(figuresPage([]))
    const answer = answerOf(url, body)
    return answer === null
      ? Response.json({ errorCode: 'NOT_FOUND', message: 'none' }, { status: 404 })
      : Response.json(answer)
  })
})
const figuresPage = (content: object[]) => ({
  ...page(content),
  currency: 'USD',
  dateFrom: '2026-03-01',
  dateTo: '2026-03-30',
  totals: {},
  freshness: { asOf: null, movingFrom: null },
})

/** Chooses an action of a row's menu. */
async function act(name: string, action: string) {
  vi.spyOn(overlays, 'openActionSheet').mockResolvedValue(action)
  fireEvent.click(await screen.findByLabelText(`Actions for ${name}`))
}
const press = async (name: string | RegExp) => {
  // Looked for again each time: a button that was found may have given way to another by the time it can be pressed.
  await waitFor(() => {
    const button = screen.getByRole<HTMLButtonElement>('button', { name, hidden: true })
    expect(button.disabled).toBe(false)
    fireEvent.click(button)
  })
}

it('shows each negative with its place, its kind and what became of it', async () => {
  open('/negatives')
  expect(await screen.findByText('Product: B0TIDE0001')).toBeTruthy()
  for (const text of [
    'SB · Bottles · Group',
    'Negative product',
    'Negative phrase',
    'Rejected: Too many negatives.',
    'Being sent to the marketplace',
  ])
    expect(screen.getAllByText(text, { exact: false }).length, text).toBeGreaterThan(0)
  expect(screen.getAllByText('SP · Bottles · whole campaign')).toHaveLength(3)
})

it('asks for what the address narrows it to, without removed ones', async () => {
  open('/negatives?level=CAMPAIGN&adType=SPONSORED_BRANDS&campaignId=11&name=che&kind=KEYWORD&syncState=FAILED')
  await screen.findByText('cheap')
  const request = scene.requests.find(url => url.pathname === '/api/negatives/cm')
  expect(Object.fromEntries(request?.searchParams ?? [])).toMatchObject({
    level: 'CAMPAIGN',
    adType: 'SPONSORED_BRANDS',
    campaignId: '11',
    name: 'che',
    kind: 'KEYWORD',
    syncState: 'FAILED',
    state: 'NOT_ARCHIVED',
  })
  expect(await screen.findByText('Campaign Bottles', { exact: false })).toBeTruthy()
})

it('removes a negative, and adds it again on undo', async () => {
  open('/negatives')
  await act('cheap', 'Remove')
  await waitFor(() => expect(currentToasts()[0]?.title).toBe('Negative removed'))
  expect(scene.sent).toMatchObject([{ method: 'DELETE', path: '/api/negatives/1' }])
  currentToasts()[0]?.action?.onSelect()
  await waitFor(() => expect(scene.sent).toHaveLength(2))
  expect(scene.sent[1]).toMatchObject({
    path: '/api/sp/negative-keyword/create',
    body: { campaignId: 11, keywords: [{ text: 'cheap', matchType: 'NEGATIVE_PHRASE' }] },
  })
})

it('sends a rejected negative again', async () => {
  open('/negatives')
  await act('free', 'Try again')
  await waitFor(() => expect(scene.sent).toMatchObject([{ path: '/api/negatives/3/retry' }]))
})

it('adds a pasted list: what cannot be is left out at its line, conflicts are shown before anything is sent', async () => {
  const router = open('/negatives?sheet=add')
  fireEvent.click(await screen.findByLabelText(/Bottles/))
  expect(screen.queryByLabelText(/Shown/)).toBeNull()
  fireEvent.change(await screen.findByLabelText('Keywords', { selector: 'textarea' }), {
    target: { value: 'cheap\nused\nlate\nused\nbottle™' },
  })
  expect(await screen.findByText('Line 4: used')).toBeTruthy()
  expect(screen.getByText('The same as on line 2')).toBeTruthy()
  expect(screen.getByText('The marketplace accepts no ™ in keywords: remove it')).toBeTruthy()
  await press('Check 3 negatives')
  expect(await screen.findByText('Stops 21 running keywords:')).toBeTruthy()
  expect(screen.getByText('and 20 more')).toBeTruthy()
  expect(screen.getByText('Already a negative there. Left as it is.')).toBeTruthy()
  expect(scene.sent.map(({ path }) => path)).toEqual(['/api/negatives/preview'])
  await press('Add 2 negatives anyway')
  const list = within(await screen.findByRole('list', { name: 'Negatives to add', hidden: true }))
  expect(await list.findByText('The campaign is archived.')).toBeTruthy()
  expect(list.getByText('Added')).toBeTruthy()
  expect(currentToasts()[0]?.title).toBe('Negative added')
  expect(router.state.location.search).toMatchObject({ sheet: 'add' })
})

it('asks for an ad group where Brands takes no negatives of a whole campaign', async () => {
  open('/negatives?sheet=add')
  fireEvent.click(await screen.findByLabelText(/Brand.*SB/))
  fireEvent.change(await screen.findByLabelText('Keywords', { selector: 'textarea' }), { target: { value: 'used' } })
  const check = await screen.findByRole<HTMLButtonElement>('button', { name: 'Check 1 negative', hidden: true })
  expect(check.disabled).toBe(true)
  expect(screen.getByText('Sponsored Brands takes negatives on ad groups only.')).toBeTruthy()
})

it('without network a removal waits, and can be undone where it is shown', async () => {
  open('/negatives')
  await screen.findByLabelText('Actions for cheap')
  onlineManager.setOnline(false)
  await act('cheap', 'Remove')
  expect(await screen.findByText('Removed once you are online')).toBeTruthy()
  expect(pendingEdits()).toMatchObject([{ kind: 'removeNegative', row: 1, name: 'cheap' }])
  expect(scene.sent).toEqual([])
  await act('cheap', 'Keep it')
  await waitFor(() => expect(pendingEdits()).toEqual([]))
  expect(screen.queryByText('Removed once you are online')).toBeNull()
})

it('a removal that was made before its answer was lost is not a failure', async () => {
  scene.role = 'OWNER'
  vi.stubGlobal('fetch', async () => Response.json({ errorCode: 'NOT_FOUND', message: 'none' }, { status: 404 }))
  const edit = { id: 'k', user: '7', kind: 'removeNegative', row: 3, tried: true } as PendingEdit
  await expect(removeNegativeKind.send(edit, null)).resolves.toBeUndefined()
  await expect(removeNegativeKind.send({ ...edit, tried: false }, null)).rejects.toThrow('none')
})

it('offers a viewer no acts', async () => {
  scene.role = 'VIEWER'
  open('/negatives')
  await screen.findByText('cheap')
  await waitFor(() => expect(scene.requests.some(url => url.pathname === '/api/profile/merchant/1')).toBe(true))
  expect(screen.queryByLabelText('Actions for cheap')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Add' })).toBeNull()
})

it('is a table from 768 px', async () => {
  viewport(true)
  const router = open('/negatives')
  const table = within(await screen.findByRole('table', { name: 'negatives' }))
  fireEvent.click(table.getByRole('button', { name: 'Kind' }))
  await waitFor(() => expect(router.state.location.search).toMatchObject({ sortBy: 'matchType' }))
})
