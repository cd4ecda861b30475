import type { z } from 'zod'
import type { Services } from '../context.ts'

export interface JobRun {
  id: string
  /** 0 at the first try. */
  attempt: number
  /** True when a failure now is the last one. */
  lastAttempt: boolean
  /** Ends when the process shuts down or the job expired. */
  signal: AbortSignal
}

/**
 * Work that is done apart from a request. A handler may run more than once (a killed process's job is picked up
 * again), so each must be able to go on where it was.
 */
export interface JobDefinition<T = unknown> {
  /** kebab-case, unique, stable: it names the queue. */
  name: string
  data: z.ZodType<T>
  /**
   * `standard`: any number at once. `stately`: per key one waiting and one active, so that asking twice is asking once.
   * `singleton`: per key one active, any number waiting.
   */
  policy?: 'standard' | 'stately' | 'singleton'
  /** Tries after the first; 5 when absent. They wait 1, 2, 4 … seconds with jitter, at most 5 minutes. */
  retryLimit?: number
  /** Jobs of this kind at once in one process; 1 when absent. */
  concurrency?: number
  /** Sent by the clock, in UTC (minute-granular cron), with `scheduledData`. */
  cron?: string
  scheduledData?: T
  run(services: Services, data: T, job: JobRun): Promise<void>
  /** Told once when the last try has failed; the job is in the dead-letter queue then. */
  onDead?(services: Services, data: T, error: Error): Promise<void>
}

/** Keeps the type of a job's data. */
export const defineJob = <T>(job: JobDefinition<T>): JobDefinition<T> => job
