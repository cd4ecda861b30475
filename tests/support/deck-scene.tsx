import { onlineManager } from '@tanstack/react-query'
import { act, cleanup, configure, screen, waitFor, within } from '@testing-library/react'
import { setupIonicReact } from '@ionic/react'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { currentToasts, dismissToast } from '#client/ui/shell/toast-store.ts'
import type { AppNotification } from '#features/notifications/contract.ts'
import { notificationsRoutes } from '#features/notifications/client/routes.tsx'
import { showRoutes } from './show-routes.tsx'
import { signInAs } from './test-edit.ts'

setupIonicReact()
configure({ asyncUtilTimeout: 5000 })

// The page of notifications, with a server that holds what a test gives it.

export const harbour = { id: 1, name: 'Harbour', marketplaceId: 1 }
export const notification = (id: number, more: Partial<AppNotification> = {}): AppNotification => ({
  id,
  kind: 'OUT_OF_BUDGET',
  title: `Mugs ${id} is out of budget`,
  body: 'All of today’s budget was used by 10:40 AM, and no ads are shown until midnight.',
  url: `/campaigns?campaign=${id}`,
  createdAt: '2026-11-23T18:40:00.000Z',
  readAt: '2026-11-23T18:41:00.000Z',
  merchant: harbour,
  campaign: { id, name: `Mugs ${id}` },
  evidence: [
    { label: 'Used', format: 'percent', value: 100 },
    { label: 'Budget', format: 'money', value: 20 },
    { label: 'Used up at', format: 'time', value: '2026-11-23T18:40:00.000Z' },
  ],
  stake: { amount: 42.5, currency: 'USD' },
  actions: ['RAISE_BUDGET_TODAY', 'PAUSE_CAMPAIGN'],
  status: 'OPEN',
  snoozedUntil: null,
  decidedAt: null,
  decision: null,
  proposed: null,
  canUndo: false,
  ...more,
})
const advice = {
  currency: 'USD',
  timezone: 'America/Los_Angeles',
  budget: 20,
  mostBudget: 1_000_000,
  until: '2026-11-24T08:00:00.000Z',
  rescue: null,
  ended: null,
  obstacle: null,
  isUsedUp: true,
  recommended: { budget: 36, source: 'PACE' },
  missedToday: null,
  missedBefore: null,
}

interface Scene {
  /** What the server holds. */
  rows: AppNotification[]
  /** What it was sent. */
  sent: { path: string; body: unknown }[]
  role: 'OWNER' | 'VIEWER'
  refusal: { status: number; message: string } | null
  /** The shop that is worked in. */
  shop: { merchantId: number; marketplaceId: number }
}
const fresh = (): Scene => ({
  rows: [notification(1), notification(2), notification(3)],
  sent: [],
  role: 'OWNER',
  refusal: null,
  shop: { merchantId: 1, marketplaceId: 1 },
})
export let scene = fresh()

const open = () => scene.rows.filter(one => one.status === 'OPEN')
const done: Record<string, Partial<AppNotification>> = {
  act: { status: 'DONE', decision: 'Raised', canUndo: true },
  snooze: { status: 'SNOOZED', snoozedUntil: '2026-11-23T22:40:00.000Z', canUndo: true },
  dismiss: { status: 'DISMISSED', decision: 'I expected this', canUndo: true },
  undo: { status: 'OPEN', canUndo: false },
}
function answer(path: string, init: { method: string; body?: string }): Response {
  const url = new URL(path, 'https://tideline.test')
  const [, id, verb = ''] = /^\/api\/notifications\/(\d+)\/(\w+)$/.exec(url.pathname) ?? []
  const counts = { unreadCount: scene.rows.filter(one => one.readAt === null).length, openCount: open().length }
  if (init.method === 'POST') {
    scene.sent.push({ path: url.pathname, body: JSON.parse(init.body ?? 'null') as unknown })
    if (scene.refusal) {
      const { status, message } = scene.refusal
      return Response.json({ errorCode: 'CONFLICT', message, details: [], requestId: '' }, { status })
    }
    if (url.pathname === '/api/notifications/read-all')
      scene.rows = scene.rows.map(one => ({ ...one, readAt: one.createdAt }))
    scene.rows = scene.rows.map(one => (one.id === Number(id) ? { ...one, readAt: one.createdAt, ...done[verb] } : one))
    const changed = scene.rows.find(one => one.id === Number(id))
    return Response.json(done[verb] ? { message: `${verb} done`, notification: changed } : counts)
  }
  if (url.pathname === '/api/notifications/counts') return Response.json(counts)
  if (url.pathname === '/api/notifications') {
    const chosen = url.searchParams.get('open') === 'true' ? open() : scene.rows
    const all = url.searchParams.get('unread') === 'true' ? chosen.filter(one => one.readAt === null) : chosen
    const [number, size] = [Number(url.searchParams.get('page')), Number(url.searchParams.get('size'))]
    return Response.json({
      content: all.slice(number * size, (number + 1) * size),
      page: { size, number, totalElements: all.length, totalPages: Math.ceil(all.length / size) },
      ...counts,
    })
  }
  const single = /^\/api\/notifications\/(\d+)$/.exec(url.pathname)?.[1]
  if (single) {
    const one = scene.rows.find(row => row.id === Number(single))
    if (one) return Response.json(one)
    const problem = { errorCode: 'NOT_FOUND', message: 'There is no such notification.', details: [], requestId: '' }
    return Response.json(problem, { status: 404 })
  }
  if (url.pathname.endsWith('/budget-rescue')) return Response.json(advice)
  if (url.pathname === '/api/push/public-key') return Response.json({ publicKey: null })
  if (init.method === 'PATCH') {
    for (const [name, value] of url.searchParams) scene.shop = { ...scene.shop, [name]: Number(value) }
    scene.sent.push({ path: url.pathname + url.search, body: null })
  }
  const { merchantId, marketplaceId } = scene.shop
  if (url.pathname.includes('marketplaces'))
    return Response.json({ id: marketplaceId, amazonId: 'A', name: 'Some', key: 'US', currency: 'USD' })
  const merchant = { id: merchantId, name: 'Harbour', accountType: 'SELLER', regionId: 1, regionName: 'North America' }
  return Response.json({ ...merchant, role: scene.role, connections: [], profiles: [] })
}

beforeEach(() => {
  scene = fresh()
  localStorage.clear()
  signInAs('7')
  vi.stubGlobal('fetch', async (path: string, init: never) => answer(path, init))
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }))
})
afterEach(() => {
  cleanup()
  act(() => onlineManager.setOnline(true))
  for (const { id } of currentToasts()) dismissToast(id)
  vi.unstubAllGlobals()
})

/** Opens the page; the router says where it leads. */
export const show = (address = '/notifications') => showRoutes(notificationsRoutes, address)
export const deck = async (name: string) => within(await screen.findByRole('region', { name }))
/** What was sent, apart from what counts as read. */
export const decisions = () => scene.sent.filter(({ path }) => !path.endsWith('/read'))
export const raise = 'Raise today’s budget to $36.00'
export async function raiseButton(): Promise<HTMLElement> {
  const button = await screen.findByRole('button', { name: raise })
  await waitFor(() => expect(button.hasAttribute('disabled')).toBe(false))
  return button
}
