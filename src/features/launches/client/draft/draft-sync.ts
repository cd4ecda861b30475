import { onlineManager } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import { draftEndpoints } from '../../draft-contract.ts'
import type { Draft } from '../../draft/draft.ts'
import { type DraftStore, draftStore } from './draft-store.ts'
import { queryClient } from '#client/api/query-client.ts'
import { accountQueries } from '#features/accounts/client/public.ts'
import { draftScope } from './draft-keys.ts'

/**
 * Sends the draft of this device to the server, unless the server has it. When another device has a newer version and nothing
 * changed here in the meantime, `adopt` receives that version. Never rejects: the next change or connection tries again.
 */
export async function sendDraft(store: DraftStore, adopt: (newer: Draft) => void): Promise<void> {
  const { draft, sentAt } = store.read()
  if (!draft || sentAt === draft.changedAt || !onlineManager.isOnline() || !store.isOwn()) return
  try {
    const answer = await call(draftEndpoints.save, { body: draft }, { shop: store.shop })
    if (answer.draft.id === draft.id && answer.draft.changedAt > draft.changedAt) {
      if (store.read().draft?.changedAt !== draft.changedAt) return
      adopt(answer.draft)
    }
    const now = store.read()
    if (now.draft?.id !== draft.id) return
    // The server may set another time. Changes made here in the meantime are based on its version.
    const { version, changedAt } = answer.draft
    const isSame = now.draft.changedAt === draft.changedAt
    const noted = { ...now.draft, ...(version !== undefined && { version }), ...(isSame && { changedAt }) }
    store.write({ ...now, draft: noted, sentAt: changedAt })
  } catch {
    // It is still on the device.
  }
}

/** Deletes on the server the draft that was deleted here. Without a connection, a later call tries again. */
export async function removeDiscarded(store: DraftStore): Promise<void> {
  const { discardedId } = store.read()
  if (!discardedId || !onlineManager.isOnline() || !store.isOwn()) return
  try {
    await call(draftEndpoints.remove, { query: { id: discardedId } }, { shop: store.shop })
    const now = store.read()
    if (now.discardedId === discardedId) store.write({ ...now, discardedId: null })
  } catch {
    // The device remembers the id.
  }
}

/**
 * Sends the draft of the current advertising account. The server accepts no others, so drafts of other accounts wait until
 * the user chooses that account again.
 */
export async function saveOwnDraft(): Promise<void> {
  const merchant = queryClient.getQueryData(accountQueries.currentMerchant().queryKey)
  const marketplace = queryClient.getQueryData(accountQueries.currentMarketplace().queryKey)
  if (!merchant || !marketplace) return
  const store = draftStore(draftScope(merchant.id, marketplace.id))
  await sendDraft(store, newer => store.write({ ...store.read(), draft: newer }))
}
