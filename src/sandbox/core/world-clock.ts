import { type Clock, systemClock } from '#shared/time.ts'

/** The world's time: a base clock that runs on, and how far the world is ahead of it. */
export class WorldClock implements Clock {
  /** Milliseconds the world is ahead of the base clock; persisted. */
  offsetMs = 0
  private readonly base: Clock
  private readonly watchers: (() => void)[] = []

  constructor(base: Clock = systemClock) {
    this.base = base
  }

  now(): Date {
    return new Date(this.base.now().getTime() + this.offsetMs)
  }

  /** Makes it `at` now; time runs on from there. */
  set(at: Date): void {
    this.offsetMs = at.getTime() - this.base.now().getTime()
  }

  advance(ms: number): void {
    this.offsetMs += ms
  }

  /** Calls the watcher after each control call that moved the time. */
  onMoved(watcher: () => void): void {
    this.watchers.push(watcher)
  }

  announceMove(): void {
    for (const watcher of this.watchers) watcher()
  }
}

const durationPattern = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/
const unitMs = [604_800_000, 86_400_000, 3_600_000, 60_000, 1000]

/** Milliseconds of an ISO 8601 duration of weeks, days, hours, minutes and seconds (PT1H, P3DT12H); null when it is none. */
export function durationMs(text: string): number | null {
  const parts = durationPattern.exec(text)?.slice(1)
  if (!parts || parts.every(part => part === undefined)) return null
  return parts.reduce((sum, part, i) => sum + Number(part ?? 0) * (unitMs[i] ?? 0), 0)
}
