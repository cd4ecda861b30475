import type { QueryClient } from '@tanstack/react-query'
import { wipeAnswers } from './memory/persist-answers.ts'
import { wipeFigures } from './memory/persist-figures.ts'
import { wipeScreenCopy } from '../early/save-screen-copy.ts'
import { queryClient } from './query-client.ts'

const alsoWipe = new Set<() => void | Promise<void>>()

/** Registers something else that belongs to the user and must go with the rest. Returns a function that undoes it. */
export function onWipe(wipe: () => void | Promise<void>): () => void {
  alsoWipe.add(wipe)
  return () => alsoWipe.delete(wipe)
}

/**
 * Deletes all cached data of the user at the end of a session. Work that the server does not have yet stays in the outbox
 * and with its owner's unsaved work, until the user is back or logs out on purpose.
 */
export async function wipeClientData(client: QueryClient = queryClient): Promise<void> {
  await client.cancelQueries()
  client.clear()
  // After the memory: each answer that is removed from it is written to the storage.
  wipeAnswers()
  wipeScreenCopy()
  const images = typeof caches === 'undefined' ? false : caches.delete('images').catch(() => false)
  await Promise.all([wipeFigures(), images, ...[...alsoWipe].map(wipe => wipe())])
}
