import { Metric } from '#client/ui/figures/metric.tsx'
import { Sparkline } from '#client/ui/figures/sparkline.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import type { DashboardCard, MetricName } from '../contract.ts'

const cardWords: Record<MetricName, { label: string; good: 'up' | 'down' | 'neither' }> = {
  spend: { label: 'Ad spend', good: 'neither' },
  sales: { label: 'Ad sales', good: 'up' },
  acos: { label: 'ACOS', good: 'down' },
  roas: { label: 'ROAS', good: 'up' },
  tacos: { label: 'TACOS', good: 'down' },
  orders: { label: 'Orders', good: 'up' },
  clicks: { label: 'Clicks', good: 'up' },
  impressions: { label: 'Impressions', good: 'up' },
  profit: { label: 'Profit after ads', good: 'up' },
}
const kinds = { MONEY: 'money', PERCENT: 'percent', COUNT: 'count', RATIO: 'ratio' } as const

interface HomeCardsProps {
  cards: readonly DashboardCard[]
  currency: string
  /** What it is compared with, for instance "the 30 days before". */
  period: string
}

/** The cards: value, change against the period before, and the shape of the days. */
export const HomeCards = ({ cards, currency, period }: HomeCardsProps) => (
  <div className="card-grid">
    {cards.map(card => (
      <HomeCard key={card.metric} card={card} currency={currency} period={period} />
    ))}
  </div>
)

const HomeCard = ({ card, currency, period }: { card: DashboardCard; currency: string; period: string }) => {
  const { label, good } = cardWords[card.metric]
  return (
    <Card>
      <Metric
        label={label}
        value={card.value}
        kind={kinds[card.unit]}
        currency={currency}
        before={card.previous}
        good={good}
        period={period}
        {...(card.unknownBecause && { reason: card.unknownBecause })}
      >
        {card.note && <p className="card-note">{card.note}</p>}
        {card.sparkline.length > 1 && <Sparkline values={card.sparkline} label={`${label}, day by day`} />}
      </Metric>
    </Card>
  )
}
