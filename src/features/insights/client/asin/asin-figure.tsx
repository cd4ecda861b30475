import { Figure } from '#client/ui/figures/figure.tsx'
import { type MetricName, metrics } from '#shared/metrics.ts'
import { type AsinFigure, asinFigures } from '../../asin-columns.ts'
import type { AsinRow } from '../../asin-contract.ts'

const missingSales = 'Not known: the sales by product of some of these days have not arrived yet.'
const profitReasons: Record<NonNullable<AsinRow['profitUnknown']>, string> = {
  COGS: 'Not known: its COGS is missing for some of these days. Enter it in Inventory.',
  FEES: 'Not known: the marketplace gave no estimate of its fees.',
  SALES: missingSales,
}

/** Why a figure of a product is unknown. */
function reasonOf(name: AsinFigure, row: Partial<AsinRow>): string {
  if (name in metrics) return metrics[name as MetricName].unknownBecause ?? ''
  if (name === 'profit') return row.profitUnknown ? profitReasons[row.profitUnknown] : missingSales
  if (name === 'available') return 'Not known: the marketplace reports no stock for it.'
  if (name === 'coverDays') return 'Not known: its stock is not known, or none was sold in 14 days.'
  if (name === 'tacos' && row.totalSales === 0) return 'Not known: there were no sales in these days.'
  return missingSales
}

interface AsinValueProps {
  row: Partial<AsinRow>
  name: AsinFigure
  currency: string
  /** In a cell of a table: plain text, no button around it. */
  still?: boolean
}

/** One figure of a product, with the reason where it is unknown. */
export const AsinValue = ({ row, name, currency, still = false }: AsinValueProps) => (
  <Figure
    value={row[name] ?? null}
    kind={asinFigures[name].unit}
    currency={currency}
    reason={reasonOf(name, row)}
    still={still}
  />
)
