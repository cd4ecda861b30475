import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves after `ms`; rejects with the signal's reason when it ends first. */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    signal.throwIfAborted()
    throw error
  })
}

/** The user asked for an undo. */
export class UndoRequested extends Error {
  constructor() {
    super('the launch is to be undone')
    this.name = 'UndoRequested'
  }
}

/** The marketplace cannot be worked with for now, and nothing of the last call happened: go on later. */
export class Wait extends Error {
  readonly afterMs: number | undefined
  constructor(afterMs: number | undefined, cause: unknown) {
    super('the marketplace cannot be reached for now', { cause })
    this.name = 'Wait'
    this.afterMs = afterMs
  }
}

/** The marketplace does not let us in: only the user can change that. */
export class Blocked extends Error {
  constructor(cause: unknown) {
    super('the marketplace does not let us in', { cause })
    this.name = 'Blocked'
  }
}
