import { QueryClientProvider, onlineManager } from '@tanstack/react-query'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '#client/api/query-client.ts'
import { signInAs } from '../../../../../tests/support/test-edit.ts'
import type { Draft } from '../../draft/draft.ts'
import { freshWizard } from '../../draft/wizard-state.ts'
import { draftPrefixOf } from './draft-keys.ts'
import { draftStore } from './draft-store.ts'
import { useDraft } from './use-draft.ts'

const scope = '3.1'
const draft: Draft = {
  id: 'draft-00000001',
  changedAt: '2026-11-20T10:00:00.000Z',
  version: 1,
  state: { ...freshWizard('GUIDED'), strategy: 'NORMAL', campaignName: 'Tide mugs' },
}
const within = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
)
const visit = () => renderHook(() => useDraft(draftStore(scope), scope, false), { wrapper: within }).result

let answer: () => Promise<Response>
let requests: (string | null)[]
beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  signInAs('7')
  draftStore(scope).write({ draft, sentAt: draft.changedAt, discardedId: null })
  requests = []
  vi.stubGlobal('fetch', (_: string, { headers }: { headers: Headers }) => {
    requests.push(headers.get('x-shop'))
    return answer()
  })
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  onlineManager.setOnline(true)
  vi.unstubAllGlobals()
})

it.each([
  ['cannot be reached', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['fails', () => Promise.resolve(new Response('', { status: 502 }))],
])('a draft that the server has as well is offered while the server %s', async (_, next) => {
  answer = next
  const wizard = visit()
  await waitFor(() => expect(wizard.current.phase).toBe('offering'))
  expect(wizard.current.offered).toMatchObject({ id: draft.id, state: { campaignName: 'Tide mugs' } })
})

it('is offered without network', async () => {
  onlineManager.setOnline(false)
  const wizard = visit()
  await waitFor(() => expect(wizard.current.phase).toBe('offering'))
})

it('is not offered once the server says that it is there no more', async () => {
  answer = () => Promise.resolve(Response.json({ draft: null }))
  const wizard = visit()
  await waitFor(() => expect(wizard.current.phase).toBe('open'))
  expect(wizard.current.state.campaignName).toBe('')
  expect(requests, 'requested for this merchant and marketplace').toEqual(['3/1'])
})

// Another tab writes, and the browser dispatches the event.
function keepElsewhere(change: Partial<Draft['state']>) {
  const other = draftStore(scope)
  const otherDraft = other.read()
  if (!otherDraft.draft) throw new Error('nothing is kept')
  other.write({
    ...otherDraft,
    draft: {
      ...otherDraft.draft,
      changedAt: '2026-11-20T10:05:00.000Z',
      state: { ...otherDraft.draft.state, ...change },
    },
  })
  act(() => void dispatchEvent(new StorageEvent('storage', { key: `${draftPrefixOf('7')}${scope}` })))
}

it('goes on from what another tab has entered in the same draft, so that neither undoes the other', async () => {
  onlineManager.setOnline(false)
  const store = draftStore(scope)
  store.setOpenId(draft.id)
  const { result } = renderHook(() => useDraft(store, scope, false), { wrapper: within })
  expect(result.current.phase).toBe('open')
  keepElsewhere({ budget: 77 })
  expect(result.current.state.budget).toBe(77)
  act(() => result.current.dispatch({ type: 'fieldsSet', fields: { campaignName: 'From here' } }))
  expect(store.read().draft?.state).toMatchObject({ budget: 77, campaignName: 'From here' })
})

it('continues as another tab has left it since it was offered', async () => {
  onlineManager.setOnline(false)
  const wizard = visit()
  await waitFor(() => expect(wizard.current.phase).toBe('offering'))
  keepElsewhere({ budget: 77 })
  act(() => wizard.current.continueDraft())
  expect(wizard.current.state.budget).toBe(77)
  expect(draftStore(scope).read().draft?.state.budget).toBe(77)
})
