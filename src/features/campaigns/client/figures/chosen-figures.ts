import { useSyncExternalStore } from 'react'
import { figureColumns, type FigureColumn } from '../../list-queries.ts'

export type ChosenFigures = readonly [FigureColumn, FigureColumn, FigureColumn]

const key = 'tideline-chosen-figures'
const usual: ChosenFigures = ['cost', 'sales', 'acos']
const listeners = new Set<() => void>()

/** The three that a stored text means; the usual ones when it means none. */
export const readChosen = (stored: string | null): ChosenFigures => {
  const known = (stored ?? '').split(',').flatMap(name => figureColumns.find(column => column === name) ?? [])
  const [first, second, third] = known
  return first && second && third && known.length === 3 ? [first, second, third] : usual
}

let chosen: ChosenFigures | undefined
const current = (): ChosenFigures => (chosen ??= readChosen(localStorage.getItem(key)))
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Remembers on this device which three figures rows show. */
export const chooseFigures = (figures: ChosenFigures): void => {
  chosen = figures
  localStorage.setItem(key, figures.join(','))
  listeners.forEach(listener => listener())
}

/** The three figures that rows show. */
export const useChosenFigures = (): ChosenFigures => useSyncExternalStore(subscribe, current)
