import { queryClient } from '#client/api/query-client.ts'
import { accountQueries } from '#features/accounts/client/public.ts'
import { draftStore } from './draft-store.ts'
import { sendDraft } from './draft-sync.ts'
import { draftScope } from './draft-keys.ts'

/**
 * Sends the newest change of the draft of the advertising account that is worked in. The server takes drafts for no other,
 * so that those wait for it to be chosen again.
 */
export const saveOwnDraft = async (): Promise<void> => {
  const merchant = queryClient.getQueryData(accountQueries.currentMerchant().queryKey)
  const marketplace = queryClient.getQueryData(accountQueries.currentMarketplace().queryKey)
  if (!merchant || !marketplace) return
  const store = draftStore(draftScope(merchant.id, marketplace.id))
  await sendDraft(store, standing => store.write({ ...store.read(), draft: standing }))
}
