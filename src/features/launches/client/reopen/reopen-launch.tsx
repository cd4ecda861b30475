import { useQuery, useQueryClient, type QueryClient, queryOptions } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { isNotFound } from '#client/api/api-error.ts'
import { newIdempotencyKey } from '#client/api/build-request.ts'
import { useOnline } from '#client/api/online.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState, OfflineState } from '#client/ui/states/state-views.tsx'
import { useShop, type Shop } from '#features/accounts/client/public.ts'
import type { Launch } from '../../contract.ts'
import { type MarketplaceFacts, marketplaceById } from '#shared/marketplaces.ts'
import { type Draft, mergeDrafts } from '../../draft/draft.ts'
import { draftScope } from '../draft/draft-keys.ts'
import { type DraftStore, draftStore } from '../draft/draft-store.ts'
import { wizardQueries } from '../wizard/queries.ts'
import { openSteps } from '../wizard/open-steps.ts'
import { ReplaceDraft } from '../draft/draft-offer.tsx'
import { type Reopened, reopened } from './reopened.ts'
import { catalogueQueries } from '#features/catalogue/client/public.ts'
import type { InventoryProduct } from '#features/catalogue/contract.ts'
import { launchQueries } from '../queries.ts'

/** What a draft is opened with beside itself. */
export interface Opened {
  draftId: string
  faults: Reopened['faults']
}
interface ReopenLaunchProps {
  launchId: number
  market: MarketplaceFacts
  onOpened: (opened: Opened) => void
}

// Two sentences, beside a sheet that rises.
const readMs = 10_000

/** Opens all that a launch was asked for as the draft, once it is known that no other is lost by that. */
export function ReopenLaunch({ launchId, market, onOpened }: ReopenLaunchProps) {
  const shop = useShop()
  const scope = draftScope(shop.merchantId, shop.marketplaceId)
  const [store] = useState(() => draftStore(scope))
  const router = useRouter()
  const online = useOnline()
  const asked = useQuery({ ...reopenQuery(useQueryClient(), shop, launchId), enabled: online })
  const remote = useQuery({ ...wizardQueries.draft(scope), enabled: online })
  const launch = asked.data?.launch
  const found = useMemo(
    () => asked.data && reopened(asked.data.launch, asked.data.listed, market),
    [asked.data, market],
  )
  const other = remote.data && mergeDrafts(store.read(), remote.data.draft)
  const [unkept, setUnkept] = useState(false)

  const open = (draft: Draft, replaced: Draft | null, faults: Reopened['faults'] = []): void => {
    if (!keepOpen(store, draft, replaced)) return setUnkept(true)
    onOpened({ draftId: draft.id, faults })
    router.history.replace(router.state.location.pathname)
    router.history.flush()
    openSteps(router, 1, draft.state.currentStep)
  }
  const openLaunch = (): void => {
    if (!found || !launch) return
    const { state, faults, notes } = found
    open({ id: newIdempotencyKey(), changedAt: new Date().toISOString(), state }, other ?? null, faults)
    const message = notes.join(' ')
    if (message) toast({ title: `Opened from “${launch.campaignName}”`, message, durationMs: readMs })
  }
  const problem = launch && problemOf(launch, market, found)
  const isFree = found && !problem && other === null
  const onFree = useEffectEvent(openLaunch)
  useEffect(() => {
    if (!isFree) return
    const timer = setTimeout(() => onFree(), 0)
    return () => clearTimeout(timer)
  }, [isFree])

  if (unkept)
    return <EmptyState title="This browser has no space for a draft" hint="Free up some space, then try again." />
  if (isNotFound(asked.error)) return <EmptyState {...notHere} />
  if (problem) return <EmptyState {...problem} />
  return (
    <QueryView
      query={{
        data: found && launch && other ? { launch, draft: other } : undefined,
        error: asked.error ?? remote.error,
        dataUpdatedAt: asked.dataUpdatedAt,
        refetch: () => Promise.all([asked.refetch(), remote.refetch()]),
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

const notHere = {
  title: 'Launch not found',
  hint: 'You can open a launch only for the merchant it was made for. Choose that merchant, then open it again.',
}

// Why a launch cannot be opened here; undefined where it can.
function problemOf(launch: Launch, market: MarketplaceFacts, found: Reopened | null | undefined) {
  const its = launch.asked?.marketplaceId
  if (its !== undefined && its !== market.id) {
    const place = marketplaceById(its)?.name ?? 'another marketplace'
    return {
      title: `“${launch.campaignName}” is a launch for ${place}`,
      hint: `Your current marketplace is ${market.name}. Choose ${place} as your marketplace, then open it again.`,
    }
  }
  if (launch.status === 'PENDING' || launch.status === 'IN_PROGRESS' || launch.undo === 'PENDING')
    return { title: `“${launch.campaignName}” is still running`, hint: 'Open it again when it has finished.' }
  if (found === null)
    return {
      title: `“${launch.campaignName}” can no longer be opened`,
      hint: 'It was launched with an older version of Tideline, and its settings can no longer be read. You can still see it in the log.',
    }
  return undefined
}

// True once the device has the draft as the one that is open. The one it replaces is thrown away everywhere.
function keepOpen(store: DraftStore, draft: Draft, replaced: Draft | null): boolean {
  const before = store.read()
  const sentAt = before.draft?.id === draft.id ? before.sentAt : null
  store.write({ draft, sentAt, discardedId: replaced?.id ?? before.discardedId })
  if (store.read().draft?.id !== draft.id) return false
  if (replaced) store.writeIntent(null)
  store.setOpenId(draft.id)
  return true
}

// An ASIN may be listed under several skus, each a row.
const pageSize = 200

async function listedNow(client: QueryClient, shop: Shop, asins: readonly string[]): Promise<InventoryProduct[]> {
  const listed: InventoryProduct[] = []
  for (let page = 0, pages = asins.length ? 1 : 0; page < pages; page += 1) {
    const filter = { page, size: pageSize, search: '', asins }
    const answer = await client.fetchQuery({ ...catalogueQueries.inventoryPage(shop, filter), staleTime: 0 })
    listed.push(...answer.content)
    pages = answer.page.totalPages
  }
  return listed
}

/** A launch with what it was asked for, and those of its products that are listed now; none for another marketplace's. */
function reopenQuery(client: QueryClient, shop: Shop, launchId: number) {
  return queryOptions({
    queryKey: ['wizard', 'reopen', shop, launchId],
    queryFn: async () => {
      const launch = await client.fetchQuery(launchQueries.asked(launchId))
      const isHere = launch.asked?.marketplaceId === shop.marketplaceId
      const products = (isHere && launch.asked?.payload?.products) || []
      return { launch, listed: await listedNow(client, shop, [...new Set(products.map(p => p.asin))]) }
    },
    retry: false,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    meta: { silent: true },
  })
}
