import { createAtom, useSelector } from '@tanstack/react-store'
import { onlineManager } from '@tanstack/react-query'
import { useState } from 'react'
import { useOnline } from './online.ts'
import { answeredKey, clockKey, storedAheadMs } from './storage-keys.ts'

// Days of figures and their age go by the server's time, since the device's own clock may be wrong. Responses carry whole
// seconds and take a while to arrive, so small differences mean nothing.
const toleranceMs = 90_000

const aheadMs = createAtom(storedAheadMs())

/** Reads the server's time from a response's Date header. Ignores null and anything that is not a date. */
export function noteServerTime(date: string | null): void {
  const at = Date.parse(date ?? '')
  if (Number.isNaN(at)) return
  noteAnswer(at)
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

const noteEveryMs = 60_000
let notedMs = 0

function noteAnswer(at: number): void {
  if (Math.abs(at - notedMs) < noteEveryMs) return
  notedMs = at
  try {
    localStorage.setItem(answeredKey, String(at))
  } catch {
    // Without storage nothing was saved either.
  }
}

/**
 * The moment whose day figures are shown for: the server's present one, and without network that of its last answer.
 * The figures on the device are of that day, which was not over; those of a later day are not there.
 */
export function figuresNow(): number {
  const now = serverNow()
  if (onlineManager.isOnline()) return now
  try {
    const answeredMs = Number(localStorage.getItem(answeredKey))
    return answeredMs ? Math.min(now, answeredMs) : now
  } catch {
    return now
  }
}

export const serverAheadMs = (): number => aheadMs.get()

export const serverNow = (): number => Date.now() + serverAheadMs()

/** How far the server's clock is ahead; redraws what uses `serverNow` when that changes. */
export const useServerClock = (): number => useSelector(aheadMs)

/**
 * The day that `dayAt` returns for the moment of the figures. It stays the same while the screen is open, also over
 * midnight, unless the server's clock turns out to differ, the network is back, or it fails before anything of a day that
 * has begun since the last answer was there.
 */
export function useToday(dayAt: (at: Date) => string): string {
  const ahead = useServerClock()
  const online = useOnline()
  const [opened, setOpened] = useState(() => ({ ahead, online, at: figuresNow() }))
  if (opened.ahead !== ahead || online !== opened.online)
    setOpened({ ahead, online, at: online ? figuresNow() : Math.min(opened.at, figuresNow()) })
  return dayAt(new Date(opened.at))
}
