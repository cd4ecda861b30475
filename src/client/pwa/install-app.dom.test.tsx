import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { wipeClientData } from '../api/wipe-client-data.ts'
import { currentToasts, dismissToast, toast } from '../ui/shell/toast-store.ts'
import { InstallCard, InstallSetting, InstallSheet } from './install-app.tsx'
import { noteWin } from './install-moment.ts'
import { watchInstallOffer } from './install-offer.ts'

const DAY = 86_400_000
const prompted = vi.fn<() => void>()
function browserOffers(outcome: 'accepted' | 'dismissed' = 'accepted') {
  const prompt = () => {
    prompted()
    return Promise.resolve({ outcome })
  }
  const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt })
  act(() => void window.dispatchEvent(event))
  return event
}
const setDevice = (userAgent: string) =>
  Object.defineProperty(navigator, 'userAgent', { value: userAgent, configurable: true })

const onApple = (device: string, browser: string) =>
  `Mozilla/5.0 (${device}) AppleWebKit/605.1.15 (KHTML, like Gecko) ${browser}`

const wonEarlier = () => localStorage.setItem('tideline.install.win', 'yes')

watchInstallOffer()
beforeEach(() => localStorage.clear())
afterEach(async () => {
  cleanup()
  for (const { id } of currentToasts()) dismissToast(id)
  await wipeClientData()
  prompted.mockReset()
  vi.useRealTimers()
  Reflect.deleteProperty(navigator, 'userAgent')
})

describe('the install card', () => {
  test('a browser without a prompt gets the steps of the share sheet on an iPhone, and its menu elsewhere', () => {
    wonEarlier()
    render(<InstallCard />)
    render(<InstallSetting />)
    expect(screen.queryByRole('heading', { name: 'Install Tideline' })).toBeNull()
    expect(document.body.textContent).toContain('If its menu has')
    cleanup()
    const [iPhone, iPad, old] = [
      'iPhone; CPU iPhone OS 18_6 like Mac OS X',
      'iPad; CPU OS 18_6 like Mac OS X',
      'iPhone; CPU iPhone OS 16_3 like Mac OS X',
    ]
    const safari = /^Tap Share in Safari’s toolbar/
    for (const [userAgent, count, first] of [
      [onApple(iPhone, 'Version/26.0 Mobile/15E148 Safari/604.1'), 3, safari],
      [onApple(old, 'Version/16.3 Mobile/15E148 Safari/604.1'), 3, safari],
      [onApple(iPad, 'CriOS/142.0.7444.46 Mobile/15E148 Safari/604.1'), 3, 'Tap Share in the address bar.'],
      [onApple(iPhone, 'FxiOS/145.0 Mobile/15E148 Safari/605.1.15'), 3, 'Open the browser’s menu and tap Share.'],
      [onApple(iPhone, 'Version/18.0 EdgiOS/142.0 Mobile/15E148 Safari/604.1'), 3, /^Open the browser’s menu/],
      [onApple(old, 'CriOS/110.0.5481.83 Mobile/15E148 Safari/604.1'), 4, /^Open Tideline in Safari/],
      [onApple(iPhone, 'Mobile/15E148 Instagram 400.0'), 4, /^Open Tideline in Safari/],
    ] as const) {
      cleanup()
      setDevice(userAgent)
      render(<InstallCard />)
      expect(screen.getByRole('heading', { name: 'Install Tideline' })).toBeTruthy()
      const steps = screen.getAllByRole('listitem')
      expect(steps, userAgent).toHaveLength(count)
      expect(steps[0]?.textContent, userAgent).toMatch(first)
      expect(screen.queryByRole('button', { name: 'Install' })).toBeNull()
    }
  })

  test('waits for a first success, however early the browser offers, and leaves the same visit to the sheet', () => {
    const event = browserOffers()
    expect(event.defaultPrevented).toBe(true)
    render(<InstallCard />)
    expect(document.body.textContent).toBe('')
    act(noteWin)
    expect(document.body.textContent).toBe('')
    expect(prompted).not.toHaveBeenCalled()
  })

  test('a dismissed card rests for 30 days and a second dismissal is final', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1) })
    browserOffers()
    wonEarlier()
    render(<InstallCard />)
    fireEvent.click(screen.getByRole('button', { name: 'Not now' }))
    expect(document.body.textContent).toBe('')
    vi.setSystemTime(Date.UTC(2026, 0, 1) + 31 * DAY)
    cleanup()
    render(<InstallCard />)
    fireEvent.click(screen.getByRole('button', { name: 'Not now' }))
    vi.setSystemTime(Date.UTC(2026, 0, 1) + 400 * DAY)
    cleanup()
    render(<InstallCard />)
    expect(document.body.textContent).toBe('')
  })

  test('the next user of the device starts without the offer', async () => {
    browserOffers()
    wonEarlier()
    render(<InstallCard />)
    expect(screen.getByRole('button', { name: 'Install' })).toBeTruthy()
    await act(() => wipeClientData())
    expect(document.body.textContent).toBe('')
  })

  test('Install shows the browser’s prompt once, and the settings say that it is installed', async () => {
    browserOffers()
    wonEarlier()
    render(<InstallCard />)
    render(<InstallSetting />)
    const [button] = screen.getAllByRole('button', { name: 'Install' })
    if (button) fireEvent.click(button)
    await waitFor(() => expect(prompted).toHaveBeenCalledOnce())
    act(() => void window.dispatchEvent(new Event('appinstalled')))
    expect(screen.getByText('Tideline is installed on this device.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Install' })).toBeNull()
  })
})

describe('the install sheet', () => {
  const offered = () => screen.queryByText('Install Tideline') !== null
  const aMoment = () => act(() => new Promise(resolve => setTimeout(resolve, 1300)))

  test('follows a first success, once nothing else is open, and rests when it is declined', async () => {
    browserOffers()
    wonEarlier()
    render(<InstallSheet />)
    const overlay = document.body.appendChild(Object.assign(document.createElement('div'), { className: 'sheet-pile' }))
    await aMoment()
    // Not for a success of an earlier visit, as the app opens.
    expect(offered()).toBe(false)
    act(noteWin)
    await aMoment()
    expect(offered()).toBe(false)
    const undo = toast({ title: 'Snoozed' })
    overlay.remove()
    await aMoment()
    // It would hide the toast with its undo.
    expect(offered()).toBe(false)
    act(() => dismissToast(undo))
    fireEvent.click(await screen.findByText('Not now'))
    await waitFor(() => expect(offered()).toBe(false))
    expect(localStorage.getItem('tideline.install.dismissed')).toMatch(/^1 /)
    act(noteWin)
    await aMoment()
    expect(offered()).toBe(false)
  })

  test('a no to the browser’s own question counts as declined', async () => {
    browserOffers('dismissed')
    render(<InstallSheet />)
    act(noteWin)
    fireEvent.click(await screen.findByText('Install'))
    await waitFor(() => expect(localStorage.getItem('tideline.install.dismissed')).toMatch(/^1 /))
    await waitFor(() => expect(offered()).toBe(false))
  })

  // The browser of the test before has taken its offer back.
  test('on an iPhone it shows the steps of the share sheet, and nothing to tap but Close', async () => {
    setDevice(onApple('iPhone; CPU iPhone OS 18_6 like Mac OS X', 'Version/26.0 Mobile/15E148 Safari/604.1'))
    render(<InstallSheet />)
    act(noteWin)
    expect(await screen.findByText(/^Tap Share in Safari/)).toBeTruthy()
    const steps = [...document.querySelectorAll('.install-steps li')].map(step => step.textContent)
    expect(steps).toHaveLength(3)
    expect(steps[1]).toBe('Choose “Add to Home Screen”, then “Add”.')
    expect(screen.queryByText('Install')).toBeNull()
    fireEvent.click(screen.getByText('Close'))
    await waitFor(() => expect(offered()).toBe(false))
  })
})
