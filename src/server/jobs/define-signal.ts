import type { Signal } from '../context.ts'

export type { Signal } from '../context.ts'

/** Defines a signal; infers the type of its data. */
export const defineSignal = <T>(signal: Signal<T>): Signal<T> => signal
