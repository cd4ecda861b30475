import { setupIonicReact } from '@ionic/react'
import { onlineManager } from '@tanstack/react-query'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { queryClient } from '#client/api/query-client.ts'
import { currentToasts, dismissToast } from '#client/ui/shell/toast-store.ts'
import { userQueries } from '#features/auth/client/public.ts'
import { checkOf, groupProof, previewGroup, restorePreview, runningGroup } from './optimizer-pages.ts'
import { logPage, logRows, previewRows } from './optimizer-rows.ts'
import { stubLayout } from './stub-layout.ts'
import { signInAs } from './test-edit.ts'

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

/** What the server has and was asked, for the pages of the optimizer; new for each test. */
export const optimizer = {
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
  if (pathname === '/api/profile/merchant/1')
    return { ...merchant, role: optimizer.role, connections: [], profiles: [] }
  if (pathname === '/api/campaigns') return campaigns
  if (pathname === '/api/automation-logs')
    return logPage(searchParams.get('groupId') === '2' ? previewRows : optimizer.rows)
  if (pathname === '/api/optimizer/groups') return { content: [runningGroup, previewGroup] }
  if (pathname === '/api/optimizer/groups/1') return runningGroup
  if (pathname === '/api/optimizer/groups/2') return previewGroup
  if (pathname.endsWith('/proof')) return groupProof
  if (pathname.endsWith('/restore')) return restorePreview
  if (pathname === '/api/optimizer/takeover-check') {
    const ids = searchParams.get('campaignIds')?.split(',').map(Number) ?? []
    return checkOf(campaigns.filter(({ id }) => ids.includes(id)))
  }
  const row = optimizer.rows.find(({ id }) => pathname === `/api/automation-logs/${id}`)
  return row ?? expect.unreachable(pathname)
}

beforeEach(() => {
  Object.assign(optimizer, { rows: logRows, requested: [], sent: [], next: {}, role: 'OWNER' })
  stubLayout({ listPx: 5000, rowPx: 120 })
  localStorage.clear()
  signInAs('7')
  queryClient.setQueryData(userQueries.user().queryKey, {
    roles: [{ id: 1, name: 'Owner', authorities: [{ id: 1, name: 'ACCOUNT_MANAGER', description: '' }] }],
  } as never)
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }))
  vi.stubGlobal('fetch', async (path: string, { method, body }: { method?: string; body: string | null }) => {
    const url = new URL(path, 'https://tideline.test')
    const own = optimizer.next[`${method} ${url.pathname}`]
    delete optimizer.next[`${method} ${url.pathname}`]
    // The stream of events has no method of its own.
    if (method === undefined) return new Response(null, { status: 404 })
    if (method === 'GET') optimizer.requested.push(url)
    else optimizer.sent.push({ path: `${method} ${url.pathname}`, body: body ? JSON.parse(body) : null })
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
