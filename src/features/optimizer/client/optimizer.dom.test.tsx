import { setupIonicReact } from '@ionic/react'
import { onlineManager } from '@tanstack/react-query'
import { act, cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '#client/api/query-client.ts'
import { currentToasts, dismissToast } from '#client/ui/shell/toast-store.ts'
import { userQueries } from '#features/auth/client/public.ts'
import {
  bidRow,
  checkOf,
  groupProof,
  logPage,
  logRows,
  previewGroup,
  previewRows,
  proposal,
  restorePreview,
  runningGroup,
} from '../../../../tests/support/optimizer-pages.ts'
import { showRoutes } from '../../../../tests/support/show-routes.tsx'
import { stubLayout } from '../../../../tests/support/stub-layout.ts'
import { signInAs } from '../../../../tests/support/test-edit.ts'
import type { LogRow } from '../contract.ts'
import { optimizerRoutes, takeOverRoutes } from './routes.tsx'

setupIonicReact()
configure({ asyncUtilTimeout: 20_000 })

const campaigns = [11, 12, 13, 14].map(id => ({
  id,
  amazonId: String(id),
  name: `Campaign ${id}`,
  state: 'ENABLED',
  targetingType: 'MANUAL',
  adType: 'SPONSORED_PRODUCTS',
}))
const merchant = { id: 1, name: 'Harbour', accountType: 'SELLER', regionId: 1, regionName: 'North America' }

const scene = {
  rows: logRows,
  requested: [] as URL[],
  sent: [] as { path: string; body: unknown }[],
  /** Answers of one call each, by method and path. */
  next: {} as Record<string, Response>,
  role: 'OWNER',
}

function answer(url: URL): object {
  const { pathname, searchParams } = url
  if (pathname === '/api/profile/marketplaces/current')
    return { id: 1, amazonId: 'ATVPDKIKX0DER', name: 'United States', key: 'US', currency: 'USD' }
  if (pathname === '/api/profile/current') return merchant
  if (pathname === '/api/profile/merchant/1') return { ...merchant, role: scene.role, connections: [], profiles: [] }
  if (pathname === '/api/campaigns') return campaigns
  if (pathname === '/api/automation-logs')
    return logPage(searchParams.get('groupId') === '2' ? previewRows : scene.rows)
  if (pathname === '/api/optimizer/groups') return { content: [runningGroup, previewGroup] }
  if (pathname === '/api/optimizer/groups/1') return runningGroup
  if (pathname === '/api/optimizer/groups/2') return previewGroup
  if (pathname.endsWith('/proof')) return groupProof
  if (pathname.endsWith('/restore')) return restorePreview
  if (pathname === '/api/optimizer/takeover-check') {
    const ids = searchParams.get('campaignIds')?.split(',').map(Number) ?? []
    return checkOf(campaigns.filter(({ id }) => ids.includes(id)))
  }
  const row = scene.rows.find(({ id }) => pathname === `/api/automation-logs/${id}`)
  return row ?? expect.unreachable(pathname)
}

beforeEach(() => {
  Object.assign(scene, { rows: logRows, requested: [], sent: [], next: {}, role: 'OWNER' })
  stubLayout({ listPx: 5000, rowPx: 120 })
  localStorage.clear()
  signInAs('7')
  queryClient.setQueryData(userQueries.user().queryKey, {
    roles: [{ id: 1, name: 'Owner', authorities: [{ id: 1, name: 'ACCOUNT_MANAGER', description: '' }] }],
  } as never)
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }))
  vi.stubGlobal('fetch', async (path: string, { method, body }: { method?: string; body: string | null }) => {
    const url = new URL(path, 'https://tideline.test')
    const own = scene.next[`${method} ${url.pathname}`]
    delete scene.next[`${method} ${url.pathname}`]
    // The stream of events has no method of its own.
    if (method === undefined) return new Response(null, { status: 404 })
    if (method === 'GET') scene.requested.push(url)
    else scene.sent.push({ path: `${method} ${url.pathname}`, body: body ? JSON.parse(body) : null })
    return own ?? Response.json(answer(url))
  })
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  onlineManager.setOnline(true)
  for (const { id } of currentToasts()) dismissToast(id)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const undone = (row: LogRow) =>
  Response.json({
    changeGroup: 'c-2',
    outcomes: [{ id: row.id, status: 'UNDONE', message: null }],
    row: { ...row, state: 'UNDONE', pin: { id: 9, until: '2026-04-13' } },
    taught: [],
  })
/** A link to a decision says after its title what it is about. */
const titled = (title: string) => ({ name: (name: string) => name.startsWith(`${title} for `) })
const cardOf = async (title: string): Promise<HTMLElement> => {
  const link = await screen.findByRole('link', titled(title))
  return link.closest<HTMLElement>('.decision-card') ?? expect.unreachable()
}
const lowered = 'Bid $1.20 → $1.02 (-15%)'

test('the log groups decisions by day, says why, and shows what became of each', async () => {
  showRoutes(optimizerRoutes, '/automation-logs?days=30')
  const card = within(await cardOf(lowered))
  expect(card.getByText('steel bottle (broad) · Bottles 1 · Tide bottles – Research')).toBeTruthy()
  expect(card.getByText(/^42 clicks brought 1 order where similar targets of yours bring 3\./)).toBeTruthy()
  expect(card.getByText('Done')).toBeTruthy()
  expect(screen.getAllByRole('heading', { level: 2 }).map(one => one.textContent)).toEqual([
    'Mon 30',
    'Sun 29',
    'Thu 12',
    'Wed 11',
  ])
  // The two budgets were decided together, and go together.
  const together = within(await cardOf('Daily budget $20.00 → $26.00 (+30%)'))
  expect(together.getByText('2 changes decided together')).toBeTruthy()
  expect(together.getByRole('link', titled('Daily budget $25.00 → $19.00 (-24%)'))).toBeTruthy()
  expect(screen.getByText('The bid is below the minimum of this campaign.')).toBeTruthy()
  expect(screen.getByText(/Yours until Apr 12/)).toBeTruthy()
  expect(screen.getByText(/^The forecast ACOS is 29% against your target of 30%/)).toBeTruthy()
})

test('filters are in the address, and what does not fit is ignored', async () => {
  showRoutes(optimizerRoutes, '/automation-logs?group=1&kind=bid&state=NONSENSE&from=2026-03-01&to=2026-03-30')
  await cardOf(lowered)
  const list = scene.requested.find(({ pathname }) => pathname === '/api/automation-logs')
  expect(Object.fromEntries(list?.searchParams ?? [])).toEqual({
    groupId: '1',
    kind: 'bid',
    dateFrom: '2026-03-01',
    dateTo: '2026-03-30',
    page: '0',
    size: '50',
  })
})

test('the key U undoes the decision in focus, which is pinned then', async () => {
  showRoutes(optimizerRoutes, '/automation-logs')
  const card = await cardOf(lowered)
  await waitFor(() => expect(card.closest('ion-item-sliding')).toBeTruthy())
  scene.next['POST /api/automation-logs/101/undo'] = undone(bidRow)
  fireEvent.keyDown(screen.getByRole('link', titled(lowered)), { key: 'u' })
  await waitFor(() =>
    expect(currentToasts()).toMatchObject([{ title: 'Undone', message: 'It is yours until Apr 13.' }]),
  )
  expect(scene.sent).toEqual([{ path: 'POST /api/automation-logs/101/undo', body: { whole: false, force: false } }])
})

test('an undo that meets a newer value shows the three values, and goes on only where the person says so', async () => {
  showRoutes(optimizerRoutes, '/automation-logs?row=101')
  const conflict = () =>
    Response.json(
      {
        errorCode: 'CONFLICT',
        message: 'It has been changed since.',
        details: [],
        requestId: 'r',
        values: [{ id: 101, name: 'steel bottle', unit: 'MONEY', before: 1.2, after: 1.02, now: 1.5 }],
      },
      { status: 409 },
    )
  const press = async () =>
    fireEvent.click((await screen.findAllByRole('button', { name: 'Undo' })).at(-1) ?? expect.unreachable())
  scene.next['POST /api/automation-logs/101/undo'] = conflict()
  await press()
  const dialog = await waitFor(() => document.querySelector('ion-alert') ?? expect.unreachable())
  expect(dialog.message).toMatch(/Before: \$1\.20\nChanged to: \$1\.02\nNow, changed by hand: \$1\.50/)
  await waitFor(() => expect(dialog.textContent).toContain('Leave $1.50'))
  scene.next['POST /api/automation-logs/101/undo'] = undone(bidRow)
  fireEvent.click(await screen.findByText('Go back to $1.20'))
  await waitFor(() => expect(currentToasts()).toMatchObject([{ title: 'Undone' }]))
  expect(scene.sent.map(({ body }) => body)).toEqual([
    { whole: false, force: false },
    { whole: false, force: true },
  ])
})

test('a proposal is approved with another number, or rejected with a reason', async () => {
  showRoutes(optimizerRoutes, '/automation-logs')
  const card = within(await cardOf('Daily budget $20.00 → $30.00 (+50%)'))
  fireEvent.click(await card.findByRole('button', { name: 'Change the number' }))
  fireEvent.change(await screen.findByLabelText('Your number'), { target: { value: '26' } })
  scene.next['POST /api/automation-logs/102/approve'] = Response.json({ ...proposal, state: 'QUEUED' })
  fireEvent.click(await screen.findByRole('button', { name: 'Approve $26.00' }))
  await waitFor(() => expect(currentToasts()).toMatchObject([{ title: 'Approved' }]))
  await waitFor(() => expect(card.getByRole('button', { name: 'Reject' }).hasAttribute('disabled')).toBe(false))
  scene.next['POST /api/automation-logs/102/reject'] = Response.json({ ...proposal, state: 'REJECTED' })
  fireEvent.click(card.getByRole('button', { name: 'Reject' }))
  fireEvent.click(await screen.findByText('The change is too large'))
  await waitFor(() => expect(currentToasts()).toHaveLength(2))
  expect(scene.sent).toEqual([
    { path: 'POST /api/automation-logs/102/approve', body: { after: 26 } },
    { path: 'POST /api/automation-logs/102/reject', body: { reason: 'The change is too large' } },
  ])
})

test('a viewer, and a person without network, see the log and can change nothing', async () => {
  scene.role = 'VIEWER'
  showRoutes(optimizerRoutes, '/automation-logs')
  const card = await cardOf(lowered)
  expect(card.closest('ion-item-sliding')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
  cleanup()
  scene.role = 'OWNER'
  showRoutes(optimizerRoutes, '/automation-logs')
  await cardOf(lowered)
  await screen.findByRole('button', { name: 'Approve' })
  act(() => onlineManager.setOnline(false))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Approve' }).hasAttribute('disabled')).toBe(true))
  expect(screen.getByText(/^Saved/)).toBeTruthy()
})

test('a preview says what would change and what it comes to, and starts early', async () => {
  showRoutes(optimizerRoutes, '/automation-groups/2')
  expect(await screen.findByText(/^2 bids up, 1 bid down|bids? up/)).toBeTruthy()
  fireEvent.click(await screen.findByRole('button', { name: 'Start now' }))
  const dialog = await waitFor(() => document.querySelector('ion-alert') ?? expect.unreachable())
  scene.next['POST /api/optimizer/groups/2/start'] = Response.json({ ...previewGroup, state: 'RUNNING' })
  fireEvent.click(await within(dialog as HTMLElement).findByText('Start now', { selector: 'span' }))
  await waitFor(() => expect(currentToasts()).toMatchObject([{ title: 'Started' }]))
})

test('a group is stopped with everything put back, after a list of what that changes and leaves alone', async () => {
  showRoutes(optimizerRoutes, '/automation-groups/1?sheet=stop')
  fireEvent.click(await screen.findByLabelText(/Put everything back/))
  expect(await screen.findByText('4 go back')).toBeTruthy()
  expect(screen.getByText('Bid $1.02 → $1.35')).toBeTruthy()
  expect(screen.getByText('Bid stays $0.90, was $0.70')).toBeTruthy()
  expect(screen.getByText('Left alone: changed by hand since')).toBeTruthy()
  scene.next['POST /api/optimizer/groups/1/stop'] = Response.json({
    group: { ...runningGroup, state: 'STOPPED' },
    changeGroup: 'c-3',
    restored: 4,
    left: [restorePreview.content[4]],
  })
  fireEvent.click(screen.getByRole('button', { name: 'Stop and put everything back' }))
  await waitFor(() =>
    expect(currentToasts()).toMatchObject([{ title: 'Stopped', message: '4 values go back. 1 left alone.' }]),
  )
  expect(scene.sent).toEqual([{ path: 'POST /api/optimizer/groups/1/stop', body: { restore: true } }])
})

test('taking over says why a campaign cannot come along, keeps its draft, and sends what was chosen', async () => {
  showRoutes(takeOverRoutes, '/take-over', 'action')
  expect(await screen.findByText('Cannot be taken over: It is in the group Bottles already.')).toBeTruthy()
  fireEvent.click(screen.getByLabelText(/^Campaign 11/))
  fireEvent.click(screen.getByLabelText(/^Campaign 12/))
  expect(screen.getByLabelText<HTMLInputElement>(/^Campaign 14/).disabled).toBe(true)
  cleanup()
  // The page comes back as it was left.
  showRoutes(takeOverRoutes, '/take-over?step=2', 'action')
  const target = await screen.findByLabelText('Target ACOS')
  await waitFor(() => expect((target as HTMLInputElement).value).toBe('30'))
  fireEvent.change(target, { target: { value: '25' } })
  expect(screen.getByText(/Your margin is 42%/)).toBeTruthy()
  cleanup()
  const router = showRoutes(takeOverRoutes, '/take-over?step=6', 'action')
  const name = await screen.findByLabelText('Name of the group')
  fireEvent.change(name, { target: { value: 'Bottles' } })
  scene.next['POST /api/campaign/takeover'] = Response.json({ jobId: 'j', groupId: 3 }, { status: 202 })
  fireEvent.click(await screen.findByRole('button', { name: 'Start the preview' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/automation-groups/3'))
  expect(scene.sent).toEqual([
    {
      path: 'POST /api/campaign/takeover',
      body: {
        campaignIds: [11, 12],
        name: 'Bottles',
        targetAcos: 25,
        strategy: 'PROFIT',
        dailyBudget: 60,
        highestBid: null,
        launchUntil: null,
        launchBudget: null,
        untouched: [],
      },
    },
  ])
  expect(Object.keys(localStorage).filter(key => key.includes('take-over'))).toEqual([])
})
