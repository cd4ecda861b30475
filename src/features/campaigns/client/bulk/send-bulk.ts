import type { QueryClient } from '@tanstack/react-query'
import { ApiError, failureMessage, NetworkError } from '#client/api/api-error.ts'
import { call } from '#client/api/call.ts'
import { newIdempotencyKey } from '#client/api/build-request.ts'
import { bulkEndpoints, type BulkItem, MAX_BULK } from '#features/structure/contract.ts'
import { campaignQueries } from '../queries.ts'
import { type ActiveBulk, followBulk, updateBulk } from './active-bulk.ts'

/** A row to change, with what it is called. */
export interface NamedItem extends BulkItem {
  name: string
}

interface BulkStart extends Pick<ActiveBulk, 'title' | 'what' | 'shop'> {
  items: readonly NamedItem[]
  /** The group of an earlier bulk change whose rows are tried again. */
  groupId?: string
}

// The groups that this page is sending now; after a reload the rest of one is known to be lost.
const sending = new Set<string>()
// Those that this page has begun to send.
const started = new Set<string>()
export const isStartedHere = (groupId: string): boolean => started.has(groupId)
export const isSending = (groupId: string): boolean => sending.has(groupId)

const tries = 3
const waitMs = 2000
const mostShown = 200

/**
 * Changes rows in parts of at most 1,000, all in one group, and notes how far it is for `BulkWatch`. A part without an answer
 * is sent again under its key, so that nothing happens twice; what then cannot be sent is left out, and said.
 */
export async function sendBulk(client: QueryClient, { items, title, what, shop, groupId }: BulkStart): Promise<void> {
  const group = groupId ?? crypto.randomUUID()
  followBulk({
    groupId: group,
    title,
    what,
    shop,
    total: items.length,
    sent: 0,
    notSent: [],
    isOpen: true,
    isAnnounced: false,
    stopped: null,
  })
  sending.add(group)
  started.add(group)
  try {
    for (let at = 0; at < items.length; at += MAX_BULK) await sendPart(group, shop, items.slice(at, at + MAX_BULK))
  } catch (error) {
    updateBulk(group, () => ({ stopped: failureMessage(error) }))
  } finally {
    sending.delete(group)
    void client.invalidateQueries({ queryKey: campaignQueries.all })
  }
}

async function sendPart(group: string, shop: string, part: readonly NamedItem[]): Promise<void> {
  const body = part.map(({ entity, id, version, set }) => ({ entity, id, version, set }))
  const options = { idempotencyKey: newIdempotencyKey(), shop, timeoutMs: 60_000 }
  const { outcomes } = await persist(() => call(bulkEndpoints.bulk, { query: { groupId: group }, body }, options))
  const left = outcomes.flatMap(({ status, message }, i) =>
    status === 'CHANGED' || status === 'SAME' ? [] : [{ name: part[i]?.name ?? '', message: message ?? status }],
  )
  updateBulk(group, ({ sent, notSent }) => ({
    sent: sent + part.length,
    notSent: [...notSent, ...left].slice(0, mostShown),
  }))
}

const isUnanswered = (error: unknown): boolean =>
  error instanceof NetworkError ||
  (error instanceof ApiError && (error.status === 503 || error.code === 'IDEMPOTENCY_IN_FLIGHT'))

// Only what had no answer is tried again: what the server said stands.
async function persist<T>(send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await send()
    } catch (error) {
      if (!isUnanswered(error) || attempt === tries) throw error
      await new Promise(resolve => setTimeout(resolve, waitMs * attempt))
    }
}
