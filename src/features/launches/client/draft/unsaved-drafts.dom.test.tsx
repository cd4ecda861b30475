import { QueryClientProvider, onlineManager } from '@tanstack/react-query'
import { cleanup, fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '#client/api/query-client.ts'
import { configureSession, getSession, signOut } from '#client/api/session/session.ts'
import { wipeClientData } from '#client/api/wipe-client-data.ts'
import { signInAs } from '../../../../../tests/support/test-edit.ts'
import * as overlays from '#client/ui/overlays/ionic-overlays.ts'
import { accountQueries } from '#features/accounts/client/public.ts'
import { LogOutButton } from '#features/auth/client/public.ts'
import type { Draft } from '../../draft/draft.ts'
import { freshWizard } from '../../draft/wizard-state.ts'
import '../routes.tsx'
import { draftStore } from './draft-store.ts'
import { useDraft } from './use-draft.ts'

const scope = '3.1'
function draft(name = 'Tide mugs'): Draft {
  return {
    id: 'draft-00000001',
    changedAt: '2026-11-20T10:00:00.000Z',
    state: { ...freshWizard('GUIDED'), strategy: 'NORMAL', campaignName: name },
  }
}
/** Leaves a change on the device of which the server knows nothing. */
const keep = (store = draftStore(scope), name?: string) =>
  store.write({ draft: draft(name), sentAt: null, discardedId: null })

// The server keeps what it is sent, and has nothing else.
let sent: { method: string; url: string; body: string | null }[]
const marketplace = { id: 1, name: 'US' } as never
beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  sent = []
  configureSession({ onSignedOut: () => wipeClientData() })
  vi.stubGlobal('fetch', (url: string, init: { method?: string; body?: string | null }) => {
    const method = init.method ?? 'GET'
    sent.push({ method, url, body: init.body ?? null })
    if (url.includes('/campaign/draft') && method === 'PUT')
      return Promise.resolve(Response.json({ draft: { ...JSON.parse(init.body ?? ''), version: 1 } }))
    if (url.includes('/campaign/draft') && method === 'GET') return Promise.resolve(Response.json({ draft: null }))
    return Promise.resolve(new Response(null, { status: 204 }))
  })
  signInAs('7')
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  onlineManager.setOnline(true)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const within = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
)
function workInShop() {
  queryClient.setQueryData(accountQueries.currentMerchant().queryKey, { id: 3 } as never)
  queryClient.setQueryData(accountQueries.currentMarketplace().queryKey, marketplace)
}
/** Logs out by the button, and answers what was asked before. */
async function logOut(answer: 'confirm' | 'cancel' = 'confirm'): Promise<string> {
  const alert = vi.spyOn(overlays, 'openAlert').mockResolvedValue(answer)
  render(<LogOutButton />, { wrapper: within })
  fireEvent.click(await screen.findByText('Log out'))
  await waitFor(() => expect(alert).toHaveBeenCalled())
  if (answer === 'confirm') await waitFor(() => expect(getSession()).toBeUndefined())
  const message = alert.mock.calls.at(-1)?.[0].message
  return typeof message === 'string' ? message : ''
}

it('a draft outlives its user’s expired session, is shown to nobody else, and is there again after the next log-in', async () => {
  keep()
  await signOut()
  signInAs('8')
  expect(draftStore(scope).read().draft).toBeNull()
  const stranger = renderHook(() => useDraft(draftStore(scope), scope, false), { wrapper: within })
  await waitFor(() => expect(stranger.result.current.phase).toBe('open'))
  expect(stranger.result.current.offered).toBeNull()
  stranger.unmount()
  await signOut()
  signInAs('7')
  const back = renderHook(() => useDraft(draftStore(scope), scope, false), { wrapper: within })
  await waitFor(() => expect(back.result.current.phase).toBe('offering'))
  expect(back.result.current.offered?.state.campaignName).toBe('Tide mugs')
})
it('what one left behind is not sent in the name of another', async () => {
  const store = draftStore(scope)
  keep(store)
  await signOut()
  signInAs('8')
  const open = renderHook(() => useDraft(store, scope, true), { wrapper: within })
  await waitFor(() => expect(sent.map(({ method }) => method)).toContain('GET'))
  open.unmount()
  expect(sent.filter(({ method }) => method !== 'GET')).toEqual([])
})
it('a log-out first saves the newest change, loses nothing, and leaves nothing on the device but what is others’', async () => {
  workInShop()
  signInAs('8')
  keep(draftStore(scope), 'Of another')
  signInAs('7')
  keep()
  expect(await logOut()).not.toContain('lost')
  expect(sent.filter(({ method }) => method === 'PUT').map(({ body }) => JSON.parse(body ?? ''))).toMatchObject([
    { id: 'draft-00000001', state: { campaignName: 'Tide mugs' } },
  ])
  signInAs('7')
  expect(draftStore(scope).read().draft).toBeNull()
  signInAs('8')
  expect(draftStore(scope).read().draft?.state.campaignName).toBe('Of another')
})
it('a log-out tells that a draft is lost that could not be saved, and keeps it when the user thinks better of it', async () => {
  workInShop()
  onlineManager.setOnline(false)
  keep()
  expect(await logOut('cancel')).toContain('Your unfinished campaign is not saved on our server yet and will be lost.')
  expect(draftStore(scope).read().draft?.state.campaignName).toBe('Tide mugs')
})
it('a draft for another advertising account is not sent for this one, and the user is notified', async () => {
  workInShop()
  keep(draftStore('4.1'))
  expect(await logOut('cancel')).toContain('will be lost')
  expect(sent).toEqual([])
})
