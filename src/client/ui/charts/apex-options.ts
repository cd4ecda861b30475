import type { ApexOptions } from 'apexcharts'
import { formatDay } from '../figures/format.ts'

export interface ChartSeries {
  name: string
  /** One a day; null where nothing is known, which is not 0. */
  values: readonly (number | null)[]
  format: (value: number) => string
}
export interface ChartProps {
  heading: string
  /** The days, yyyy-MM-dd. */
  labels: readonly string[]
  /** At most two: each has an axis of its own. */
  series: readonly ChartSeries[]
  /** How many of the last days may still change; they are hatched. */
  mayMove?: number
  /** The last day (or week, or month) is not over: the way to it is dashed, for it would look like a fall. */
  running?: boolean
  /** Days on which something was changed, with what to write at their line. */
  marks?: readonly { day: string; label: string }[]
  /** In px. */
  height?: number
}

interface ChartColours {
  series: string[]
  ink: string
  line: string
  accent: string
}

export function apexOptions(props: ChartProps, colours: ChartColours, dark: boolean): ApexOptions {
  const { labels, series, running = false, height = 260 } = props
  const theme = dark ? 'dark' : 'light'
  return {
    chart: {
      type: 'line',
      height,
      animations: { enabled: false },
      toolbar: { show: false },
      zoom: { enabled: false },
      background: 'transparent',
      fontFamily: 'inherit',
    },
    theme: { mode: theme },
    colors: colours.series,
    forecastDataPoints: { count: running ? 1 : 0, dashArray: 5, fillOpacity: 0 },
    stroke: { width: 2.5, curve: 'straight' },
    dataLabels: { enabled: false },
    grid: { borderColor: colours.line, strokeDashArray: 3, padding: { left: 8, right: 8 } },
    legend: { show: series.length > 1, position: 'top', horizontalAlign: 'left', labels: { colors: colours.ink } },
    series: series.map(({ name, values }) => ({
      name,
      data: labels.map((day, index) => ({ x: timeOf(day), y: values[index] ?? null })),
    })),
    ...axes(series, colours.ink),
    tooltip: {
      theme,
      x: { formatter: dayOfTime },
      y: series.map(({ format }) => ({
        formatter: (value: number | null) => (value === null ? 'not known' : format(value)),
      })),
    },
    annotations: { xaxis: [...stillMoving(props, colours.line), ...marked(props, colours)] },
  }
}

function axes(series: readonly ChartSeries[], ink: string): { xaxis: ApexXAxis; yaxis: ApexYAxis[] } {
  const style = { colors: ink, fontSize: '11px' }
  return {
    xaxis: {
      type: 'datetime',
      tooltip: { enabled: false },
      axisBorder: { show: false },
      axisTicks: { show: false },
      labels: {
        style,
        rotate: 0,
        datetimeUTC: true,
        hideOverlappingLabels: true,
        formatter: (value, at) => dayOfTime(at ?? value),
      },
    },
    yaxis: series.map(({ name, format }, index) => ({
      seriesName: name,
      opposite: index > 0,
      min: (lowest: number) => Math.min(0, lowest),
      tickAmount: 4,
      labels: { style, formatter: value => (typeof value === 'number' ? format(value) : '') },
    })),
  }
}

// The last days, whose figures the marketplace still corrects, lie on a ground of their own.
function stillMoving({ labels, mayMove = 0 }: ChartProps, line: string): XAxisAnnotations[] {
  const still = labels.at(-1 - mayMove) ?? labels[0]
  const last = labels.at(-1)
  if (mayMove <= 0 || !still || !last) return []
  return [{ x: timeOf(still), x2: timeOf(last), fillColor: line, opacity: 1, borderColor: 'transparent' }]
}

// A line on each day of a change; days outside the chart have none.
function marked({ labels, marks = [] }: ChartProps, { accent, ink }: ChartColours): XAxisAnnotations[] {
  return marks
    .filter(({ day }) => labels.includes(day))
    .map(({ day, label }) => ({
      x: timeOf(day),
      borderColor: accent,
      strokeDashArray: 2,
      label: {
        text: label,
        orientation: 'horizontal',
        borderColor: 'transparent',
        style: { background: 'transparent', color: ink, fontSize: '11px' },
      },
    }))
}

const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)
const dayOfTime = (time: unknown): string =>
  typeof time === 'number' ? formatDay(new Date(time).toISOString().slice(0, 10)) : ''
