import { useQuery } from '@tanstack/react-query'
import { useEvents } from '#client/api/events.ts'
import {
  formatDay,
  formatMoney,
  formatMoment,
  formatPercent,
  formatTime,
  formatWeekday,
} from '#client/ui/figures/format.ts'
import { Card } from '#client/ui/lists/card.tsx'
import { ProgressBar } from '#client/ui/states/progress-bar.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import type { BudgetDay } from '../../budget-use.ts'
import type { campaignPageEndpoints } from '../../page-contract.ts'
import { campaignQueries } from '../queries.ts'

type Use = EndpointOutput<typeof campaignPageEndpoints.budgetUse>
const HOURS = 24

interface BudgetUseProps {
  campaignId: number
  /** The daily budget as it is now. */
  budget: number | null
  shop: Shop
}

/** How a campaign uses its budget: today, by the hour of a week, and the time lost without it. */
export function BudgetUse({ campaignId, budget, shop }: BudgetUseProps) {
  const query = useQuery(campaignQueries.budgetUse(shop, campaignId))
  // Who is notified that a budget is used up sees it here too.
  useEvents('/events', ({ event }) => event === 'notifications' && void query.refetch())
  return (
    <Card title="Budget use">
      <QueryView
        query={query}
        loading={{ rows: 1, kind: 'card', label: 'Loading the use of the budget' }}
        failedTitle="The use of the budget could not be loaded"
        staleTitle="The use of the budget could not be refreshed"
        offline={<p>The use of the budget was not saved on this device. It loads once you are online.</p>}
        empty={({ since }) =>
          since === null && (
            <p className="muted">
              Not known yet: the marketplace has not sent any hours for this account. It sends none from before.
            </p>
          )
        }
      >
        {use => <Week use={use} budget={budget} />}
      </QueryView>
    </Card>
  )
}

function Week({ use, budget }: { use: Use; budget: number | null }) {
  const { days, currency, timezone, since } = use
  const today = days.at(-1)
  const isFirst = since !== null && days.some(day => day.isPartial)
  // Days of before the first hour say nothing.
  const shown = days.filter(day => day.lostMinutes !== null || day.spent !== null)
  if (since !== null && days.every(day => day.spent === null))
    return (
      <p className="muted">
        No hours have arrived yet. The marketplace has sent them since {formatMoment(since, timezone)}, none from
        before.
      </p>
    )
  return (
    <>
      {today && <Today day={today} budget={budget} currency={currency} timezone={timezone} />}
      <div className="budget-week" aria-hidden="true">
        <div className="budget-hours">
          <span />
          <span>12 AM</span>
          <span>12 PM</span>
          <span />
        </div>
        {shown.toReversed().map(day => (
          <DayStrip key={day.date} day={day} currency={currency} isToday={day === today} />
        ))}
      </div>
      <p className="chart-note" aria-hidden="true">
        <span className="budget-key budget-key-spent" /> Spent
        <span className="budget-key budget-key-out" /> Out of budget
        <span className="budget-key budget-key-unknown" /> Not known
      </p>
      {isFirst && (
        <p className="chart-note">Hours are known since {formatMoment(since, timezone)}, none from before.</p>
      )}
      <WeekTable use={use} />
    </>
  )
}

interface DayProps {
  day: BudgetDay
  currency: string
}

function Today({ day, currency, budget, timezone }: DayProps & { budget: number | null; timezone: string }) {
  const { spent, outSince } = day
  if (spent === null) return <p className="muted">No figures for today yet.</p>
  const share = budget ? spent / budget : null
  return (
    <div className="budget-today">
      <p>
        <strong>{formatMoney(spent, currency)}</strong>
        {budget !== null && ` of ${formatMoney(budget, currency)}`} today
        {share !== null && ` (${formatPercent(share * 100, 0)})`}
      </p>
      {share !== null && <ProgressBar value={share} label="Budget used today" tone={outSince ? 'accent' : undefined} />}
      {outSince && <p className="budget-out">Out of budget since {formatTime(outSince, timezone)}</p>}
    </div>
  )
}

/** What is said of the time that a day lost. */
function lostText({ lostMinutes, isPartial }: BudgetDay, isToday: boolean): string {
  if (lostMinutes === null) return 'Not known'
  if (lostMinutes === 0) return isPartial ? '' : isToday ? 'In budget so far' : 'In budget all day'
  return `${isPartial ? 'At least ' : ''}${formatMinutes(lostMinutes)} lost`
}

function formatMinutes(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours > 0 && `${hours} h`, rest > 0 && `${rest} min`].filter(Boolean).join(' ')
}

// A day of a stronger and a weaker hour still shows both: the strongest hour has the full color.
function DayStrip({ day, currency, isToday }: DayProps & { isToday: boolean }) {
  const most = Math.max(...day.hours.map(({ cost }) => cost ?? 0))
  return (
    <div className="budget-day">
      <span>{formatWeekday(day.date)}</span>
      <span className="budget-strip">
        {day.hours.map(({ hour, cost, outMinutes }) => (
          <span
            key={hour}
            className={outMinutes >= 30 ? 'budget-hour-out' : cost === null ? 'budget-hour-unknown' : ''}
            style={{ '--share': most > 0 && cost !== null ? cost / most : 0 } as React.CSSProperties}
          />
        ))}
      </span>
      <span>
        {day.spent === null ? '–' : formatMoney(day.spent, currency)}
        <small className={day.lostMinutes ? 'budget-out' : ''}>{lostText(day, isToday)}</small>
      </span>
    </div>
  )
}

function WeekTable({ use: { days, currency, timezone } }: { use: Use }) {
  const amountText = (amount: number | null): string => (amount === null ? 'not known' : formatMoney(amount, currency))
  return (
    <div className="visually-hidden">
      <table>
        <caption>Use of the budget, day by day</caption>
        <thead>
          <tr>
            {['Day', 'Spent', 'Budget', 'Time out of budget', 'Most expensive hour'].map(label => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map(day => (
            <tr key={day.date}>
              <th scope="row">{formatDay(day.date)}</th>
              <td>{amountText(day.spent)}</td>
              <td>{amountText(day.budget)}</td>
              <td>
                {lostText(day, day === days.at(-1)) || 'None known'}
                {day.outSince && `, since ${formatTime(day.outSince, timezone)}`}
              </td>
              <td>{dearestHour(day, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function dearestHour({ hours }: BudgetDay, currency: string): string {
  const [first] = hours
    .filter(({ cost }) => cost !== null && cost > 0)
    .toSorted((a, b) => (b.cost ?? 0) - (a.cost ?? 0))
  return first
    ? `${first.hour} to ${(first.hour + 1) % HOURS} o’clock, ${formatMoney(first.cost ?? 0, currency)}`
    : 'none'
}
