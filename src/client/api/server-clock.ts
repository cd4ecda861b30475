import { createAtom, useSelector } from '@tanstack/react-store'
import { useState } from 'react'
import { clockKey, storedAheadMs } from './storage-keys.ts'

// Days of figures and their age go by the server's time, since the device's own clock may be wrong. Responses carry whole
// seconds and take a while to arrive, so small differences mean nothing.
const toleranceMs = 90_000

const aheadMs = createAtom(storedAheadMs())

/** Reads the server's time from a response's Date header. Ignores null and anything that is not a date. */
export function noteServerTime(date: string | null): void {
  const at = Date.parse(date ?? '')
  if (Number.isNaN(at)) return
  const differenceMs = at - Date.now()
  if (Math.abs(differenceMs - aheadMs.get()) <= toleranceMs) return
  const next = Math.abs(differenceMs) <= toleranceMs ? 0 : differenceMs
  try {
    if (next) localStorage.setItem(clockKey, String(next))
    else localStorage.removeItem(clockKey)
  } catch {
    // Without storage only the next start does not remember it.
  }
  aheadMs.set(next)
}

export const serverAheadMs = (): number => aheadMs.get()

export const serverNow = (): number => Date.now() + serverAheadMs()

/** How far the server's clock is ahead; redraws what uses `serverNow` when that changes. */
export const useServerClock = (): number => useSelector(aheadMs)

/**
 * The day that `dayAt` returns for the server's present moment. It stays the same while the screen is open, also over
 * midnight, unless the server's clock turns out to differ.
 */
export function useToday(dayAt: (at: Date) => string): string {
  const ahead = useServerClock()
  const [opened, setOpened] = useState(() => ({ ahead, at: serverNow() }))
  if (opened.ahead !== ahead) setOpened({ ahead, at: serverNow() })
  return dayAt(new Date(opened.at))
}
