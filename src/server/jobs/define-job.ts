import type { JobDefinition, Signal } from '../context.ts'

export type { JobDefinition, JobRun, Signal } from '../context.ts'

/** Defines a job; infers the type of its data. */
export const defineJob = <T>(job: JobDefinition<T>): JobDefinition<T> => job

/** Defines a signal; infers the type of its data. */
export const defineSignal = <T>(signal: Signal<T>): Signal<T> => signal
