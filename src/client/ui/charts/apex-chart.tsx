import ApexCharts from 'apexcharts'
import { useEffect, useRef } from 'react'
import { useMedia } from '../shell/use-wide.ts'
import { apexOptions } from './apex-options.ts'
import { type ChartProps, hasBands } from './chart-data.ts'

export function ApexChart(props: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<ApexCharts | undefined>(undefined)
  const dark = useMedia('(prefers-color-scheme: dark)')
  const banded = hasBands(props.series)
  useEffect(() => {
    if (!place.current) return
    const style = getComputedStyle(document.documentElement)
    const [first = '', second = '', ink = '', line = ''] = ['--series-1', '--series-2', '--ink-muted', '--line'].map(
      name => style.getPropertyValue(name).trim(),
    )
    const options = apexOptions(props, { series: [first, second], ink, line, mark: ink }, dark)
    if (chart.current) {
      void chart.current.updateOptions(options, true, false)
      return
    }
    chart.current = new ApexCharts(place.current, options)
    void chart.current.render()
  }, [props, dark])
  useEffect(
    () => () => {
      chart.current?.destroy()
      chart.current = undefined
    },
    // The library cannot turn a chart of lines into one with bands.
    [banded],
  )
  return (
    <>
      <Hatching />
      <div ref={place} />
    </>
  )
}

// The ground of days that may change, and the bands of both series, hatched in opposite directions.
function Hatching() {
  const square = { height: 8, patternUnits: 'userSpaceOnUse' }
  return (
    <svg width="0" height="0" className="hatch" aria-hidden="true">
      <defs>
        <pattern id="hatch" width="8" {...square} patternTransform="rotate(45)">
          <rect width="3" height="8" />
        </pattern>
        <pattern id="hatch-band-1" width="4" {...square} patternTransform="rotate(45)">
          <rect width="4" height="8" />
          <rect width="1.5" height="8" />
        </pattern>
        <pattern id="hatch-band-2" width="4" {...square} patternTransform="rotate(-45)">
          <rect width="4" height="8" />
          <rect width="1.5" height="8" />
        </pattern>
      </defs>
    </svg>
  )
}
