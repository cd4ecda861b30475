/** Work that may exist on this device only: it survives an expired session and is deleted by a log-out. */
export interface UnsavedWork {
  /** Sends to the server what it does not have yet, if it can be reached. */
  save: () => Promise<void>
  /** A sentence that says what a log-out would delete; null when nothing. */
  atRisk: () => string | null
  /** Deletes the work of the signed-in user and of nobody else. */
  forget: () => void
}

const registered = new Set<UnsavedWork>()
const patienceMs = 5000

/** Registers work to check before a log-out. Returns a function that undoes it. */
export function registerUnsavedWork(work: UnsavedWork): () => void {
  registered.add(work)
  return () => registered.delete(work)
}

/** Saves what can be saved, for a few seconds at most, and returns what a log-out would delete nevertheless. */
export async function saveUnsavedWork(): Promise<string[]> {
  const saved = Promise.allSettled([...registered].map(work => work.save()))
  await Promise.race([saved, new Promise(resolve => setTimeout(resolve, patienceMs))])
  return [...registered].map(work => work.atRisk()).filter(sentence => sentence !== null)
}

export const discardUnsavedWork = (): void => registered.forEach(work => work.forget())
