import './budget-rescue.css'
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { failureMessage } from '#client/api/api-error.ts'
import { newIdempotencyKey } from '#client/api/build-request.ts'
import { call } from '#client/api/call.ts'
import { useOnline } from '#client/api/online.ts'
import { formatDayRange, formatMoney, formatTime } from '#client/ui/figures/format.ts'
import { Card } from '#client/ui/lists/card.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { type Shop, shopText, useMayChange } from '#features/accounts/client/public.ts'
import { budgetRescueEndpoints as endpoints, type RescueAdvice } from '../contract.ts'
import { rescueQueries, useAdvice } from './queries.ts'
import { missedText, raiseText } from './texts.ts'

interface BudgetRescueProps {
  campaignId: number
  shop: Shop
  /** Whether the campaign's page says that today's budget is used up. */
  isOut: boolean
}

/** A campaign's budget for today alone: one tap to raise it, or when the raise ends. Nothing where neither is of use. */
export function BudgetRescue({ campaignId, shop, isOut }: BudgetRescueProps) {
  const { data } = useAdvice(shop, campaignId)
  const mayChange = useMayChange()
  if (!data) return null
  if (data.rescue) return <Raised advice={data} rescue={data.rescue} campaignId={campaignId} shop={shop} />
  const { recommended, budget, ended, isUsedUp } = data
  const isNeeded = isOut || isUsedUp || (recommended !== null && recommended.source !== 'STEP')
  if (isNeeded && mayChange && recommended && budget !== null)
    return <Offer advice={data} to={recommended.budget} from={budget} campaignId={campaignId} shop={shop} />
  if (ended?.outcome !== 'LEFT' || budget === null) return null
  return (
    <p className="rescue-note">
      The raise for one day is over. The budget was left at {formatMoney(budget, data.currency)}, because it was changed
      meanwhile.
    </p>
  )
}

type Changed = { groupId: string | null }

/** Calls, and shows what became of it on every screen with the campaign. */
function useChange(title: string, send: () => Promise<Changed>, undo?: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: () => void toast({ title, tone: 'success', ...(undo && { action: { label: 'Undo', onSelect: undo } }) }),
    onError: error =>
      void toast({ title: 'The budget was not changed', message: failureMessage(error), tone: 'danger' }),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: rescueQueries.all })
      void client.invalidateQueries({ predicate: query => query.meta?.figures === true })
    },
    meta: { silent: true },
  })
}

interface Place {
  advice: RescueAdvice
  campaignId: number
  shop: Shop
}

const useRevert = ({ campaignId, shop }: Omit<Place, 'advice'>) =>
  useChange('Today’s budget is back', () =>
    call(endpoints.revertRaise, { params: { id: campaignId } }, { shop: shopText(shop) }),
  )

function Offer({ advice, to, from, campaignId, shop }: Place & { to: number; from: number }) {
  const revert = useRevert({ campaignId, shop })
  const { title, effect } = raiseText(advice, to)
  const raise = useChange(
    `Today’s budget is ${formatMoney(to, advice.currency)}`,
    () =>
      call(
        endpoints.raise,
        { params: { id: campaignId }, body: { budget: to, from } },
        { shop: shopText(shop), idempotencyKey: newIdempotencyKey() },
      ),
    () => revert.mutate(),
  )
  return (
    <Card title="Today’s budget">
      <p className="rescue-why">{whyOf(advice)}</p>
      <Missed advice={advice} />
      <Act change={raise} label={title} />
      <p className="rescue-effect">{effect}</p>
    </Card>
  )
}

const whys: Record<NonNullable<RescueAdvice['recommended']>['source'], string> = {
  MARKETPLACE: 'The marketplace recommends this budget by the last 7 days.',
  PACE: 'At the pace of its hours until now, today needs this budget.',
  STEP: 'The budget of today is used up.',
}
const whyOf = ({ recommended }: RescueAdvice): string => whys[recommended?.source ?? 'STEP']

function Missed({ advice }: { advice: RescueAdvice }) {
  const { missedBefore, currency } = advice
  const today = missedText(advice)
  return (
    <>
      {today && <p className="rescue-missed">{today}</p>}
      {missedBefore && (
        <p className="rescue-source">
          {formatMoney(missedBefore.low, currency)} to {formatMoney(missedBefore.high, currency)} of sales were missed
          by {formatDayRange(missedBefore.from, missedBefore.to)}, as the marketplace estimates.
        </p>
      )}
    </>
  )
}

function Raised({ advice, rescue, campaignId, shop }: Place & { rescue: NonNullable<RescueAdvice['rescue']> }) {
  const mayChange = useMayChange()
  const revert = useRevert({ campaignId, shop })
  const { currency, timezone } = advice
  const before = formatMoney(rescue.before, currency)
  return (
    <Card title="Today’s budget">
      <p className="rescue-missed">
        Raised from {before} to {formatMoney(rescue.budget, currency)} for today
      </p>
      <p className="rescue-source">
        {rescue.by ? `By ${rescue.by} at` : 'At'} {formatTime(rescue.since, timezone)}. It goes back to {before} by
        itself at midnight.
      </p>
      {mayChange && <Act change={revert} label={`Go back to ${before} now`} isQuiet />}
    </Card>
  )
}

interface ActProps {
  change: UseMutationResult<Changed, Error, void>
  label: string
  isQuiet?: boolean
}

// A budget for today that is sent later may be a budget for another day.
function Act({ change, label, isQuiet = false }: ActProps) {
  const online = useOnline()
  return (
    <>
      <Button
        tone={isQuiet ? 'quiet' : 'accent'}
        block
        busy={change.isPending}
        busyLabel="Changing the budget…"
        disabled={!online}
        onClick={() => change.mutate()}
      >
        {label}
      </Button>
      {!online && <p className="rescue-source">Today’s budget can be changed once you are online.</p>}
    </>
  )
}
