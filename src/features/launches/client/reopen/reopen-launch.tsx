import { useQuery, useQueryClient, type QueryClient, queryOptions } from '@tanstack/react-query'
import { type AnyRouter, useRouter } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { isNotFound } from '#client/api/api-error.ts'
import { newIdempotencyKey } from '#client/api/build-request.ts'
import { call } from '#client/api/call.ts'
import { useOnline } from '#client/api/online.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { EmptyState, OfflineState } from '#client/ui/states/state-views.tsx'
import { useShop, type Shop } from '#features/accounts/client/public.ts'
import { type Launch, launchEndpoints } from '../../contract.ts'
import { type MarketplaceFacts, marketplaceById } from '#shared/marketplaces.ts'
import { type Draft, mergeDrafts } from '../../draft/draft.ts'
import { draftScope } from '../draft/draft-keys.ts'
import { type DraftStore, draftStore } from '../draft/draft-store.ts'
import { wizardQueries } from '../wizard/queries.ts'
import { draftName } from '../wizard/labels.ts'
import { useLater } from '../wizard/use-later.ts'
import { DraftCard } from '../draft/draft-offer.tsx'
import { type Reopened, reopened } from './reopened.ts'
import { catalogueQueries } from '#features/catalogue/client/public.ts'
import type { InventoryProduct } from '#features/catalogue/contract.ts'
import { isUnderWay } from '../queries.ts'

export type Opened = Pick<Reopened, 'problems'> & { draftId: string }

/** Opens the payload of a launch as the draft, after a question when it would replace another draft. */
export function ReopenLaunch(props: {
  launchId: number
  market: MarketplaceFacts
  onOpened: (opened: Opened) => void
}) {
  const { launchId, market, onOpened } = props
  const shop = useShop()
  const scope = draftScope(shop.merchantId, shop.marketplaceId)
  const [store] = useState(() => draftStore(scope))
  const router = useRouter()
  const online = useOnline()
  const reopening = useQuery({ ...reopenQuery(useQueryClient(), shop, launchId), enabled: online })
  const remote = useQuery({ ...wizardQueries.draft(scope), enabled: online })
  const launch = reopening.data?.launch
  const found = useMemo(
    () => reopening.data && reopened(reopening.data.launch, reopening.data.listed, market),
    [reopening.data, market],
  )
  const other = remote.data && mergeDrafts(store.read(), remote.data.draft)
  const [isStorageFull, setStorageFull] = useState(false)

  const open = (draft: Draft, replaced: Draft | null, problems: Reopened['problems'] = []): void => {
    if (!storeOpenDraft(store, draft, replaced)) return setStorageFull(true)
    onOpened({ draftId: draft.id, problems })
    router.history.replace(router.state.location.pathname)
    router.history.flush()
    openSteps(router, 1, draft.state.currentStep)
  }
  const openLaunch = (): void => {
    if (!found || !launch) return
    const { state, problems, notes } = found
    open({ id: newIdempotencyKey(), changedAt: new Date().toISOString(), state }, other ?? null, problems)
    const message = notes.join(' ')
    // Long enough to read two sentences next to an opening sheet.
    if (message) toast({ title: `Opened from “${launch.campaignName}”`, message, durationMs: 10_000 })
  }
  const obstacle = launch && obstacleOf(launch, market, found)
  const isFree = found && !obstacle && other === null
  useLater(isFree, 0, openLaunch)

  if (isStorageFull)
    return <EmptyState title="This browser has no space for a draft" hint="Free up some space, then try again." />
  if (isNotFound(reopening.error))
    return (
      <EmptyState
        title="Launch not found"
        hint="You can open a launch only for the merchant it was made for. Choose that merchant, then open it again."
      />
    )
  if (obstacle) return <EmptyState {...obstacle} />
  return (
    <QueryView
      query={{
        data: found && launch && other ? { launch, draft: other } : undefined,
        error: reopening.error ?? remote.error,
        dataUpdatedAt: reopening.dataUpdatedAt,
        refetch: () => Promise.all([reopening.refetch(), remote.refetch()]),
      }}
      loading={{ rows: 3, label: 'Opening the launch' }}
      offline={<OfflineState title="Opening a launch needs a connection" hint="It opens as soon as you are online." />}
    >
      {both => (
        <ReplaceDraft
          draft={both.draft}
          launch={both.launch.campaignName}
          onReplace={openLaunch}
          onKeep={() => open(both.draft, null)}
        />
      )}
    </QueryView>
  )
}

// There is only one draft at a time; `launch` names the launch that would replace it.
function ReplaceDraft(props: { draft: Draft; launch: string; onReplace: () => void; onKeep: () => void }) {
  const { draft, launch, onReplace, onKeep } = props
  return (
    <DraftCard
      title="You have another unfinished campaign"
      draft={draft}
      note={
        <p>
          You can have only one draft. If you replace it, “{draftName(draft.state)}” will be deleted from all your
          devices. “{launch}” stays in the launch log either way.
        </p>
      }
      onContinue={onKeep}
    >
      <Button tone="danger" block onClick={onReplace}>
        Replace it with “{launch}”
      </Button>
    </DraftCard>
  )
}

// Why a launch cannot be opened here; undefined when it can.
function obstacleOf(launch: Launch, market: MarketplaceFacts, found: Reopened | null | undefined) {
  const marketplaceId = launch.input?.marketplaceId
  if (marketplaceId !== undefined && marketplaceId !== market.id) {
    const place = marketplaceById(marketplaceId)?.name ?? 'another marketplace'
    return {
      title: `“${launch.campaignName}” is a launch for ${place}`,
      hint: `Your current marketplace is ${market.name}. Choose ${place} as your marketplace, then open it again.`,
    }
  }
  if (isUnderWay(launch))
    return { title: `“${launch.campaignName}” is still running`, hint: 'Open it again when it has finished.' }
  if (found === null)
    return {
      title: `“${launch.campaignName}” can no longer be opened`,
      hint: 'It was launched with an older version of Tideline, and its settings can no longer be read. You can still see it in the log.',
    }
  return undefined
}

/** Pushes an address for each step up to `to`, so that Back leads through them one by one. */
export function openSteps(router: AnyRouter, from: number, to: number): void {
  const { pathname, state } = router.state.location
  const pushed = (state as { sheets?: number }).sheets ?? 0
  for (let step = from + 1; step <= to; step += 1) {
    router.history.push(`${pathname}?step=${step}`, { sheets: pushed + step - from })
    // The router would merge the pushes of one tick.
    router.history.flush()
  }
}

// True when the device has stored the draft as the open one. The replaced draft is deleted everywhere.
function storeOpenDraft(store: DraftStore, draft: Draft, replaced: Draft | null): boolean {
  const stored = store.read()
  const sentAt = stored.draft?.id === draft.id ? stored.sentAt : null
  store.write({ draft, sentAt, discardedId: replaced?.id ?? stored.discardedId })
  if (store.read().draft?.id !== draft.id) return false
  if (replaced) store.writeIntent(null)
  store.setOpenId(draft.id)
  return true
}

/** A launch with its payload and those of its products that are listed now; no products for another marketplace. */
function reopenQuery(client: QueryClient, shop: Shop, launchId: number) {
  return queryOptions({
    queryKey: ['wizard', 'reopen', shop, launchId],
    queryFn: async ({ signal }) => {
      const query = { params: { id: launchId }, query: { withInput: true } }
      const launch = await call(launchEndpoints.get, query, { signal })
      const { marketplaceId, payload } = launch.input ?? {}
      const products = marketplaceId === shop.marketplaceId ? payload?.products : []
      const asins = [...new Set(products?.map(p => p.asin))]
      const listed: InventoryProduct[] = []
      for (let page = 0, pages = asins.length ? 1 : 0; page < pages; page += 1) {
        // An ASIN can have several SKUs, each with a row.
        const filter = { page, size: 200, search: '', asins }
        const answer = await client.fetchQuery({ ...catalogueQueries.inventoryPage(shop, filter), staleTime: 0 })
        listed.push(...answer.content)
        pages = answer.page.totalPages
      }
      return { launch, listed }
    },
    retry: false,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    meta: { silent: true },
  })
}
