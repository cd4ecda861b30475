import { z } from 'zod'
import type { JobDefinition, Signal } from '../context.ts'

export type { JobDefinition, JobRun, Signal } from '../context.ts'

/** Defines a job; infers the type of its data. */
export const defineJob = <T>(job: JobDefinition<T>): JobDefinition<T> => job

type ScheduledJob = JobDefinition<Record<string, never>>

/** Defines a job without data that is sent at the times of `cron`. */
export function defineScheduledJob(job: Omit<ScheduledJob, 'data' | 'scheduledData'> & { cron: string }): ScheduledJob {
  return { ...job, data: z.object({}), scheduledData: {} }
}

/** Defines a signal; infers the type of its data. */
export const defineSignal = <T>(signal: Signal<T>): Signal<T> => signal
