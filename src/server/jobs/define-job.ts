import type { JobDefinition } from '../context.ts'

export type { JobDefinition, JobRun } from '../context.ts'

/** Defines a job; infers the type of its data. */
export const defineJob = <T>(job: JobDefinition<T>): JobDefinition<T> => job
