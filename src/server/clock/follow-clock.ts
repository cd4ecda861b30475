import { z } from 'zod'
import { type Clock, systemClock } from '#shared/time.ts'
import type { Log } from '../log/log.ts'

/** A clock with the same offset from the machine's clock as another one. */
export interface FollowedClock extends Clock {
  machine: Clock
  /** Calls `listener` each time the other clock was moved forward. */
  onMove(listener: () => void): void
  close(): void
}

const answer = z.object({ now: z.iso.datetime().transform(text => new Date(text)) })
const pollMs = 1000
const timeoutMs = 2000
/** Smaller differences come from the network. */
const toleranceMs = 2000

/**
 * Follows the clock at `url`, which answers `{"now": "2026-11-22T12:00:00Z"}`: reads it every second and adopts its time if
 * it was moved. While it cannot be reached, time continues from the last reading. Resolves after the first attempt to read.
 */
export async function followClock(url: string, log: Log, machine: Clock = systemClock): Promise<FollowedClock> {
  const listeners: (() => void)[] = []
  let aheadMs = 0
  let isReachable = true
  const read = async () => {
    const sentAt = machine.now().getTime()
    const reply = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
    const { now } = answer.parse(await reply.json())
    return now.getTime() - (sentAt + machine.now().getTime()) / 2
  }
  const follow = async () => {
    try {
      const offsetMs = await read()
      isReachable = true
      const movedMs = offsetMs - aheadMs
      if (Math.abs(movedMs) <= toleranceMs) return
      aheadMs = offsetMs
      log.info({ movedSeconds: Math.round(movedMs / 1000) }, 'the clock was moved')
      if (movedMs > 0) for (const listener of listeners) listener()
    } catch (error) {
      if (isReachable) log.warn({ err: error, url }, 'the clock cannot be read; time continues from the last reading')
      isReachable = false
    }
  }
  await follow()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  // Waits for each answer before the next request, however long it takes.
  const scheduleNext = () => {
    timer = setTimeout(() => void follow().finally(() => isClosed || scheduleNext()), pollMs).unref()
  }
  scheduleNext()
  return {
    machine,
    now: () => new Date(machine.now().getTime() + aheadMs),
    onMove: listener => void listeners.push(listener),
    close: () => {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

/** The machine's clock if `clock` follows another one, else `clock` itself. */
export const machineClock = (clock: Clock): Clock => (clock as Partial<FollowedClock>).machine ?? clock
