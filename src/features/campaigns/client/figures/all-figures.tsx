import { metricNames } from '#shared/metrics.ts'
import type { RowFigures } from '../../contract.ts'
import { RowFigure } from './row-figures.tsx'

/** Every figure of one row. */
export function AllFigures({ figures, currency }: { figures: RowFigures; currency: string }) {
  return (
    <div className="list-row-figures all-figures">
      {metricNames.map(name => (
        <RowFigure key={name} name={name} figures={figures} currency={currency} />
      ))}
    </div>
  )
}
