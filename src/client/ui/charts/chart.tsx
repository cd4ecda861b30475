import { type KeyboardEvent, lazy, type RefObject, Suspense, useEffect, useId, useRef, useState } from 'react'
import { formatDay } from '../figures/format.ts'
import { Skeleton } from '../states/state-views.tsx'
import {
  type ChartProps,
  describeDay,
  describeMarks,
  describeValue,
  hasBands,
  markKinds,
  shownKinds,
} from './chart-data.ts'
import './chart.css'

export type { Band, ChartMark, ChartSeries, MarkKind } from './chart-data.ts'

const ApexChart = lazy(() => import('./apex-chart.tsx').then(m => ({ default: m.ApexChart })))

/**
 * A chart under its heading. Its days can be walked through with the arrow keys, and the same data is a table below it.
 * The library is loaded when the chart comes into sight.
 */
export function Chart(props: ChartProps) {
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const near = useNear(frame)
  const { day, onKeyDown } = useDays(props.labels.length)
  const { heading, height, labels } = props
  const last = labels.length - 1
  return (
    <section className="chart" aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      {props.series.length > 1 && <Legend {...props} />}
      <div
        className="chart-days"
        role="slider"
        tabIndex={labels.length ? 0 : -1}
        aria-label={`Days of the chart: ${heading}`}
        aria-valuemin={0}
        aria-valuemax={Math.max(last, 0)}
        aria-valuenow={day ?? Math.max(last, 0)}
        aria-valuetext={describeDay(props, day ?? last)}
        onKeyDown={onKeyDown}
      >
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
        {day !== undefined && (
          <p className="chart-day" aria-hidden="true">
            {describeDay(props, day)}
          </p>
        )}
      </div>
      <Key {...props} />
      <details className="chart-table">
        <summary>Show as a table</summary>
        <ChartTable {...props} />
      </details>
    </section>
  )
}

/** The day that the keyboard is at; undefined until it was used. */
function useDays(count: number) {
  const [day, setDay] = useState<number>()
  const onKeyDown = (event: KeyboardEvent): void => {
    const last = count - 1
    const now = Math.min(day ?? last, last)
    const next = {
      ArrowLeft: now - (day === undefined ? 0 : 1),
      ArrowRight: now + 1,
      ArrowDown: now - 1,
      ArrowUp: now + 1,
      PageDown: now - 7,
      PageUp: now + 7,
      Home: 0,
      End: last,
    }[event.key]
    if (next === undefined || last < 0) return
    event.preventDefault()
    setDay(Math.max(0, Math.min(last, next)))
  }
  return { day: day !== undefined && day < count ? day : undefined, onKeyDown }
}

function Legend({ series }: ChartProps) {
  return (
    <p className="chart-legend" aria-hidden="true">
      {series.map(({ name }, index) => (
        <span key={name}>
          <svg viewBox="0 0 20 12" fill="currentColor">
            <rect y={index === 0 ? 4.5 : 5} width="20" height={index === 0 ? 3 : 2} />
            {index === 0 ? <circle cx="10" cy="6" r="5" /> : <rect x="5.5" y="1.5" width="9" height="9" />}
          </svg>
          {name}
        </span>
      ))}
    </p>
  )
}

/** What the signs, hatchings and dashes of the chart mean. */
function Key(props: ChartProps) {
  const { mayMove = 0, running = false, series } = props
  const kinds = shownKinds(props)
  return (
    <>
      {kinds.length > 0 && (
        <p className="chart-note chart-marks">
          {kinds.map(kind => (
            <span key={kind}>
              <span aria-hidden="true">{markKinds[kind].sign}</span> {markKinds[kind].meaning}
            </span>
          ))}
        </p>
      )}
      {hasBands(series) && (
        <p className="chart-note">
          <span className="hatch-key" aria-hidden="true" /> Recent days will still change: 9 times in 10 they end within
          the hatched band.
        </p>
      )}
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
    </>
  )
}

function ChartTable({ heading, labels, series, running = false, marks }: ChartProps) {
  return (
    <div className="chart-table-frame">
      <table>
        <caption className="visually-hidden">{heading}</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            {marks && <th scope="col">What happened</th>}
          </tr>
        </thead>
        <tbody>
          {labels.map((label, index) => (
            <tr key={label}>
              <th scope="row">
                {formatDay(label)}
                {running && index === labels.length - 1 && ' (not over)'}
              </th>
              {series.map(one => (
                <td key={one.name}>{describeValue(one, index)}</td>
              ))}
              {marks && <td>{describeMarks(label, marks) || 'none'}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function useNear(frame: RefObject<HTMLElement | null>): boolean {
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
