import type { z } from 'zod'

/**
 * Something that happened in one feature and that others may want to know, without the first knowing them. It is
 * announced in the transaction in which it happened; main connects the jobs that react.
 */
export interface Signal<T = unknown> {
  /** feature.what-happened */
  name: string
  data: z.ZodType<T>
}

/** Keeps the type of a signal's data. */
export const defineSignal = <T>(signal: Signal<T>): Signal<T> => signal
