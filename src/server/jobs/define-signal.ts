import type { Signal } from '../context.ts'

export type { Signal } from '../context.ts'

/** Keeps the type of a signal's data. */
export const defineSignal = <T>(signal: Signal<T>): Signal<T> => signal
