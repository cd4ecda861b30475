import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { getSession } from '#client/api/session/session.ts'
import { queueEdit, pendingEdits } from '#client/outbox/outbox.ts'
import { signInAs, testEdit } from '../../../../tests/support/test-edit.ts'
import * as overlays from '#client/ui/overlays/ionic-overlays.ts'
import { LogOutButton } from './log-out-button.tsx'

afterEach(() => {
  cleanup()
  localStorage.clear()
  vi.restoreAllMocks()
})

it('takes what waits with it once the user said so, also without network', async () => {
  vi.spyOn(overlays, 'openAlert').mockResolvedValue('confirm')
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
  signInAs('7')
  queueEdit(testEdit())
  render(
    <QueryClientProvider client={new QueryClient()}>
      <LogOutButton />
    </QueryClientProvider>,
  )
  fireEvent.click(screen.getByText('Log out'))
  await waitFor(() => expect(getSession()).toBeUndefined())
  vi.unstubAllGlobals()
  signInAs('7')
  expect(pendingEdits()).toEqual([])
})
it('tells what is lost with the log-out before it is done', async () => {
  const alert = vi.spyOn(overlays, 'openAlert').mockResolvedValue('cancel')
  render(
    <QueryClientProvider client={new QueryClient()}>
      <LogOutButton />
    </QueryClientProvider>,
  )
  const messageAfterTap = async (times: number) => {
    fireEvent.click(screen.getByText('Log out'))
    await waitFor(() => expect(alert).toHaveBeenCalledTimes(times))
    return alert.mock.calls.at(-1)?.[0].message
  }
  signInAs('7')
  expect(await messageAfterTap(1)).not.toContain('lost')
  queueEdit(testEdit())
  expect(await messageAfterTap(2)).toContain('1 unsent change will be lost.')
})
