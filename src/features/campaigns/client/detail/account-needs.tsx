import { useInfiniteQuery, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { alertCircleOutline } from 'ionicons/icons'
import { type ReactNode, useState } from 'react'
import { useEvents } from '#client/api/events.ts'
import { useOnline } from '#client/api/online.ts'
import { formatMoney, formatNumber } from '#client/ui/figures/format.ts'
import { Card } from '#client/ui/lists/card.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { Notice, Skeleton } from '#client/ui/states/state-views.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import { notificationQueries } from '#features/notifications/client/public.ts'
import type { AppNotification } from '#features/notifications/contract.ts'
import type { Campaign } from '#features/structure/contract.ts'
import { servingOf } from '#shared/serving-status.ts'
import { useWithPending } from '../edit/editable-row.tsx'
import { campaignQueries } from '../queries.ts'
import { BudgetSheet } from './budget-sheet.tsx'
import { isStopped, Need, Needs, Stopped, useWasting, WastingKeyword } from './needs-now.tsx'

const fewCampaigns = 3
const fewDecisions = 3

/**
 * What needs somebody, for Home: the most urgent decisions, which the deck has all of, and below them what all campaigns need
 * by the money at stake, which is what each cost in its days. What a notification is about is there alone, decided or not.
 * `children` stand below, in their place only once it is known how much stands above them.
 */
export function AccountNeeds({ shop, children }: { shop: Shop; children?: ReactNode }) {
  const client = useQueryClient()
  const { open, notified, queries, isKnown, isSettled } = useDecisions()
  const stopped = useInfiniteQuery(
    campaignQueries.campaigns(shop, { serving: 'STOPPED', state: 'ENABLED', sortBy: 'cost', sortDir: 'desc' }),
  )
  const refresh = () => client.invalidateQueries({ queryKey: campaignQueries.all })
  useEvents('/events', event => (event.event === 'campaigns' || event.event === 'figures') && void refresh())
  const rows = (stopped.data?.pages[0]?.content ?? [])
    .filter(row => needsSomeone(row) && !notified.has(row.id))
    .slice(0, fewCampaigns)
  const wasting = useWasting(shop)
  const wastingQuery = useQuery(campaignQueries.wasting(shop))
  const hasChecked = wastingQuery.data?.days != null && stopped.isSuccess && isKnown
  const items = [
    ...rows.map(row => ({ cost: row.cost, node: <StoppedCampaign key={`c${row.id}`} row={row} shop={shop} /> })),
    ...wasting.map(row => ({ cost: row.cost, node: <WastingKeyword key={row.id} stored={row} isNamed /> })),
  ].toSorted((a, b) => b.cost - a.cost)
  const decisions = open.slice(0, fewDecisions).map(one => <Decision key={`n${one.id}`} one={one} shop={shop} />)
  const isReady = isSettled && hasSettled(stopped) && hasSettled(wastingQuery)
  const failed = [...queries, stopped, wastingQuery].filter(({ isError, data }) => isError && data === undefined)
  return (
    <>
      {!isReady ? (
        <Skeleton rows={2} label="Loading what needs you" />
      ) : hasChecked && !items.length && !decisions.length ? (
        <AllWell />
      ) : (
        <Needs items={[...decisions, ...items.map(({ node }) => node)]} aside={<ToDeck count={open.length} />} />
      )}
      {isReady && failed.length > 0 && <NotAllChecked queries={failed} />}
      <div hidden={!isReady}>{children}</div>
    </>
  )
}

/** What needs somebody may be missing, which must not look as if nothing did. Offline the frame says it. */
function NotAllChecked({ queries }: { queries: readonly Pick<UseQueryResult, 'isFetching' | 'refetch'>[] }) {
  if (!useOnline()) return null
  return (
    <Notice
      icon={alertCircleOutline}
      action={
        <Button
          busy={queries.some(({ isFetching }) => isFetching)}
          busyLabel="Trying again…"
          onClick={() => void Promise.all(queries.map(({ refetch }) => refetch()))}
        >
          Try again
        </Button>
      }
    >
      <strong>What needs you could not be checked in full</strong>
    </Notice>
  )
}

/** Whether it will show nothing more by itself: it has its answer, failed, or waits for the network. */
const hasSettled = ({ isPending, fetchStatus }: Pick<UseQueryResult, 'isPending' | 'fetchStatus'>): boolean =>
  !isPending || fetchStatus !== 'fetching'

/** The open decisions, and the campaigns that notifications are about which are not over. */
function useDecisions() {
  const open = useQuery(notificationQueries.open())
  const list = useInfiniteQuery(notificationQueries.list({ unread: false }))
  const latest = list.data?.pages[0]?.content.filter(one => one.status !== 'NEWS' && one.status !== 'SETTLED') ?? []
  const all = [...(open.data?.content ?? []), ...latest]
  return {
    open: open.data?.content ?? [],
    queries: [open, list],
    notified: new Set(all.flatMap(one => one.campaign?.id ?? [])),
    isKnown: open.isSuccess && list.isSuccess,
    isSettled: hasSettled(open) && hasSettled(list),
  }
}

function Decision({ one, shop }: { one: AppNotification; shop: Shop }) {
  const { id, title, body, stake, merchant } = one
  const isElsewhere = merchant !== null && merchant.id !== shop.merchantId
  return (
    <Need
      title={
        <Link to={'/notifications' as string} search={{ id }}>
          {title}
        </Link>
      }
    >
      {[isElsewhere && merchant.name, stake && `${formatMoney(stake.amount, stake.currency)} at stake`, body]
        .filter(Boolean)
        .join(' · ')}
    </Need>
  )
}

function ToDeck({ count }: { count: number }) {
  if (count === 0) return null
  return <Link to={'/notifications' as string}>{count === 1 ? 'Decide it' : `Decide all ${formatNumber(count)}`}</Link>
}

/** Nothing to decide, and what was looked at to say so. */
function AllWell() {
  return (
    <div className="needs">
      <Card title="Nothing needs you now">
        <p className="need-reason">
          No running campaign is stopped or out of budget. No keyword or target with enough clicks to be sure has cost
          money without an order in the last 30 settled days.
        </p>
      </Card>
    </div>
  )
}

function StoppedCampaign({ row, shop }: { row: Campaign; shop: Shop }) {
  const { shown } = useWithPending('campaign', row)
  const [isRaising, setRaising] = useState(false)
  const link = (
    <Link to={'/campaigns' as string} search={{ campaign: row.id }}>
      {row.name}
    </Link>
  )
  return (
    <>
      {isStopped(shown) && <Stopped row={shown} title={link} onRaise={() => setRaising(true)} />}
      {isRaising && <BudgetSheet row={shown} shop={shop} onClose={() => setRaising(false)} />}
    </>
  )
}

// The others end by themselves: a review, or the first day.
const needsSomeone = (row: Campaign): boolean =>
  isStopped(row) &&
  servingOf(row.servingStatus)?.kind !== 'REVIEW' &&
  !row.servingStatus?.endsWith('PENDING_START_DATE')
