import type { JobDefinition } from '../context.ts'

export type { JobDefinition, JobRun } from '../context.ts'

/** Keeps the type of a job's data. */
export const defineJob = <T>(job: JobDefinition<T>): JobDefinition<T> => job
