import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import { formatDay } from '../figures/format.ts'
import { Skeleton } from '../states/state-views.tsx'
import type { ChartProps } from './apex-options.ts'
import './chart.css'

export type { ChartSeries } from './apex-options.ts'

const ApexChart = lazy(() => import('./apex-chart.tsx').then(m => ({ default: m.ApexChart })))

/** A chart under its heading, with the same data as a table for screen readers. The library is loaded when it comes into sight. */
export function Chart(props: ChartProps) {
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const near = useNear(frame)
  const { heading, mayMove = 0, running = false, height } = props
  return (
    <section className="chart" aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      <div
        ref={frame}
        className="chart-frame"
        aria-hidden="true"
        style={height ? { minHeight: height + 15 } : undefined}
      >
        {near && (
          <Suspense fallback={<Skeleton rows={1} kind="card" />}>
            <ApexChart {...props} />
          </Suspense>
        )}
      </div>
      {mayMove > 0 && (
        <p className="chart-note">
          <span className="hatch-key" aria-hidden="true" /> The last {mayMove === 1 ? 'day' : `${mayMove} days`} may
          still change.
        </p>
      )}
      {running && (
        <p className="chart-note">
          <span className="running-key" aria-hidden="true" /> The last point is incomplete, so it is dashed.
        </p>
      )}
      <ChartTable {...props} />
    </section>
  )
}

function ChartTable({ heading, labels, series, running = false, marks }: ChartProps) {
  const written = (value: number | null | undefined, format: (value: number) => string): string =>
    value === null || value === undefined ? 'not known' : format(value)
  return (
    <div className="visually-hidden">
      <table>
        <caption>{heading}</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            {marks && <th scope="col">Changes</th>}
          </tr>
        </thead>
        <tbody>
          {labels.map((label, index) => (
            <tr key={label}>
              <th scope="row">
                {formatDay(label)}
                {running && index === labels.length - 1 && ' (not over)'}
              </th>
              {series.map(({ name, values, format }) => (
                <td key={name}>{written(values[index], format)}</td>
              ))}
              {marks && <td>{marks.find(({ day }) => day === label)?.label ?? 'none'}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function useNear(frame: React.RefObject<HTMLElement | null>): boolean {
  const [near, setNear] = useState(typeof IntersectionObserver === 'undefined')
  useEffect(() => {
    if (near || !frame.current) return
    const observer = new IntersectionObserver(entries => entries.some(entry => entry.isIntersecting) && setNear(true), {
      rootMargin: '200px',
    })
    observer.observe(frame.current)
    return () => observer.disconnect()
  }, [near, frame])
  return near
}
