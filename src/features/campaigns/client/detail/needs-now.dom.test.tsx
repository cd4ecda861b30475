import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { serverNow } from '#client/api/server-clock.ts'
import { currentToasts } from '#client/ui/shell/toast-store.ts'
import { addDays, dayIn } from '#shared/time.ts'
import type { CampaignRow } from '../../contract.ts'
import { costlyKeyword, listAsked, listOf, open, scene, tide } from '../../../../../tests/support/campaigns-scene.tsx'

const today = () => dayIn(new Date(serverNow()), 'America/Los_Angeles')
const wasting = { ...costlyKeyword, adGroupName: 'Mugs', clicksToBeSure: 43 }
function answerWasting(...content: object[]) {
  const days = { dateFrom: '2026-02-16', dateTo: '2026-03-17' }
  scene.answers['/api/targets/wasting'] = { currency: 'USD', days, content }
}
const needs = async () => within(await screen.findByRole('region', { name: 'Needs you now' }))

it('pauses a keyword that only costs in one tap, with a way back', async () => {
  answerWasting(wasting)
  open('/campaigns?campaign=11')
  const card = await needs()
  expect(card.getByText('$34.00 for 80 clicks and no order in 30 days')).toBeTruthy()
  expect(card.getByRole('link', { name: 'free mugs (broad)' }).getAttribute('href')).toContain('adGroupId=21')
  scene.answers['PUT /api/keywords/31'] = { ...wasting, state: 'PAUSED', version: 6, syncState: 'PENDING' }
  fireEvent.click(card.getByRole('button', { name: 'Pause free mugs' }))
  await waitFor(() => expect(scene.sent).toEqual([{ body: { state: 'PAUSED' }, ifMatch: '"5"' }]))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Needs you now' })).toBeNull())
  await waitFor(() => expect(currentToasts()).toMatchObject([{ title: 'Keyword paused', message: 'free mugs' }]))
  act(() => currentToasts()[0]?.action?.onSelect())
  await waitFor(() => expect(scene.sent[1]).toEqual({ body: { state: 'ENABLED' }, ifMatch: '"6"' }))
})

it('says why ads are not shown, what was rejected and what ends, each with its action', async () => {
  scene.rows = [
    {
      ...tide,
      servingStatus: 'CAMPAIGN_OUT_OF_BUDGET',
      syncState: 'FAILED',
      syncError: 'The budget is too low.',
      endDate: addDays(today(), 3),
    } as CampaignRow,
  ]
  open('/campaigns?campaign=11')
  const card = await needs()
  expect(card.getByText('The budget is too low.')).toBeTruthy()
  expect(card.getByText(/The campaign has used up its budget/)).toBeTruthy()
  fireEvent.click(card.getByRole('button', { name: 'Raise budget of Tide mugs' }))
  expect(await screen.findByLabelText('Daily budget')).toBeTruthy()
  fireEvent.click(card.getByRole('button', { name: 'Keep running Tide mugs without a last day' }))
  await waitFor(() => expect(scene.sent).toEqual([{ body: { campaignId: 11, endDate: null }, ifMatch: '"3"' }]))
})

it('shows what the marketplace says in plain words to a viewer, without actions', async () => {
  scene.role = 'VIEWER'
  scene.rows = [{ ...tide, servingStatus: 'ADVERTISER_PAYMENT_FAILURE' }]
  open('/campaigns?campaign=11')
  const card = await needs()
  expect(card.getByText(/A payment to the marketplace failed/)).toBeTruthy()
  expect(card.queryByRole('button')).toBeNull()
})

it('goes by the latest use of the budget, not by the status as the campaign was last read', async () => {
  const hours = Array.from({ length: 24 }, (_, hour) => ({ hour, cost: null, outMinutes: 0 }))
  const day = { date: '2026-03-20', budget: 25, spent: 20, hours, lostMinutes: 0, isPartial: false }
  const use = (outSince: string | null): void => {
    scene.answers['/api/campaigns/11/budget-use'] = {
      currency: 'USD',
      timezone: 'America/Los_Angeles',
      since: '2026-03-01T10:00:00.000Z',
      asOf: '2026-03-20T22:00:00.000Z',
      days: [{ ...day, outSince }],
    }
  }
  use('2026-03-20T22:30:00.000Z')
  open('/campaigns?campaign=11')
  expect((await needs()).getByText('Out of budget')).toBeTruthy()
  cleanup()
  scene.rows = [{ ...tide, servingStatus: 'CAMPAIGN_OUT_OF_BUDGET' }]
  use(null)
  open('/campaigns?campaign=11')
  await screen.findByRole('progressbar', { name: 'Budget used today' })
  expect(screen.queryByRole('region', { name: 'Needs you now' })).toBeNull()
})

it('calls a product target by what it aims at', async () => {
  const text = 'ASIN_CATEGORY_SAME_AS: Mugs, ASIN_PRICE_BETWEEN: 5-9'
  answerWasting({ ...wasting, kind: 'PRODUCT', matchType: null, text })
  open('/campaigns?campaign=11')
  expect((await needs()).getByRole('link', { name: 'Category: Mugs, price 5 to 9' })).toBeTruthy()
})

it('lists for Home what all campaigns need, but not what ends by itself', async () => {
  scene.rows = [
    { ...tide, servingStatus: 'CAMPAIGN_OUT_OF_BUDGET' },
    { ...tide, id: 12, name: 'Ebb lamps', servingStatus: 'PENDING_START_DATE' },
    { ...tide, id: 13, name: 'Shore hats', servingStatus: 'PENDING_REVIEW' },
  ]
  answerWasting(wasting)
  open('/needs')
  const card = await needs()
  expect(await card.findByRole('button', { name: 'Raise budget of Tide mugs' })).toBeTruthy()
  expect(card.getByRole('link', { name: 'Tide mugs' }).getAttribute('href')).toBe('/campaigns?campaign=11')
  for (const name of ['Ebb lamps', 'Shore hats']) expect(card.queryByText(name)).toBeNull()
  expect(card.getByText(/Tide mugs: \$34\.00 for 80 clicks/)).toBeTruthy()
  expect(listAsked()[0]?.searchParams.get('serving')).toBe('STOPPED')
  scene.answers['PUT /api/keywords/31'] = { ...wasting, state: 'PAUSED', version: 6, syncState: 'PENDING' }
  fireEvent.click(card.getByRole('button', { name: 'Pause free mugs' }))
  await waitFor(() => expect(scene.sent).toEqual([{ body: { state: 'PAUSED' }, ifMatch: '"5"' }]))
})

const notified = {
  id: 5,
  kind: 'OUT_OF_BUDGET',
  title: 'Tide mugs is out of budget',
  body: 'No ads are shown until midnight.',
  url: '/campaigns?campaign=11',
  createdAt: '2026-03-30T10:00:00.000Z',
  readAt: null,
  merchant: { id: 1, name: 'Harbour', marketplaceId: 1 },
  campaign: { id: 11, name: 'Tide mugs' },
  evidence: [],
  stake: { amount: 42.5, currency: 'USD' },
  actions: [],
  status: 'OPEN',
  snoozedUntil: null,
  decidedAt: null,
  decision: null,
  proposed: null,
  canUndo: false,
}
it('begins with the open decisions, which lead to the deck, and says nothing twice', async () => {
  scene.rows = [{ ...tide, servingStatus: 'CAMPAIGN_OUT_OF_BUDGET', cost: 12 }]
  scene.answers['/api/notifications'] = { ...listOf([notified]), unreadCount: 1, openCount: 1 }
  open('/needs')
  const card = await needs()
  await waitFor(() =>
    expect(card.getAllByRole('listitem').map(item => item.textContent)).toEqual([
      'Tide mugs is out of budget$42.50 at stake · No ads are shown until midnight.',
    ]),
  )
  expect(card.getByRole('link', { name: 'Tide mugs is out of budget' }).getAttribute('href')).toBe(
    '/notifications?id=5',
  )
  expect(card.getByRole('link', { name: 'Decide it' }).getAttribute('href')).toBe('/notifications')
})

it('orders them by the money at stake, and says what was checked where there are none', async () => {
  scene.rows = [{ ...tide, servingStatus: 'CAMPAIGN_OUT_OF_BUDGET', cost: 12 }]
  answerWasting(wasting)
  open('/needs')
  const card = await needs()
  await waitFor(() => expect(card.getAllByRole('listitem')).toHaveLength(2))
  expect(card.getAllByRole('listitem').map(item => within(item).getAllByRole('link')[0]?.textContent)).toEqual([
    'free mugs (broad)',
    'Tide mugs',
  ])
  cleanup()
  scene.rows = []
  answerWasting()
  open('/needs')
  expect((await screen.findByRole('region', { name: 'Nothing needs you now' })).textContent).toMatch(
    /No running campaign/,
  )
})
