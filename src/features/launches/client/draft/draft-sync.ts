import { onlineManager } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import { draftEndpoints } from '../../draft-contract.ts'
import type { Draft } from '../../draft/draft.ts'
import { type DraftStore, draftStore } from './draft-store.ts'
import { queryClient } from '#client/api/query-client.ts'
import { accountQueries } from '#features/accounts/client/public.ts'
import { draftScope } from './draft-keys.ts'

// The server may date a change anew; what was changed here meanwhile goes on from its version.
function noteSent(store: DraftStore, sent: Draft, { version, changedAt }: Draft): void {
  const now = store.read()
  if (now.draft?.id !== sent.id) return
  const isSame = now.draft.changedAt === sent.changedAt
  const own = { ...now.draft, ...(version !== undefined && { version }), ...(isSame && { changedAt }) }
  store.write({ ...now, draft: own, sentAt: changedAt })
}

/**
 * Sends the draft of this device, if the server does not have it and can be reached. `adopt` is given the one that stands
 * where another device went further and nothing was changed here meanwhile. Never rejects: what could not be sent stays
 * here, and the next change or connection tries again.
 */
export async function sendDraft(store: DraftStore, adopt: (standing: Draft) => void): Promise<void> {
  const { draft, sentAt } = store.read()
  if (!draft || sentAt === draft.changedAt || !onlineManager.isOnline() || !store.isOwn()) return
  try {
    const answer = await call(draftEndpoints.save, { body: draft }, { shop: store.shop })
    if (answer.draft.id === draft.id && answer.draft.changedAt > draft.changedAt) {
      if (store.read().draft?.changedAt !== draft.changedAt) return
      adopt(answer.draft)
    }
    noteSent(store, draft, answer.draft)
  } catch {
    // Kept on the device.
  }
}

/** Has the server throw away what was thrown away here; remembered and tried again later while it cannot be reached. */
export async function removeDiscarded(store: DraftStore): Promise<void> {
  const { discardedId } = store.read()
  if (!discardedId || !onlineManager.isOnline() || !store.isOwn()) return
  try {
    await call(draftEndpoints.remove, { query: { id: discardedId } }, { shop: store.shop })
    const now = store.read()
    if (now.discardedId === discardedId) store.write({ ...now, discardedId: null })
  } catch {
    // Remembered on the device.
  }
}

/**
 * Sends the newest change of the draft of the advertising account that is worked in. The server takes drafts for no other,
 * so that those wait for it to be chosen again.
 */
export async function saveOwnDraft(): Promise<void> {
  const merchant = queryClient.getQueryData(accountQueries.currentMerchant().queryKey)
  const marketplace = queryClient.getQueryData(accountQueries.currentMarketplace().queryKey)
  if (!merchant || !marketplace) return
  const store = draftStore(draftScope(merchant.id, marketplace.id))
  await sendDraft(store, standing => store.write({ ...store.read(), draft: standing }))
}
