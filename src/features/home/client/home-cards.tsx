import { lazy, type ReactNode, Suspense, useState } from 'react'
import { formatDay, formatDayRange, formatFigureShort } from '#client/ui/figures/format.ts'
import { Metric, Sparkline } from '#client/ui/figures/figure.tsx'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { addDays, daysBetween } from '#shared/time.ts'
import type { DashboardCard, homeEndpoints } from '../contract.ts'
import { textOfCard, unitOf } from '../cards.ts'

const loadSheet = () => import('./card-sheet.tsx')
const CardSheet = lazy(() => loadSheet().then(m => ({ default: m.CardSheet })))

interface HomeCardsProps {
  data: EndpointOutput<typeof homeEndpoints.cards>
  today: string
  /** What stands at the end of the note below the cards. */
  children?: ReactNode
}

export function HomeCards({ data, today, children }: HomeCardsProps) {
  const [explained, setExplained] = useState<DashboardCard['metric']>()
  const [open, setOpen] = useState(false)
  const card = data.cards.find(({ metric }) => metric === explained)
  const days = daysBetween(data.dateFrom, data.dateTo) + 1
  const over = daysOver(data)
  return (
    <>
      <div className="card-grid home-cards">
        {data.cards.map(one => (
          <HomeCard
            key={one.metric}
            card={one}
            currency={data.currency}
            period={`the ${over} days before`}
            over={over}
            days={days}
            onExplain={() => {
              setExplained(one.metric)
              setOpen(true)
            }}
          />
        ))}
      </div>
      <div className="compared-note">
        <ComparedNote data={data} />
        {children}
      </div>
      {card && (
        <Suspense>
          <CardSheet open={open} card={card} data={data} today={today} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** How many days of the range were over when they were imported. */
function daysOver({ dateFrom, dateTo, comparedTo }: HomeCardsProps['data']): number {
  // Figures that an earlier version of the app saved do not say.
  const to = comparedTo === undefined ? dateTo : comparedTo
  return to === null ? 0 : daysBetween(dateFrom, to) + 1
}

/** The band in which a figure will end; null where it is so narrow that it reads as one number. */
function bandText(card: DashboardCard, currency: string): string | null {
  const { band } = card
  // Figures that an earlier version of the app saved have none.
  if (!band) return null
  const [low, high] = [band.low, band.high].map(value => formatFigureShort(value, unitOf(card), currency))
  return low === high ? null : `${low} – ${high}`
}

/** What the changes compare: like with like. */
function ComparedNote({ data }: Pick<HomeCardsProps, 'data'>) {
  const { dateFrom, dateTo, comparedTo, previousFrom, previousTo } = data
  if (!comparedTo || !previousFrom || !previousTo)
    return <p>No day of this range is over yet, so there is no change to show.</p>
  return (
    <p>
      Changes compare {formatDayRange(dateFrom, comparedTo)} with {formatDayRange(previousFrom, previousTo)}.
      {data.cards.some(card => bandText(card, data.currency)) &&
        ' “Likely” is the range in which a figure settles in nine of ten cases: orders of recent days still arrive.'}
      {comparedTo < dateTo &&
        ` ${formatDay(addDays(comparedTo, 1))} is not over: it counts in the figures, but not in changes and lines.`}
    </p>
  )
}

interface HomeCardProps {
  card: DashboardCard
  currency: string
  period: string
  /** How many of its days are over. */
  over: number
  days: number
  onExplain: () => void
}

function HomeCard({ card, currency, period, over, days, onExplain }: HomeCardProps) {
  const { label, better } = textOfCard(card.metric)
  const line = card.sparkline.slice(0, over)
  const band = bandText(card, currency)
  return (
    <section className="card home-card">
      <Metric
        label={
          <button
            type="button"
            className="home-card-button"
            aria-haspopup="dialog"
            onPointerDown={() => void loadSheet()}
            onClick={onExplain}
          >
            <span>{label}</span>
            <span className="visually-hidden">explained</span>
          </button>
        }
        value={card.value}
        kind={unitOf(card)}
        currency={currency}
        before={card.previous}
        compared={card.compared}
        good={better}
        period={period}
        still
        {...(card.unknownBecause && { reason: card.unknownBecause })}
      >
        {band && <p className="card-note home-band">Likely {band}</p>}
        {card.note && <p className="card-note">{card.note}</p>}
        {card.value === null && card.unknownBecause && (
          <p className="card-note" aria-hidden="true">
            {card.unknownBecause}
          </p>
        )}
        {line.length > 1 && (
          <Sparkline
            values={line}
            label={`${label}, day by day${over < days ? ', without days that are not over' : ''}`}
          />
        )}
      </Metric>
    </section>
  )
}
