import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatMoney, formatPercent, formatTime } from '#client/ui/figures/format.ts'
import { Card } from '#client/ui/lists/card.tsx'
import { ProgressBar } from '#client/ui/states/progress-bar.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import type { homeEndpoints } from '../contract.ts'
import { thresholds } from '../thresholds.ts'
import { homeQueries } from './queries.ts'

type Budgets = EndpointOutput<typeof homeEndpoints.budgets>
type Today = NonNullable<Budgets['today']>
type CampaignBudget = Today['campaigns'][number]

const mostShown = 5

/** Today's budgets: which campaigns run out, when, and what the day and the month will cost. */
export function BudgetsCard({ shop }: { shop: Shop }) {
  const query = useQuery(homeQueries.budgets(shop))
  return (
    <QueryView
      query={query}
      loading={{ rows: 4, label: 'Loading today’s budgets' }}
      failedTitle="Today’s budgets could not be loaded"
      staleTitle="Today’s budgets could not be refreshed"
    >
      {budgets => (
        <div className="budgets">
          <Card title="Today’s budgets">
            {budgets.today ? (
              <TodaysBudgets budgets={budgets} today={budgets.today} />
            ) : (
              <p className="muted">No figures for today yet.</p>
            )}
            <Month budgets={budgets} />
          </Card>
        </div>
      )}
    </QueryView>
  )
}

function TodaysBudgets({ budgets, today }: { budgets: Budgets; today: Today }) {
  const { currency, timezone, asOf } = budgets
  const { total, count, campaigns } = today
  const shown = campaigns.slice(0, mostShown)
  const isByClock = total.curve === 'CLOCK' || shown.some(({ curve }) => curve === 'CLOCK')
  return (
    <>
      <p className="budgets-total">
        <strong>{formatMoney(total.spent, currency)}</strong> of {formatMoney(total.budget, currency)} a day in{' '}
        {count === 1 ? '1 campaign' : `${count} campaigns`}
        {total.projected !== null && <>, about {formatMoney(total.projected, currency)} by midnight at this pace</>}
      </p>
      <ProgressBar value={total.budget ? total.spent / total.budget : 0} label="Share of all budgets spent today" />
      {shown.length ? (
        <ul className="budget-rows">
          {shown.map(row => (
            <BudgetRow key={row.campaignId} row={row} currency={currency} timezone={timezone} />
          ))}
        </ul>
      ) : (
        <p className="budgets-well">
          No campaign {today.source === 'HOURS' ? 'is on its way to' : 'has used'} {thresholds.nearBudgetPercent}% of
          its budget {today.source === 'HOURS' ? 'today' : 'yet'}.
        </p>
      )}
      {campaigns.length > mostShown && (
        <p className="card-note">And {campaigns.length - mostShown} more that are close to their budgets.</p>
      )}
      <p className="card-note">
        {asOf && `Spend until ${formatTime(asOf, timezone)}${today.source === 'DAYS' ? ', the last import' : ''}. `}
        {today.source === 'HOURS' ? paceNote(isByClock) : 'Today’s hours have not arrived, so there is no pace.'}
      </p>
    </>
  )
}

const paceNote = (isByClock: boolean): string =>
  isByClock
    ? 'The pace follows the hours of the last 28 days, or the clock where there is less than a week of hours.'
    : 'The pace follows the hours of the last 28 days.'

interface BudgetRowProps {
  row: CampaignBudget
  currency: string
  timezone: string
}

function BudgetRow({ row, currency, timezone }: BudgetRowProps) {
  const { campaignId, name, budget, spent, expected } = row
  const share = spent / budget
  return (
    <li className="budget-row">
      <div className="budget-row-name">
        <Link to={'/campaigns' as string} search={{ campaign: campaignId }}>
          {name}
        </Link>
        <span>
          {formatMoney(spent, currency)} of {formatMoney(budget, currency)} ({formatPercent(share * 100, 0)})
        </span>
      </div>
      <ProgressBar value={share} label={`Budget of ${name} used`} tone={row.outSince ? 'danger' : 'accent'} />
      <p className="budget-row-end">
        <strong>{endOf(row, timezone)}</strong>
        {expected !== null && ` ${formatMoney(expected, currency)} was expected by now.`}
      </p>
    </li>
  )
}

/** When the budget ends, and how much of the day is lost by it. */
function endOf(
  { expected, outSince, endsAt, lostMinutes, lostMinutesAhead }: CampaignBudget,
  timezone: string,
): string {
  if (outSince)
    return `Out of budget since ${formatTime(outSince, timezone)}${lostMinutes ? `, ${formatMinutes(lostMinutes)} lost so far` : ''}.`
  if (endsAt)
    return `Will be used up at about ${formatTime(endsAt, timezone)}: ${formatMinutes(lostMinutesAhead)} without ads.`
  if (expected === null) return 'Close to its budget.'
  return lostMinutes ? `Lasts the rest of the day; ${formatMinutes(lostMinutes)} lost so far.` : 'Lasts the day.'
}

function formatMinutes(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(' ')
}

function Month({ budgets: { month, currency } }: { budgets: Budgets }) {
  const { spent, average, daysLeft, projected } = month
  return (
    <p className="budgets-month">
      <strong>
        {projected === null
          ? `This month: ${formatMoney(spent, currency)} so far`
          : `This month: about ${formatMoney(projected, currency)}`}
      </strong>
      {projected !== null && average !== null && (
        <small>
          {formatMoney(spent, currency)} until yesterday, plus {formatMoney(average, currency)} a day for{' '}
          {daysLeft === 1 ? 'the day' : `the ${daysLeft} days`} left: the average of the last seven settled days
        </small>
      )}
    </p>
  )
}
