import { Metric } from '#client/ui/figures/figure.tsx'
import { type MetricName, metrics } from '#shared/metrics.ts'
import type { RowFigures as Figures } from '../../contract.ts'
import { useChosenFigures } from './chosen-figures.ts'

interface RowFigureProps {
  name: MetricName
  figures: Figures
  currency: string
}

/** One figure of a row, with its name and, where it is not known, the reason. */
export function RowFigure({ name, figures, currency }: RowFigureProps) {
  const { label, unit, unknownBecause } = metrics[name]
  return (
    <Metric
      label={label}
      value={figures[name]}
      kind={unit}
      currency={currency}
      {...(unknownBecause && { reason: unknownBecause })}
    />
  )
}

/** The three chosen figures of a row. */
export const RowFigures = ({ figures, currency }: Omit<RowFigureProps, 'name'>) =>
  useChosenFigures().map(name => <RowFigure key={name} name={name} figures={figures} currency={currency} />)
