import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { waitUntil } from '../../../tests/support/wait-until.ts'
import { setSession } from '../api/session/session.ts'
import { screenCopyKey } from '../api/storage-keys.ts'
import { wipeClientData } from '../api/wipe-client-data.ts'
import { DataAge } from '../ui/figures/data-age.tsx'
import { copyEnd, useScreenCopy } from './save-screen-copy.ts'
import { endScreenCopy, startWithCopy } from './screen-copy.ts'

const hourMs = 3_600_000
const build = '/assets/app-1.js'
const root = (): HTMLElement => document.querySelector('#root') ?? document.body
const signInAs = (sub: string): void =>
  setSession({ accessToken: `h.${btoa(JSON.stringify({ sub }))}.s`, refreshToken: 'r' })

function Home({ spend, at }: { spend: string; at: number }) {
  useScreenCopy(spend, () => at + hourMs)
  return (
    <div className="ion-page">
      <header className="page-header">
        <h1>Home</h1>
        <output className="offline-bar" hidden data-offline="You are offline." />
      </header>
      <DataAge at={at} />
      <p>{spend}</p>
      <span {...copyEnd} />
      <p>Drawn later</p>
    </div>
  )
}

/** What the next start of this build shows before the app is there. */
function startAgain(of = build, { load = () => undefined, run = () => undefined } = {}): string {
  root().replaceChildren()
  startWithCopy(of, { load, run })
  globalThis.tidelineRootParsed?.()
  return root().textContent
}

beforeEach(() => {
  localStorage.clear()
  signInAs('ann')
  document.body.innerHTML = '<div id="root"></div>'
  globalThis.tidelineBuild = build
  vi.stubGlobal('requestIdleCallback', (work: () => void) => setTimeout(work))
})
afterEach(() => {
  endScreenCopy()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

async function leave(): Promise<void> {
  const { unmount } = render(<Home spend="$12.40" at={Date.now()} />, { container: root() })
  await waitUntil(() => expect(localStorage.getItem(screenCopyKey)).not.toBeNull())
  act(() => unmount())
}

it('shows a screen as it last was, with its present age, until the app has drawn it', async () => {
  await leave()
  vi.useFakeTimers({ now: Date.now() + hourMs / 2, toFake: ['Date'] })
  expect(startAgain()).toContain('$12.40')
  expect(screen.getByText('just now').style.visibility).toBe('hidden')
  await waitUntil(() => expect(root().textContent).toContain('Updated 30 min. ago'))
  expect(screen.getByText('30 min. ago').style.visibility).toBe('')
  expect(root().textContent).not.toContain('Drawn later')
  expect(root().inert).toBe(true)
  endScreenCopy()
  expect(root().inert).toBe(false)
})

it('fetches and starts the app after the copy is painted, and at once without one', async () => {
  const load = vi.fn()
  const run = vi.fn()
  startWithCopy(build, { load, run })
  expect(load).toHaveBeenCalledTimes(1)
  expect(run).not.toHaveBeenCalled()
  globalThis.tidelineRootParsed?.()
  expect(run).toHaveBeenCalledTimes(1)
  await leave()
  startAgain(build, { load, run })
  expect(load).toHaveBeenCalledTimes(1)
  expect(run).toHaveBeenCalledTimes(1)
  await waitUntil(() => expect(run).toHaveBeenCalledTimes(2))
  expect(load).toHaveBeenCalledTimes(2)
})

it('shows nothing of another user, another build, another width or a day that is over', async () => {
  await leave()
  expect(startAgain('/assets/app-2.js')).toBe('')
  signInAs('bob')
  expect(startAgain()).toBe('')
  signInAs('ann')
  vi.stubGlobal('innerWidth', 1)
  expect(startAgain()).toBe('')
  vi.stubGlobal('innerWidth', 1024)
  vi.useFakeTimers({ now: Date.now() + hourMs * 2, toFake: ['Date'] })
  expect(startAgain()).toBe('')
})

it('shows also a day that is over while the device is offline, and says that it is', async () => {
  await leave()
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  vi.useFakeTimers({ now: Date.now() + 26 * hourMs, toFake: ['Date'] })
  expect(startAgain()).toContain('$12.40')
  expect(screen.getByText('You are offline.').hidden).toBe(false)
  await waitUntil(() => expect(root().textContent).toContain('Updated yesterday'))
})

it('deletes the copy at the end of a session', async () => {
  await leave()
  await wipeClientData()
  expect(startAgain()).toBe('')
})
