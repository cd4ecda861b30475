import './detail.css'
import { useInfiniteQuery, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useEvents } from '#client/api/events.ts'
import { useToday } from '#client/api/server-clock.ts'
import { formatFullDay, formatMoney, formatNumber } from '#client/ui/figures/format.ts'
import { Card } from '#client/ui/lists/card.tsx'
import { useSheetAddress } from '#client/ui/overlays/use-sheet-address.ts'
import { Button } from '#client/ui/states/button.tsx'
import { Skeleton } from '#client/ui/states/state-views.tsx'
import { type Shop, useMayChange } from '#features/accounts/client/public.ts'
import { notificationQueries } from '#features/notifications/client/public.ts'
import type { AppNotification } from '#features/notifications/contract.ts'
import type { Campaign } from '#features/structure/contract.ts'
import { timezoneOfMarketplace } from '#shared/marketplace-timezones.ts'
import { servingOf } from '#shared/serving-status.ts'
import { addDays, dayIn } from '#shared/time.ts'
import type { WastingTarget } from '../../page-contract.ts'
import { useEditableRow, useWithPending } from '../edit/editable-row.tsx'
import { useEdit } from '../edit/use-edit.ts'
import { matchWords } from '../form/field-labels.ts'
import { targetText } from '#shared/target-text.ts'
import { campaignQueries } from '../queries.ts'
import { BudgetSheet } from './budget-sheet.tsx'

const SOON_DAYS = 7
const fewKeywords = 3
const fewCampaigns = 3
const fewDecisions = 3

/** What a campaign needs: rejected changes, ads that are not shown, an end that is near, and keywords that only cost. */
export function CampaignNeeds({ stored, shop }: { stored: Campaign; shop: Shop }) {
  const { shown } = useWithPending('campaign', stored)
  const own = useCampaignNeeds(shown, shop)
  const wasting = useWasting(shop, stored.id)
  return <Needs items={[...own, ...wasting.map(row => <WastingKeyword key={row.id} stored={row} />)]} />
}

/**
 * What needs somebody, for Home: the most urgent decisions, which the deck has all of, and below them what all campaigns need
 * by the money at stake, which is what each cost in its days. What a notification is about is there alone, decided or not.
 * `children` stand below, in their place only once it is known how much stands above them.
 */
export function AccountNeeds({ shop, children }: { shop: Shop; children?: ReactNode }) {
  const client = useQueryClient()
  const { open, notified, isKnown, isSettled } = useDecisions()
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
  return (
    <>
      {!isReady ? (
        <Skeleton rows={2} label="Loading what needs you" />
      ) : hasChecked && !items.length && !decisions.length ? (
        <AllWell />
      ) : (
        <Needs items={[...decisions, ...items.map(({ node }) => node)]} aside={<ToDeck count={open.length} />} />
      )}
      <div hidden={!isReady}>{children}</div>
    </>
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

// Few, so that each gets its decision; and none while there is nothing to decide.
function Needs({ items, aside }: { items: readonly ReactNode[]; aside?: ReactNode }) {
  if (!items.length) return null
  return (
    <div className="needs">
      <Card title="Needs you now" aside={aside}>
        <ul>{items}</ul>
      </Card>
    </div>
  )
}

interface NeedProps {
  title: ReactNode
  children: ReactNode
  /** What settles it, in one tap. */
  action?: ReactNode
}

function Need({ title, children, action }: NeedProps) {
  const mayChange = useMayChange()
  return (
    <li className="need">
      <div>
        <p className="need-title">{title}</p>
        <p className="need-reason">{children}</p>
      </div>
      {mayChange && action}
    </li>
  )
}

function useCampaignNeeds(row: Campaign, shop: Shop): ReactNode[] {
  // The page's own sheet, see `CampaignActions`.
  const { open } = useSheetAddress('sheet')
  const today = useToday(at => dayIn(at, timezoneOfMarketplace(shop.marketplaceId)))
  if (row.state === 'ARCHIVED') return []
  const needs: ReactNode[] = []
  if (row.syncState === 'FAILED')
    needs.push(
      <Need key="rejected" title="Your last change was rejected" action={<EditLink row={row} label="Edit" />}>
        {row.syncError ?? 'The marketplace did not accept it.'}
      </Need>,
    )
  if (isStopped(row)) needs.push(<Stopped key="stopped" row={row} onRaise={() => open({ sheet: 'budget' })} />)
  if (
    row.state === 'ENABLED' &&
    row.endDate !== null &&
    row.endDate >= today &&
    row.endDate <= addDays(today, SOON_DAYS)
  )
    needs.push(<Ending key="ending" row={row} endDate={row.endDate} isToday={row.endDate === today} />)
  if (row.state === 'ENABLED' && row.endDate !== null && row.endDate < today && !isStopped(row))
    needs.push(
      <Need key="ended" title={`Ended on ${formatFullDay(row.endDate)}`} action={<EditLink row={row} label="Edit" />}>
        Choose a later last day to run its ads again.
      </Need>,
    )
  return needs
}

function isStopped({ state, servingStatus }: Campaign): boolean {
  const serving = servingOf(servingStatus)
  return state === 'ENABLED' && serving !== null && serving.kind !== 'RUNS'
}

// The others end by themselves: a review, or the first day.
const needsSomeone = (row: Campaign): boolean =>
  isStopped(row) &&
  servingOf(row.servingStatus)?.kind !== 'REVIEW' &&
  !row.servingStatus?.endsWith('PENDING_START_DATE')

const isOutOfBudget = ({ servingStatus }: Campaign): boolean => servingStatus === 'CAMPAIGN_OUT_OF_BUDGET'

/** A running campaign whose ads are not shown, and why. */
function Stopped({ row, title, onRaise }: { row: Campaign; title?: ReactNode; onRaise: () => void }) {
  const serving = servingOf(row.servingStatus, 'The campaign')
  const isOut = isOutOfBudget(row)
  const canEdit = isOut || serving?.kind === 'OFF'
  return (
    <Need
      title={title ?? (isOut ? 'Out of budget' : 'Ads are not shown')}
      action={
        isOut ? <RaiseButton name={row.name} onSelect={onRaise} /> : canEdit && <EditLink row={row} label="Edit" />
      }
    >
      {serving?.reason}
    </Need>
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

const RaiseButton = ({ name, onSelect }: { name: string; onSelect: () => void }) => (
  <Button onClick={onSelect}>
    Raise<span className="visually-hidden"> budget of {name}</span>
  </Button>
)

function EditLink({ row, label }: { row: Campaign; label: string }) {
  return (
    <Link to={`/campaign-edit/${row.amazonId}` as string} className="button button-quiet">
      {label}
      <span className="visually-hidden"> {row.name}</span>
    </Link>
  )
}

function Ending({ row, endDate, isToday }: { row: Campaign; endDate: string; isToday: boolean }) {
  const { make, isPending } = useEdit('campaign')
  const { id, name, version, currency } = row
  const run = (): void => {
    const edit = { kind: 'campaign' as const, id, name, version, set: { endDate: null }, was: { endDate } }
    void make({ edit, title: 'Last day removed', currency, href: `/campaigns?campaign=${id}` }).catch(() => undefined)
  }
  return (
    <Need
      title={isToday ? 'Ends today' : `Ends on ${formatFullDay(endDate)}`}
      action={
        <Button busy={isPending} onClick={run}>
          Keep running<span className="visually-hidden"> {name} without a last day</span>
        </Button>
      }
    >
      Its ads stop after its last day.
    </Need>
  )
}

/** The running keywords that only cost, of a campaign or of all, as the user wants them. */
function useWasting(shop: Shop, campaignId?: number): WastingTarget[] {
  const { data } = useQuery(campaignQueries.wasting(shop, campaignId))
  return (data?.content ?? []).filter(row => row.state === 'ENABLED').slice(0, fewKeywords)
}

/** A keyword or target that cost money and brought no order, with one tap to pause it. */
function WastingKeyword({ stored, isNamed = false }: { stored: WastingTarget; isNamed?: boolean }) {
  const kind = stored.kind === 'KEYWORD' ? 'keyword' : 'target'
  const { row, name, note, next, switchState } = useEditableRow(kind, stored, target => ({
    name: targetText(target),
    href: `/adgroup-details?adGroupId=${target.adGroupId}`,
  }))
  const clicks = formatNumber(row.clicks)
  return (
    <Need
      title={
        <Link
          to={'/adgroup-details' as string}
          search={{ adGroupId: row.adGroupId, tab: kind === 'keyword' ? 'keywords' : 'targets' }}
        >
          {name}
          {kind === 'keyword' && ` (${matchWords(row.matchType).toLowerCase()})`}
        </Link>
      }
      action={
        next === 'PAUSED' && (
          <Button onClick={switchState}>
            Pause<span className="visually-hidden"> {name}</span>
          </Button>
        )
      }
    >
      {isNamed && `${row.campaignName}: `}
      {formatMoney(row.cost, row.currency)} for {clicks} clicks and no order in 30 days
      {note}
    </Need>
  )
}
