import type { QueryClient } from '@tanstack/react-query'
import { wipeAnswers } from './persist-answers.ts'
import { wipeFigures } from './persist-figures.ts'
import { queryClient } from './query-client.ts'

/** Where changes wait that were made without network; named here, for they must go even where nobody loaded the outbox. */
export const outboxKey = 'tideline.outbox'

const alsoWipe = new Set<() => void | Promise<void>>()

/** Registers something else that belongs to the user and must go with the rest. Answers the way to take it back. */
export const onWipe = (wipe: () => void | Promise<void>): (() => void) => {
  alsoWipe.add(wipe)
  return () => alsoWipe.delete(wipe)
}

/** Forgets all that this browser knows of the user: at log-out and on starting or stopping to act for someone else. */
export const wipeClientData = async (client: QueryClient = queryClient): Promise<void> => {
  await client.cancelQueries()
  client.clear()
  // After the memory, for each answer that leaves it is saved away.
  wipeAnswers()
  localStorage.removeItem(outboxKey)
  await Promise.all([wipeFigures(), wipeImages(), ...[...alsoWipe].map(wipe => wipe())])
}

const wipeImages = async (): Promise<void> => {
  if (typeof caches !== 'undefined') await caches.delete('images').catch(() => false)
}
