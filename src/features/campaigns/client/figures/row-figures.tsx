import { Metric } from '#client/ui/figures/metric.tsx'
import type { RowFigures as Figures } from '../../contract.ts'
import type { FigureColumn } from '../../list-queries.ts'
import { useChosenFigures } from './chosen-figures.ts'
import { figureWords } from './figure-words.ts'

interface RowFigureProps {
  name: FigureColumn
  figures: Figures
  currency: string
}

/** One figure of a row, with its name and, where it is not known, the reason. */
export const RowFigure = ({ name, figures, currency }: RowFigureProps) => {
  const { label, kind, reason } = figureWords[name]
  return <Metric label={label} value={figures[name]} kind={kind} currency={currency} {...(reason && { reason })} />
}

/** The three chosen figures of a row. */
export const RowFigures = ({ figures, currency }: Omit<RowFigureProps, 'name'>) =>
  useChosenFigures().map(name => <RowFigure key={name} name={name} figures={figures} currency={currency} />)
