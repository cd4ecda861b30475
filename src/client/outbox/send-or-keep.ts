import { onlineManager } from '@tanstack/react-query'
import { ApiError, NetworkError } from '../api/api-error.ts'
import { discardEdit, type NewEdit, noteSending, queueEdit, updateEdit } from './outbox.ts'

/**
 * Sends a change at once, under an idempotency key; without network, without a session and where only a newer version of the
 * app can send it, it waits in the outbox. It is noted there before it is sent, so that it also waits when no answer comes or
 * the page dies meanwhile, and is sent again under the same key. Resolves with the answer, or with null when it waits.
 * Rejects with the server's error.
 */
export async function sendOrKeep<T>(
  edit: NewEdit,
  send: (idempotencyKey: string) => Promise<T>,
): Promise<{ answer: T } | null> {
  if (!onlineManager.isOnline()) {
    queueEdit(edit)
    return null
  }
  const key = noteSending(edit)
  try {
    const answer = await send(key)
    discardEdit(key)
    return { answer }
  } catch (error) {
    // It waits until its user is back, or until the new version can send it.
    const waits = error instanceof ApiError && (error.status === 401 || error.code === 'CLIENT_OUTDATED')
    if (waits || error instanceof NetworkError) {
      updateEdit(key, { sendingUntil: 0 })
      return null
    }
    discardEdit(key)
    throw error
  }
}
