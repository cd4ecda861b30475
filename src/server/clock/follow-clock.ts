import { z } from 'zod'
import { type Clock, systemClock } from '#shared/time.ts'
import type { Log } from '../log/log.ts'

/** A clock that is ahead of the machine's, or behind it, by as much as another one. */
export interface FollowedClock extends Clock {
  /** The clock of the machine itself. */
  machine: Clock
  /** Calls back after each time the other clock was moved forward. */
  onMove(moved: () => void): void
  close(): void
}

const answer = z.object({ now: z.iso.datetime().transform(text => new Date(text)) })
const askEveryMs = 1000
const giveUpAfterMs = 2000
/** Smaller differences are the network's. */
const toleranceMs = 2000

/**
 * Follows the clock at `url`, which answers `{"now": "2026-11-22T12:00:00Z"}`: asks it every second and takes over when it
 * was moved. While it cannot be reached the time runs on from what was last known. Resolves after the first question.
 */
export async function followClock(url: string, log: Log, machine: Clock = systemClock): Promise<FollowedClock> {
  const listeners: (() => void)[] = []
  let aheadMs = 0
  let isReachable = true
  const read = async () => {
    const sentAt = machine.now().getTime()
    const reply = await fetch(url, { signal: AbortSignal.timeout(giveUpAfterMs) })
    const { now } = answer.parse(await reply.json())
    return now.getTime() - (sentAt + machine.now().getTime()) / 2
  }
  const follow = async () => {
    try {
      const found = await read()
      isReachable = true
      const movedMs = found - aheadMs
      if (Math.abs(movedMs) <= toleranceMs) return
      aheadMs = found
      log.info({ movedSeconds: Math.round(movedMs / 1000) }, 'the clock was moved')
      if (movedMs > 0) for (const moved of listeners) moved()
    } catch (error) {
      if (isReachable) log.warn({ err: error, url }, 'the clock cannot be read; time runs on from what was last known')
      isReachable = false
    }
  }
  await follow()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  // One question after the other, however long an answer takes.
  const again = () => {
    timer = setTimeout(() => void follow().finally(() => isClosed || again()), askEveryMs).unref()
  }
  again()
  return {
    machine,
    now: () => new Date(machine.now().getTime() + aheadMs),
    onMove: moved => void listeners.push(moved),
    close: () => {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

/** The clock of the machine where `clock` follows another one, else `clock` itself. */
export const machineClock = (clock: Clock): Clock => (clock as Partial<FollowedClock>).machine ?? clock
