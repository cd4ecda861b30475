import './detail.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useToday } from '#client/api/server-clock.ts'
import { formatFullDay, formatMoney, formatNumber } from '#client/ui/figures/format.ts'
import { Card } from '#client/ui/lists/card.tsx'
import { useSheetAddress } from '#client/ui/overlays/use-sheet-address.ts'
import { Button } from '#client/ui/states/button.tsx'
import { type Shop, useMayChange } from '#features/accounts/client/public.ts'
import type { Campaign } from '#features/structure/contract.ts'
import { timezoneOfMarketplace } from '#shared/marketplace-timezones.ts'
import { servingOf } from '#shared/serving-status.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { isUsedUp } from '../../budget-use.ts'
import type { WastingTarget } from '../../page-contract.ts'
import { useEditableRow, useWithPending } from '../edit/editable-row.tsx'
import { useEdit } from '../edit/use-edit.ts'
import { matchWords } from '../form/field-labels.ts'
import { targetText } from '#shared/target-text.ts'
import { campaignQueries } from '../queries.ts'

const SOON_DAYS = 7
const fewKeywords = 3

/** What a campaign needs: rejected changes, ads that are not shown, an end that is near, and keywords that only cost. */
export function CampaignNeeds({ stored, shop }: { stored: Campaign; shop: Shop }) {
  const { shown } = useWithPending('campaign', stored)
  const own = useCampaignNeeds(useServing(shown, shop), shop)
  const wasting = useWasting(shop, stored.id)
  return <Needs items={[...own, ...wasting.map(row => <WastingKeyword key={row.id} stored={row} />)]} />
}

// Few, so that each gets its decision; and none while there is nothing to decide.
export function Needs({ items, aside }: { items: readonly ReactNode[]; aside?: ReactNode }) {
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

export function Need({ title, children, action }: NeedProps) {
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

const outOfBudget = 'CAMPAIGN_OUT_OF_BUDGET'

/**
 * A campaign with what stops it by now: its status was read with the campaign, perhaps yesterday, and the use of its budget is
 * reported as it happens.
 */
export function useServing<C extends Campaign>(row: C, shop: Shop): C {
  const { data: use } = useQuery(campaignQueries.budgetUse(shop, row.id))
  const { state, budget, servingStatus } = row
  const isOut = state === 'ENABLED' && budget !== null && use ? isUsedUp(use, budget) : null
  if (isOut === false && servingStatus === outOfBudget) return { ...row, servingStatus: null }
  return isOut && !isStopped(row) ? { ...row, servingStatus: outOfBudget } : row
}

export function isStopped({ state, servingStatus }: Campaign): boolean {
  const serving = servingOf(servingStatus)
  return state === 'ENABLED' && serving !== null && serving.kind !== 'RUNS'
}

export const isOutOfBudget = ({ servingStatus }: Campaign): boolean => servingStatus === outOfBudget

/** A running campaign whose ads are not shown, and why. */
export function Stopped({ row, title, onRaise }: { row: Campaign; title?: ReactNode; onRaise: () => void }) {
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
export function useWasting(shop: Shop, campaignId?: number): WastingTarget[] {
  const { data } = useQuery(campaignQueries.wasting(shop, campaignId))
  return (data?.content ?? []).filter(row => row.state === 'ENABLED').slice(0, fewKeywords)
}

/** A keyword or target that cost money and brought no order, with one tap to pause it. */
export function WastingKeyword({ stored, isNamed = false }: { stored: WastingTarget; isNamed?: boolean }) {
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
