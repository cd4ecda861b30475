import { lazy, Suspense, useState } from 'react'
import { Metric, Sparkline } from '#client/ui/figures/figure.tsx'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { daysBetween } from '#shared/time.ts'
import type { DashboardCard, homeEndpoints } from '../contract.ts'
import { textOfCard, unitOf } from '../cards.ts'

const loadSheet = () => import('./card-sheet.tsx')
const CardSheet = lazy(() => loadSheet().then(m => ({ default: m.CardSheet })))

interface HomeCardsProps {
  data: EndpointOutput<typeof homeEndpoints.cards>
  today: string
}

export function HomeCards({ data, today }: HomeCardsProps) {
  const [explained, setExplained] = useState<DashboardCard['metric']>()
  const [open, setOpen] = useState(false)
  const card = data.cards.find(({ metric }) => metric === explained)
  const days = daysBetween(data.dateFrom, data.dateTo) + 1
  return (
    <>
      <div className="card-grid home-cards">
        {data.cards.map(one => (
          <HomeCard
            key={one.metric}
            card={one}
            currency={data.currency}
            period={`the ${days} days before`}
            running={data.dateTo >= today}
            onExplain={() => {
              setExplained(one.metric)
              setOpen(true)
            }}
          />
        ))}
      </div>
      {card && (
        <Suspense>
          <CardSheet open={open} card={card} data={data} today={today} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

interface HomeCardProps {
  card: DashboardCard
  currency: string
  period: string
  running: boolean
  onExplain: () => void
}

function HomeCard({ card, currency, period, running, onExplain }: HomeCardProps) {
  const { label, better } = textOfCard(card.metric)
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
        good={better}
        period={period}
        still
        {...(card.unknownBecause && { reason: card.unknownBecause })}
      >
        {card.note && <p className="card-note">{card.note}</p>}
        {card.value === null && card.unknownBecause && (
          <p className="card-note" aria-hidden="true">
            {card.unknownBecause}
          </p>
        )}
        {card.sparkline.length > 1 && (
          <Sparkline values={card.sparkline} running={running} label={`${label}, day by day`} />
        )}
      </Metric>
    </section>
  )
}
