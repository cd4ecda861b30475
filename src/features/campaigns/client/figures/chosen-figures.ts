import { useSelector } from '@tanstack/react-store'
import { storedValue } from '#client/api/stored-value.ts'
import { type MetricName, metricNames, metrics } from '#shared/metrics.ts'

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
