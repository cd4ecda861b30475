import { Change } from '#client/ui/figures/figure.tsx'
import { DataAge } from '#client/ui/figures/data-age.tsx'
import { formatDay, formatDayRange, formatFigure } from '#client/ui/figures/format.ts'
import { KeyValue } from '#client/ui/lists/card.tsx'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { daysBetween } from '#shared/time.ts'
import type { DashboardCard, homeEndpoints, TermName } from '../contract.ts'
import { textOfCard, unitOf } from '../cards.ts'
import type { MeasuredName, MetricName } from '#shared/metrics.ts'
import { metrics } from '#shared/metrics.ts'

interface CardSheetProps {
  open: boolean
  card: DashboardCard
  data: EndpointOutput<typeof homeEndpoints.cards>
  today: string
  onClose: () => void
}

export function CardSheet({ open, card, data, today, onClose }: CardSheetProps) {
  const { label, better, meaning } = textOfCard(card.metric)
  const { currency, dateFrom, dateTo, comparedTo, previousFrom, previousTo, freshness } = data
  const exact = (value: number | null): string =>
    value === null ? 'Not known' : formatFigure(value, unitOf(card), currency)
  const days = comparedTo ? daysBetween(dateFrom, comparedTo) + 1 : 0
  const before = `the ${days} days before`
  return (
    <Sheet open={open} title={label} onClose={onClose}>
      <div className="card-sheet">
        <p>{meaning}</p>
        <Formula card={card} currency={currency} exact={exact(card.value)} />
        {card.unknownBecause && <p className="card-sheet-note">{card.unknownBecause}</p>}
        {card.note && <p className="card-sheet-note">{card.note}</p>}
        <KeyValue
          items={[
            { label: formatDayRange(dateFrom, dateTo), value: exact(card.value) },
            ...(card.band
              ? [{ label: 'Will settle between', value: `${exact(card.band.low)} and ${exact(card.band.high)}` }]
              : []),
            ...(comparedTo && comparedTo < dateTo
              ? [{ label: `${formatDayRange(dateFrom, comparedTo)} (complete days)`, value: exact(card.compared) }]
              : []),
            ...(previousFrom && previousTo
              ? [{ label: `${formatDayRange(previousFrom, previousTo)} (${before})`, value: exact(card.previous) }]
              : []),
            {
              label: 'Change',
              value: <Change now={card.compared} before={card.previous} good={better} period={before} />,
            },
            { label: 'Data', value: <DataAge at={freshness.asOf} /> },
          ]}
        />
        {dateTo >= today && (
          <p className="card-sheet-note">
            {formatDay(today)} is not over: it counts with what was imported so far, and is left out of the change and
            of the line.
          </p>
        )}
        {freshness.movingFrom !== null && dateTo >= freshness.movingFrom && (
          <p className="card-sheet-note">
            Data since {formatDay(freshness.movingFrom)} may change: the marketplace attributes sales to a click for
            days.
            {card.band &&
              ' Judging by how earlier days changed, the figure settles in this range in nine of ten cases.'}
          </p>
        )}
      </div>
    </Sheet>
  )
}

function Formula({ card, currency, exact }: { card: DashboardCard; currency: string; exact: string }) {
  // Figures that an earlier version of the app saved have no terms.
  const terms = (card.terms ?? []).map(({ name, value }) => ({ ...describeTerm(name), value }))
  const { label, sign } = textOfCard(card.metric)
  if (!terms.length) return null
  return (
    <div className="card-formula">
      <h3>How it is calculated</h3>
      <p>
        {label} = {terms.map(term => term.label).join(` ${sign} `)}
      </p>
      <p>
        <strong>
          {terms.map(({ value, unit }) => formatFigure(value, unit, currency)).join(` ${sign} `)} = {exact}
        </strong>
      </p>
    </div>
  )
}

const otherTerms = {
  totalSales: 'Total sales',
  productSales: 'Sales of products with known costs',
  fees: 'Marketplace fees',
  goods: 'Cost of goods',
}

function describeTerm(name: TermName): Pick<(typeof metrics)[MetricName], 'label' | 'unit'> {
  if (name in otherTerms) return { label: otherTerms[name as keyof typeof otherTerms], unit: 'money' }
  return metrics[name === 'spend' ? 'cost' : (name as MeasuredName)]
}
