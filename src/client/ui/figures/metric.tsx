import type { ReactNode } from 'react'
import { Change, type ChangeProps } from './change.tsx'
import { Figure, type FigureProps } from './figure.tsx'

export interface MetricProps extends FigureProps {
  label: ReactNode
  /** The same figure of the period before; leave it out to show no change. */
  before?: number | null
  good?: ChangeProps['good']
  period?: string
  /** Usually a Sparkline. */
  children?: ReactNode
}

/** A figure with its name, its change and the shape of its days. */
export function Metric({ label, before, good, period, children, ...figure }: MetricProps) {
  return (
    <div className="metric">
      <p className="metric-label">{label}</p>
      <p className="metric-value">
        <Figure {...figure} />
      </p>
      {before !== undefined && figure.value !== null && (
        <Change now={figure.value} before={before} {...(good && { good })} {...(period && { period })} />
      )}
      {children}
    </div>
  )
}
