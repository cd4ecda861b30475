import { createContext, use } from 'react'
import { Metric } from '#client/ui/figures/figure.tsx'
import { type MetricName, metrics, metricNames } from '#shared/metrics.ts'
import type { RowFigures as Figures } from '../../contract.ts'
import { SelectField } from '#client/ui/forms/fields.tsx'
import { useSelector } from '@tanstack/react-store'
import { storedValue } from '#client/api/stored-value.ts'

export const figureOptions = metricNames.map(value => ({ value, label: metrics[value].label }))

export type ChosenFigures = readonly [MetricName, MetricName, MetricName]

const usual: ChosenFigures = ['cost', 'sales', 'acos']

const stored = storedValue('tideline-chosen-figures', (text): ChosenFigures => {
  const columns = (text ?? '').split(',').flatMap(name => metricNames.find(column => column === name) ?? [])
  const [first, second, third] = columns
  return first && second && third && columns.length === 3 ? [first, second, third] : usual
})

/** Remembers on this device which three figures rows show. */
export const chooseFigures = (figures: ChosenFigures): void => stored.set(figures.join(','))

/** The three figures that rows show. */
export const useChosenFigures = (): ChosenFigures => useSelector(stored)

/** Which three figures every row shows first; taken at once. Choosing one that stands elsewhere swaps the two. */
export function FigureChoice() {
  const chosen = useChosenFigures()
  const choose = (place: number, value: ChosenFigures[number]): void => {
    const [first, second, third] = chosen.map((name, at) =>
      at === place ? value : name === value ? (chosen[place] ?? name) : name,
    )
    if (first && second && third) chooseFigures([first, second, third])
  }
  return (
    <fieldset className="figure-choice">
      <legend>Figures of each row</legend>
      {chosen.map((name, place) => (
        <SelectField
          key={place}
          label={['First', 'Second', 'Third'][place] ?? ''}
          name={`figure-${place}`}
          value={name}
          options={figureOptions}
          onChange={value => choose(place, value)}
        />
      ))}
    </fieldset>
  )
}

/** Every figure of one row, the chosen ones first. */
export function AllFigures({ figures, currency }: { figures: Figures; currency: string }) {
  const chosen = useChosenFigures()
  return (
    <div className="list-row-figures all-figures">
      {[...chosen, ...metricNames.filter(name => !chosen.includes(name))].map(name => (
        <RowFigure key={name} name={name} figures={figures} currency={currency} />
      ))}
    </div>
  )
}

interface RowFigureProps {
  name: MetricName
  figures: Figures
  currency: string
}

/** True until the first import is done: rows may have come before their figures, which are not 0 but not known. */
export const FiguresAwaited = createContext(false)
export const awaitedReason = 'The first import of figures is not done yet.'

/** One figure of a row, with its name and, where it is not known, the reason. */
function RowFigure({ name, figures, currency }: RowFigureProps) {
  const { label, unit, unknownBecause } = metrics[name]
  const isAwaited = use(FiguresAwaited)
  const reason = isAwaited ? awaitedReason : unknownBecause
  return (
    <Metric
      label={label}
      value={isAwaited ? null : figures[name]}
      kind={unit}
      currency={currency}
      {...(reason && { reason })}
    />
  )
}

/** The three chosen figures of a row. */
export const RowFigures = ({ figures, currency }: Omit<RowFigureProps, 'name'>) =>
  useChosenFigures().map(name => <RowFigure key={name} name={name} figures={figures} currency={currency} />)
