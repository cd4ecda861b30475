import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import * as overlays from '#client/ui/overlays/ionic-overlays.ts'
import { currentToasts } from '#client/ui/shell/toast-store.ts'
import { costlyKeyword, listOf, open, refusal, scene } from '../../../../../tests/support/campaigns-scene.tsx'

const groupId = '11111111-2222-4333-8444-555555555555'
const rows = [
  { id: 11, version: 3, name: 'Tide mugs', before: 25, after: 27.5, problem: null, currency: 'USD' },
  {
    id: 12,
    version: 3,
    name: 'Ebb lamps',
    before: 25,
    after: 25,
    problem: 'An archived campaign cannot be changed.',
    currency: 'USD',
  },
]
const page = { size: 1000, number: 0, totalElements: 2, totalPages: 1 }
const change = {
  id: 71,
  at: '2026-03-10T18:30:00.000Z',
  groupId,
  groupSize: 1,
  entity: 'campaign',
  entityId: 11,
  name: 'Tide mugs',
  campaignId: 11,
  campaignName: 'Tide mugs',
  field: 'budget',
  before: 25,
  after: 27.5,
  origin: 'USER',
  by: 'Ada',
  note: null,
  undoes: null,
  undoneBy: null,
  isGroupUndone: false,
}
const item = {
  changeId: 71,
  entity: 'campaign',
  entityId: 11,
  version: 4,
  name: 'Tide mugs',
  field: 'budget',
  before: 25,
  after: 27.5,
}
const group = { groupId, at: change.at, origin: 'USER', by: 'Ada', currency: 'USD', pending: 0, undone: 0 }

async function chooseBoth() {
  fireEvent.click(await screen.findByLabelText('Select campaigns'))
  for (const name of ['Tide mugs', 'Ebb lamps'])
    fireEvent.click(await screen.findByRole('checkbox', { name: new RegExp(name) }))
}

it('raises budgets after a look at every row, and sends only those that can be changed', async () => {
  scene.answers['POST /api/bulk/preview'] = { field: 'budget', content: rows, page }
  scene.answers['POST /api/bulk'] = { groupId, outcomes: [{ status: 'CHANGED', message: null, version: 4 }] }
  open()
  await chooseBoth()
  fireEvent.click(screen.getByRole('button', { name: 'Change budget' }))
  fireEvent.change(await screen.findByLabelText('Percent'), { target: { value: '-5' } })
  fireEvent.blur(screen.getByLabelText('Percent'))
  expect(await screen.findByText('Enter a number above 0, and choose to raise or lower')).toBeTruthy()
  fireEvent.change(screen.getByLabelText('Percent'), { target: { value: '10' } })
  expect(await screen.findByText('1 will change, 1 cannot be changed.')).toBeTruthy()
  expect(screen.getByText('An archived campaign cannot be changed.')).toBeTruthy()
  expect(scene.sent.at(-1)?.body).toMatchObject({
    entity: 'campaign',
    ids: [11, 12],
    change: { kind: 'AMOUNT', field: 'budget', amount: { kind: 'PERCENT', value: 10 } },
  })
  fireEvent.click(screen.getByText('Raise 1 daily budget'))
  await waitFor(() =>
    expect(scene.sent.at(-1)?.body).toEqual([{ entity: 'campaign', id: 11, version: 3, set: { budget: 27.5 } }]),
  )
  // The change is followed from now on, and nothing is chosen any more.
  await waitFor(() =>
    expect(JSON.parse(localStorage.getItem('tideline.bulk') ?? '{}')).toMatchObject({ sent: 1, total: 1 }),
  )
  expect(screen.queryByRole('region', { name: /^Change/ })).toBeNull()
})

it('archives only after the button was held, and says that it is for good', async () => {
  scene.answers['POST /api/bulk/preview'] = {
    field: 'state',
    content: rows.map(row => ({ ...row, before: 'ENABLED', after: 'ARCHIVED', problem: null })),
    page,
  }
  const alert = vi.spyOn(overlays, 'openAlert').mockResolvedValue('cancel')
  vi.spyOn(overlays, 'openActionSheet').mockResolvedValue('Archive')
  open()
  await chooseBoth()
  fireEvent.click(screen.getByText('More'))
  const archive = await screen.findByRole('button', { name: 'Archive 2 campaigns' })
  await waitFor(() => expect(archive.hasAttribute('disabled')).toBe(false))
  const before = scene.sent.length
  fireEvent.click(archive)
  await waitFor(() => expect(alert).toHaveBeenCalledOnce())
  expect(alert.mock.calls[0]?.[0].message).toMatch(/cannot be undone/)
  expect(scene.sent).toHaveLength(before)
})

it('the history says who changed what and when, and undoes a change after a question where something newer is lost', async () => {
  scene.answers['/api/changes'] = { content: [change], page: { ...page, totalElements: 1 }, currency: 'USD' }
  open('/changes')
  const row = within(await screen.findByRole('article'))
  expect(row.getByText('$25.00')).toBeTruthy()
  expect(row.getByText('$27.50')).toBeTruthy()
  // In the account's clock: Los Angeles.
  expect(row.getByText(/Mar 10, 2026, 11:30/)).toBeTruthy()
  expect(row.getByText(/Ada/)).toBeTruthy()
  const bodies: unknown[] = []
  const usual = globalThis.fetch
  vi.stubGlobal('fetch', async (path: string, init: { method: string; body: string }) => {
    if (init.method !== 'POST') return usual(path, init)
    bodies.push([path, JSON.parse(init.body)])
    return bodies.length === 1
      ? refusal(409, 'CONFLICT', 'Something newer was changed here.', {
          blocked: 1,
          of: 1,
          newer: [{ ...change, id: 75, before: 27.5, after: 31, by: 'Ben', at: '2026-03-11T16:05:00.000Z' }],
        })
      : Response.json({ groupId, outcomes: [{ changeId: 71, status: 'UNDONE', message: null }] })
  })
  const alert = vi.spyOn(overlays, 'openAlert').mockResolvedValue('confirm')
  fireEvent.click(await row.findByRole('button', { name: 'Undo: Daily budget of Tide mugs' }))
  await waitFor(() => expect(currentToasts()).toMatchObject([{ title: 'Change undone' }]))
  expect(alert.mock.calls[0]?.[0].header).toBe('This has changed again since')
  // What stands in the way: what, its values, by whom and when.
  expect(alert.mock.calls[0]?.[0].message).toContain('Tide mugs: Daily budget $27.50 → $31.00 (Ben, Mar 11, 2026, 9:05')
  expect(bodies).toEqual([
    ['/api/changes/71/undo', {}],
    ['/api/changes/71/undo', { force: true }],
  ])
})

it('undoes a launch once the button was held, because what it created is archived for good with what was added since', async () => {
  const created = { ...change, field: null, before: null, after: null, origin: 'LAUNCH', groupSize: 1 }
  scene.answers['/api/changes'] = { content: [created], page: { ...page, totalElements: 1 }, currency: 'USD' }
  const bodies: unknown[] = []
  const usual = globalThis.fetch
  vi.stubGlobal('fetch', async (path: string, init: { method: string; body: string }) => {
    if (init.method !== 'POST') return usual(path, init)
    bodies.push(JSON.parse(init.body))
    const added = { ...created, id: 76, entity: 'negative', name: 'cheap', by: 'Ben', at: '2026-03-11T16:05:00.000Z' }
    return bodies.length === 1
      ? refusal(409, 'CONFLICT', 'Something newer was changed here.', { blocked: 1, of: 1, newer: [added] })
      : Response.json({ groupId, outcomes: [{ changeId: 71, status: 'UNDONE', message: null }] })
  })
  const alert = vi.spyOn(overlays, 'openAlert').mockResolvedValueOnce('cancel').mockResolvedValue('confirm')
  open('/changes')
  const undo = await screen.findByRole('button', { name: 'Undo: Created of Tide mugs' })
  fireEvent.click(undo)
  await waitFor(() => expect(alert).toHaveBeenCalledOnce())
  expect(alert.mock.calls[0]?.[0].message).toMatch(
    /archived at the marketplace, with everything in it. It cannot come back/,
  )
  expect(bodies).toEqual([])
  fireEvent.click(undo)
  await waitFor(() => expect(currentToasts()).toMatchObject([{ title: 'Change undone' }]))
  expect(alert.mock.calls[2]?.[0].message).toMatch(/^cheap: Created \(Ben, Mar 11, 2026, 9:05[^]*archives it anyway/)
  expect(bodies).toEqual([{}, { force: true }])
})

it('a group shows why the marketplace rejected a row, and tries all of them again by one call', async () => {
  scene.answers['/api/changes'] = { content: [change], page: { ...page, totalElements: 1 }, currency: 'USD' }
  scene.answers[`/api/changes/groups/${groupId}`] = {
    ...group,
    total: 2,
    accepted: 1,
    rejected: 1,
    items: [
      { ...item, status: 'REJECTED', message: 'The budget is too low.', isUndone: false },
      { ...item, changeId: 72, entityId: 12, name: 'Ebb lamps', status: 'ACCEPTED', message: null, isUndone: false },
    ],
  }
  const retry = `/api/changes/groups/${groupId}/retry`
  scene.answers[`POST ${retry}`] = { groupId, retried: 1, failed: 0, message: null }
  open(`/changes?group=${groupId}`)
  expect(await screen.findByText('Rejected: The budget is too low.')).toBeTruthy()
  expect(screen.getByText('1 accepted, 1 rejected of 2.')).toBeTruthy()
  fireEvent.click(await screen.findByText('Try the 1 rejected again'))
  await waitFor(() => expect(currentToasts()).toMatchObject([{ title: '1 sent again' }]))
  expect(scene.asked.map(url => url.pathname)).toContain(retry)
})

it('a group of more changes than one page has them all, and tries all the rejected again', async () => {
  const rejected = (changeId: number) => ({
    ...item,
    changeId,
    entityId: changeId,
    name: `Row ${changeId}`,
    status: 'REJECTED',
    message: 'Too low.',
    isUndone: false,
  })
  const many = Array.from({ length: 1500 }, (_, i) => rejected(i + 1))
  const usual = globalThis.fetch
  const retries: string[] = []
  vi.stubGlobal('fetch', async (path: string, init: { method: string; body: string }) => {
    const url = new URL(path, 'https://tideline.test')
    if (url.pathname.endsWith('/retry')) {
      retries.push(url.pathname)
      return Response.json({ groupId, retried: 1500, failed: 0, message: null })
    }
    if (!url.pathname.endsWith(groupId)) return usual(path, init)
    const [number, size] = [Number(url.searchParams.get('page') ?? 0), Number(url.searchParams.get('size'))]
    const items = many.slice(number * size, (number + 1) * size)
    return Response.json({ ...group, total: 1500, accepted: 0, rejected: 1500, items })
  })
  open(`/changes?group=${groupId}`)
  fireEvent.click(await screen.findByText('Try the 1,500 rejected again'))
  await waitFor(() => expect(currentToasts()).toMatchObject([{ title: '1,500 sent again' }]))
  expect(retries).toEqual([`/api/changes/groups/${groupId}/retry`])
})

it('marks a group in the history whose changes were all undone', async () => {
  const collapsed = { ...change, groupSize: 3, isGroupUndone: true }
  scene.answers['/api/changes'] = { content: [collapsed], page: { ...page, totalElements: 1 }, currency: 'USD' }
  open('/changes')
  const row = within(await screen.findByRole('article'))
  expect(row.getByText('Undone')).toBeTruthy()
  expect(row.getByRole('link', { name: 'See all 3' })).toBeTruthy()
})

it('a viewer sees the history without a button to change anything', async () => {
  scene.role = 'VIEWER'
  scene.answers['/api/changes'] = { content: [change], page: { ...page, totalElements: 1 }, currency: 'USD' }
  open('/changes')
  expect(await screen.findByText('Tide mugs')).toBeTruthy()
  await waitFor(() => expect(scene.asked.map(url => url.pathname)).toContain('/api/profile/merchant/1'))
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(screen.queryByText('Undo')).toBeNull()
})

it('negates what the chosen targets aim at, leaves out what cannot be, and undoes it', async () => {
  const product = { ...costlyKeyword, kind: 'PRODUCT', matchType: null }
  scene.answers['/api/targets/cm'] = listOf([
    {
      ...product,
      id: 32,
      text: 'ASIN_SAME_AS: B0RIVAL001',
      expression: [{ type: 'ASIN_SAME_AS', value: 'B0RIVAL001' }],
    },
    { ...product, id: 33, text: 'CLOSE_MATCH', kind: 'AUTO', expression: [{ type: 'CLOSE_MATCH' }] },
    {
      ...product,
      id: 34,
      text: 'ASIN_BRAND_SAME_AS: Mugs, ASIN_PRICE_BETWEEN: 5-9',
      expression: [
        { type: 'ASIN_BRAND_SAME_AS', value: '77' },
        { type: 'ASIN_PRICE_BETWEEN', value: '5-9' },
      ],
    },
  ])
  const item = { status: 'NEW', message: null, blocks: [], blockedCount: 0 }
  scene.answers['POST /api/negatives/preview'] = { items: [item], currency: 'USD' }
  scene.answers['POST /api/sp/negative-target/create'] = {
    groupId,
    outcomes: [{ status: 'CREATED', id: 90, message: null }],
  }
  const router = open('/targets')
  fireEvent.click(await screen.findByLabelText('Select targets'))
  for (const box of await screen.findAllByRole('checkbox', { name: /^Select/ })) fireEvent.click(box)
  fireEvent.click(screen.getByText('Negate'))
  expect(await screen.findByText(/2 cannot be negated: automatic groups/)).toBeTruthy()
  expect(router.state.location.search).toMatchObject({ sheet: 'bulk', action: 'NEGATE' })
  const negate = await screen.findByRole('button', { name: 'Negate 1 target', hidden: true })
  await waitFor(() => expect(negate.hasAttribute('disabled')).toBe(false))
  fireEvent.click(negate)
  await waitFor(() => expect(currentToasts()[0]?.title).toBe('Negative added'))
  expect(scene.sent.at(-1)?.body).toEqual({
    campaignId: 11,
    adGroupId: 21,
    targets: [{ expressionType: 'ASIN_SAME_AS', value: 'B0RIVAL001' }],
  })
  // The selection is over, and so is the sheet of the address.
  await waitFor(() => expect(router.state.location.search).toEqual({}))
  expect(screen.queryByRole('region', { name: /^Change/ })).toBeNull()
  currentToasts()[0]?.action?.onSelect()
  await waitFor(() => expect(scene.asked.map(url => url.pathname)).toContain('/api/negatives/90'))
})
