import ApexCharts from 'apexcharts'
import { useEffect, useRef } from 'react'
import { useMedia } from '../shell/use-wide.ts'
import { apexOptions, type ChartProps } from './apex-options.ts'

export function ApexChart(props: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<ApexCharts | undefined>(undefined)
  const dark = useMedia('(prefers-color-scheme: dark)')
  useEffect(() => {
    if (!place.current) return
    const style = getComputedStyle(document.documentElement)
    const [first = '', second = '', ink = '', line = '', accent = ''] = [
      '--series-1',
      '--series-2',
      '--ink-muted',
      '--line',
      '--accent',
    ].map(name => style.getPropertyValue(name).trim())
    const options = apexOptions(props, { series: [first, second], ink, line, accent }, dark)
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
