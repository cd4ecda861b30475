import type { QueryClient } from '@tanstack/react-query'
import { wipeAnswers } from './memory/persist-answers.ts'
import { wipeFigures } from './memory/persist-figures.ts'
import { queryClient } from './query-client.ts'

const alsoWipe = new Set<() => void | Promise<void>>()

/** Registers something else that belongs to the user and must go with the rest. Answers the way to take it back. */
export function onWipe(wipe: () => void | Promise<void>): () => void {
  alsoWipe.add(wipe)
  return () => alsoWipe.delete(wipe)
}

/**
 * Forgets all that this browser was told of the user: at the end of a session, however it came. What the user made and
 * the server was not told yet is not among it: the outbox and own work keep that until its maker is back, or logs out
 * knowingly.
 */
export async function wipeClientData(client: QueryClient = queryClient): Promise<void> {
  await client.cancelQueries()
  client.clear()
  // After the memory, for each answer that leaves it is saved away.
  wipeAnswers()
  await Promise.all([wipeFigures(), wipeImages(), ...[...alsoWipe].map(wipe => wipe())])
}

async function wipeImages(): Promise<void> {
  if (typeof caches !== 'undefined') await caches.delete('images').catch(() => false)
}
