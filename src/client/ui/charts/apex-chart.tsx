import ApexCharts from 'apexcharts'
import { useEffect, useRef } from 'react'
import { useMedia } from '../shell/use-wide.ts'
import { apexOptions, type ChartColours } from './apex-options.ts'
import type { ChartProps } from './chart-props.ts'

/** Draws a chart with ApexCharts and keeps it up to date; loaded on demand. */
export function ApexChart(props: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<ApexCharts | undefined>(undefined)
  const dark = useMedia('(prefers-color-scheme: dark)')
  useEffect(() => {
    if (!place.current) return
    const options = apexOptions(props, readColours(), dark)
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
    [],
  )
  return (
    <>
      <svg width="0" height="0" className="hatch" aria-hidden="true">
        <defs>
          <pattern id="hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="3" height="8" />
          </pattern>
        </defs>
      </svg>
      <div ref={place} />
    </>
  )
}

function readColours(): ChartColours {
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string): string => style.getPropertyValue(name).trim()
  return {
    series: [colour('--series-1'), colour('--series-2')],
    ink: colour('--ink-muted'),
    line: colour('--line'),
    accent: colour('--accent'),
  }
}
