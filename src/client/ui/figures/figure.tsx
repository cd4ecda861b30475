import { useState, type ReactNode } from 'react'
import { type FigureKind, formatFigure, formatFigureShort, formatPercent } from './format.ts'
import { arrowDownOutline, arrowForwardOutline, arrowUpOutline } from 'ionicons/icons'
import { Icon } from '../ionic/icon.tsx'

export interface FigureProps {
  /** Money as a decimal amount, percentages in percent; null when it cannot be known. */
  value: number | null
  kind: FigureKind
  currency?: string
  reason?: string
  /** Without the tap, for use inside a link or button. */
  still?: boolean
}
const unknownReason = 'Not known: there is nothing to work it out from yet.'

/** A figure in short form; a tap shows it in full, or why it is unknown. */
export function Figure({ value, kind, currency, reason = unknownReason, still }: FigureProps) {
  const [open, setOpen] = useState(false)
  const full = value === null ? reason : formatFigure(value, kind, currency)
  const shown = value === null ? '–' : formatFigureShort(value, kind, currency)
  if (shown === full) return <span className="figure">{full}</span>
  const spoken = (
    <>
      <span aria-hidden="true">{shown}</span>
      <span className="visually-hidden">{full}</span>
    </>
  )
  if (still) return <span className="figure">{spoken}</span>
  return (
    <button type="button" className="figure figure-tap" onClick={() => setOpen(!open)}>
      {open ? <span className={value === null ? 'figure-reason' : ''}>{full}</span> : spoken}
    </button>
  )
}

export function Money({ amount, currency }: { amount: number | null; currency: string }) {
  return <span className="figure">{amount === null ? '–' : formatFigure(amount, 'money', currency)}</span>
}

interface MetricProps extends FigureProps {
  label: ReactNode
  /** The same figure of the period before; leave it out to show no change. */
  before?: number | null
  /** What is compared, where it is not the value that is shown. */
  compared?: number | null
  good?: ChangeProps['good']
  period?: string
  children?: ReactNode
}

export function Metric({ label, before, compared, good, period, children, ...figure }: MetricProps) {
  return (
    <div className="metric">
      <p className="metric-label">{label}</p>
      <p className="metric-value">
        <Figure {...figure} />
      </p>
      {before !== undefined && figure.value !== null && (
        <Change
          now={compared === undefined ? figure.value : compared}
          before={before}
          {...(good && { good })}
          {...(period && { period })}
        />
      )}
      {children}
    </div>
  )
}

interface ChangeProps {
  now: number | null
  before: number | null
  /** Which way is good; costs have none. */
  good?: 'up' | 'down' | 'neither'
  period?: string
}

/** Change against the period before: arrow, sign and words, so that colour is never alone. */
export function Change({ now, before, good = 'neither', period = 'the period before' }: ChangeProps) {
  // Nothing can be compared with nothing.
  if (now === null || before === null || before === 0)
    return (
      <span className="change">
        – <span className="visually-hidden">no comparison with {period}</span>
      </span>
    )
  const percent = ((now - before) / Math.abs(before)) * 100
  const rounded = Math.round(percent * 10) / 10
  const way = rounded > 0 ? 'up' : rounded < 0 ? 'down' : 'same'
  const tone = way === 'same' || good === 'neither' ? '' : way === good ? 'change-good' : 'change-bad'
  const icon = { up: arrowUpOutline, down: arrowDownOutline, same: arrowForwardOutline }[way]
  const words = { up: `more than ${period}`, down: `less than ${period}`, same: `the same as ${period}` }[way]
  return (
    <span className={`change ${tone}`}>
      <Icon icon={icon} />
      {rounded > 0 ? '+' : ''}
      {formatPercent(rounded, 1)}
      <span className="visually-hidden"> {words}</span>
    </span>
  )
}

const width = 120
const height = 32
const edge = 2

/** Points of a line in the drawing, with gaps where a value is missing: one list of "x,y" a stretch. */
function sparkStretches(values: readonly (number | null)[]): string[] {
  const present = values.filter(value => value !== null)
  if (present.length === 0) return []
  const low = Math.min(...present)
  const span = Math.max(...present) - low
  const x = (index: number): number => (values.length < 2 ? width / 2 : (index / (values.length - 1)) * width)
  const y = (value: number): number =>
    span === 0 ? height / 2 : edge + (1 - (value - low) / span) * (height - 2 * edge)
  const stretches: string[][] = [[]]
  values.forEach((value, index) => {
    if (value === null) stretches.push([])
    else stretches.at(-1)?.push(`${round(x(index))},${round(y(value))}`)
  })
  return stretches.filter(points => points.length > 0).map(points => points.join(' '))
}
const round = (value: number): number => Math.round(value * 10) / 10

interface SparklineProps {
  values: readonly (number | null)[]
  /** What it shows and how it went, in words. */
  label: string
  /** The last day is not over: it is left out, for it would look like a fall. */
  running?: boolean
}

export function Sparkline({ values, label, running = false }: SparklineProps) {
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-label={running ? `${label}, without the last day, which is not over` : label}
      {...{ role: 'img' }}
    >
      {sparkStretches(running ? values.slice(0, -1) : values).map(points => (
        <polyline key={points} points={points} vectorEffect="non-scaling-stroke" />
      ))}
    </svg>
  )
}
