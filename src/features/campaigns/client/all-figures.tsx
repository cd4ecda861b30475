import { Metric } from '#client/ui/figures/metric.tsx'
import type { RowFigures } from '../contract.ts'
import { figureColumns } from '../list-queries.ts'
import { figureWords } from './figure-words.ts'

/** Every figure of one row. */
export const AllFigures = ({ figures, currency }: { figures: RowFigures; currency: string }) => (
  <div className="list-row-figures all-figures">
    {figureColumns.map(name => {
      const { label, kind, reason } = figureWords[name]
      return (
        <Metric
          key={name}
          label={label}
          value={figures[name]}
          kind={kind}
          currency={currency}
          {...(reason && { reason })}
        />
      )
    })}
  </div>
)
