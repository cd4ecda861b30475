import type { RowFigures } from '../../contract.ts'
import { figureColumns } from '../../list-queries.ts'
import { RowFigure } from './row-figures.tsx'

/** Every figure of one row. */
export const AllFigures = ({ figures, currency }: { figures: RowFigures; currency: string }) => (
  <div className="list-row-figures all-figures">
    {figureColumns.map(name => (
      <RowFigure key={name} name={name} figures={figures} currency={currency} />
    ))}
  </div>
)
