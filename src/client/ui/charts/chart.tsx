import { lazy, type RefObject, Suspense, useEffect, useId, useRef, useState } from 'react'
import { Skeleton } from '../states/state-views.tsx'
import {
  type ChartProps,
  describeDay,
  describeMarks,
  describeValue,
  hasBands,
  labelText,
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
  const { heading, height } = props
  // Hatched is what may still change.
  const hasPlainBands = props.series.some(({ bandWords }) => bandWords)
  return (
    <section className={hasPlainBands ? 'chart chart-plain-bands' : 'chart'} aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      {props.series.length > 1 && <Legend {...props} />}
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
      {props.labels.length > 0 && <Days {...props} />}
      <Key {...props} />
      <details className="chart-table">
        <summary>Show as a table</summary>
        <ChartTable {...props} />
      </details>
    </section>
  )
}

/** Walks through the days by keyboard; what a day says is shown as long as the focus is here. */
function Days(props: ChartProps) {
  const last = props.labels.length - 1
  const [chosen, setChosen] = useState(last)
  const day = Math.min(chosen, last)
  return (
    <div className="chart-days">
      <input
        type="range"
        min={0}
        max={last}
        value={day}
        aria-label={props.hours ? 'Hour of the chart' : 'Day of the chart'}
        aria-valuetext={describeDay(props, day)}
        onChange={event => setChosen(Number(event.target.value))}
      />
      <p aria-hidden="true">{describeDay(props, day)}</p>
    </div>
  )
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
  const explained = series.filter(one => one.bandWords && hasBands([one]))
  const ending = series.filter(one => !one.bandWords)
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
      {hasBands(ending) && (
        <p className="chart-note">
          <span className="hatch-key" aria-hidden="true" /> Recent days will still change: 9 times in 10 they end within
          the hatched band.
        </p>
      )}
      {explained.map(({ name, bandWords }) => (
        <p key={name} className="chart-note">
          <span className="chart-band-key" aria-hidden="true" /> {bandWords?.note}
        </p>
      ))}
      {mayMove > 0 && (
        <p className="chart-note">
          <span className="hatch-key" aria-hidden="true" /> The last {mayMove === 1 ? 'day' : `${mayMove} days`} may
          still change.
        </p>
      )}
      {running && props.labels.length > 0 && (
        <p className="chart-note">
          {labelText(props, props.labels.at(-1) ?? '')} is not over, so it is not drawn. So far:{' '}
          {series.map(one => `${one.name} ${describeValue(one, props.labels.length - 1)}`).join(', ')}.
        </p>
      )}
    </>
  )
}

function ChartTable(props: ChartProps) {
  const { heading, labels, series, running = false, marks, hours = false } = props
  return (
    <div className="chart-table-frame">
      <table>
        <caption className="visually-hidden">{heading}</caption>
        <thead>
          <tr>
            <th scope="col">{hours ? 'Hour' : 'Day'}</th>
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
                {labelText(props, label)}
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
