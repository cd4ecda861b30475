import type { Clock } from '#shared/time.ts'

/** The world's time: a base clock that runs on, and how far the world is ahead of it. */
export interface WorldClock extends Clock {
  /** Milliseconds the world is ahead of the base clock; persisted. */
  offsetMs: number
  /** Makes it `at` now; time runs on from there. */
  set(at: Date): void
  advance(ms: number): void
}

/** A world's clock over `base`. */
export const createWorldClock = (base: Clock): WorldClock => ({
  offsetMs: 0,
  now() {
    return new Date(base.now().getTime() + this.offsetMs)
  },
  set(at) {
    this.offsetMs = at.getTime() - base.now().getTime()
  },
  advance(ms) {
    this.offsetMs += ms
  },
})

const durationPattern = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/
const unitMs = [604_800_000, 86_400_000, 3_600_000, 60_000, 1000]

/** Milliseconds of an ISO 8601 duration of weeks, days, hours, minutes and seconds (PT1H, P3DT12H); null when it is none. */
export function durationMs(text: string): number | null {
  const parts = durationPattern.exec(text)?.slice(1)
  if (!parts || parts.every(part => part === undefined)) return null
  return parts.reduce((sum, part, i) => sum + Number(part ?? 0) * (unitMs[i] ?? 0), 0)
}
