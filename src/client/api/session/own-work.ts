/** What its maker has on this device and perhaps nowhere else: it outlives an expired session, and goes with a log-out. */
export interface OwnWork {
  /** Brings to the server what it does not have, where it can be reached. */
  save: () => Promise<void>
  /** A sentence on what a log-out would lose; null when nothing. */
  atRisk: () => string | null
  /** Forgets what who is signed in made; nothing of anybody else. */
  forget: () => void
}

const works = new Set<OwnWork>()
const patienceMs = 5000

/** Registers work that is asked about before a log-out. Answers the way to take it back. */
export function registerOwnWork(work: OwnWork): () => void {
  works.add(work)
  return () => works.delete(work)
}

/** Saves what can be saved, for a few seconds at most, and tells what a log-out would lose all the same. */
export async function saveOwnWork(): Promise<string[]> {
  const saved = Promise.allSettled([...works].map(work => work.save()))
  await Promise.race([saved, new Promise(resolve => setTimeout(resolve, patienceMs))])
  return [...works].map(work => work.atRisk()).filter(sentence => sentence !== null)
}

/** Forgets the work of who is signed in. */
export const forgetOwnWork = (): void => works.forEach(work => work.forget())
