import { Metric } from '#client/ui/figures/metric.tsx'
import type { RowFigures as Figures } from '../contract.ts'
import { useChosenFigures } from './chosen-figures.ts'
import { figureWords } from './figure-words.ts'

/** The three chosen figures of a row. */
export const RowFigures = ({ figures, currency }: { figures: Figures; currency: string }) =>
  useChosenFigures().map(name => {
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
  })
