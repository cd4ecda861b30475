import { onlineManager } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { noteServerTime, serverNow } from './server-clock.ts'
import { useToday } from './server-clock.ts'

const DAY_MS = 86_400_000
const dateHeader = (aheadMs: number) => new Date(Date.now() + aheadMs).toUTCString()
// The millisecond may change between the two, and 0 is not -0 to an assertion.
const aheadBy = () => Math.round((serverNow() - Date.now()) / 1000) + 0

afterEach(() => {
  noteServerTime(dateHeader(0))
  localStorage.clear()
})

it('goes by the device while the server differs by no more than the way takes', () => {
  noteServerTime(dateHeader(60_000))
  expect(aheadBy()).toBe(0)
})
it('follows a server whose day is another one, and keeps it for the next start', async () => {
  noteServerTime(dateHeader(DAY_MS))
  expect(Math.abs(aheadBy() - 86_400)).toBeLessThan(2)
  vi.resetModules()
  const restarted = await import('./server-clock.ts')
  expect(restarted.serverNow() - Date.now()).toBeGreaterThan(DAY_MS - 2000)
})
it('comes back when the clocks agree again', () => {
  noteServerTime(dateHeader(DAY_MS))
  noteServerTime(dateHeader(-1000))
  expect([aheadBy(), localStorage.getItem('tideline.clock')]).toEqual([0, null])
})
it('ignores an answer without a date', () => {
  noteServerTime(null)
  noteServerTime('soon')
  expect(aheadBy()).toBe(0)
})
it('draws again what goes by the server’s time', () => {
  const Day = () => {
    const today = useToday(at => at.toISOString().slice(0, 10))
    return <p>{today}</p>
  }
  render(<Day />)
  act(() => noteServerTime(dateHeader(DAY_MS)))
  expect(screen.getByText(new Date(Date.now() + DAY_MS).toISOString().slice(0, 10))).toBeTruthy()
})

it('shows the day of the last answer without network, whose figures are on the device, and the present one when it is back', () => {
  const Day = () => <p>{useToday(at => at.toISOString().slice(0, 10))}</p>
  const answered = Date.now()
  const day = (at: number) => new Date(at).toISOString().slice(0, 10)
  // Within what the way takes, so that the device's clock stays in force.
  noteServerTime(new Date(answered + 80_000).toUTCString())
  vi.useFakeTimers({ now: answered + DAY_MS, toFake: ['Date'] })
  act(() => onlineManager.setOnline(false))
  try {
    const { container } = render(<Day />)
    expect(container.textContent).toBe(day(answered + 80_000))
    act(() => onlineManager.setOnline(true))
    expect(container.textContent).toBe(day(answered + DAY_MS))
  } finally {
    onlineManager.setOnline(true)
    vi.useRealTimers()
  }
})
