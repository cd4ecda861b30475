import type { ApexOptions } from 'apexcharts'
import { formatDay } from '../figures/format.ts'
import type { ChartProps } from './chart-props.ts'

const height = 260

/** Colours of the present look, read from the style sheet. */
export interface ChartColours {
  series: string[]
  ink: string
  line: string
  accent: string
}

interface Look {
  colours: ChartColours
  dark: boolean
}

/** What ApexCharts needs to draw a chart. Pure. */
export function apexOptions(props: ChartProps, colours: ChartColours, dark: boolean): ApexOptions {
  const { kind, labels, series } = props
  const look = { colours, dark }
  return {
    ...frame(props, look),
    series: series.map(({ name, values }) => ({
      name,
      data: kind === 'line' ? pointsOf(labels, values) : [...values],
    })),
    xaxis: xAxis(props, look),
    yaxis: yAxes(props, look),
    tooltip: tooltip(props, look),
    annotations: { xaxis: [...stillMoving(props, look), ...marksOf(props, look)] },
  }
}

function frame({ kind, series, running = false }: ChartProps, { colours, dark }: Look): ApexOptions {
  return {
    chart: {
      type: kind,
      height,
      animations: { enabled: false },
      toolbar: { show: false },
      zoom: { enabled: false },
      background: 'transparent',
      fontFamily: 'inherit',
    },
    theme: { mode: dark ? 'dark' : 'light' },
    colors: colours.series,
    forecastDataPoints: { count: running && kind === 'line' ? 1 : 0, dashArray: 5, fillOpacity: 0 },
    stroke: { width: kind === 'line' ? 2.5 : 0, curve: 'straight' },
    plotOptions: { bar: { horizontal: true, borderRadius: 4, barHeight: '62%' } },
    dataLabels: { enabled: false },
    grid: { borderColor: colours.line, strokeDashArray: 3, padding: { left: 8, right: 8 } },
    legend: { show: series.length > 1, position: 'top', horizontalAlign: 'left', labels: { colors: colours.ink } },
  }
}

const textOf = ({ ink }: ChartColours) => ({ style: { colors: ink, fontSize: '11px' } })

function xAxis({ kind, labels, series }: ChartProps, { colours }: Look): ApexXAxis {
  return {
    ...(kind === 'line' ? { type: 'datetime' as const } : { categories: [...labels] }),
    tooltip: { enabled: false },
    axisBorder: { show: false },
    axisTicks: { show: false },
    labels: {
      ...textOf(colours),
      rotate: 0,
      datetimeUTC: true,
      hideOverlappingLabels: true,
      formatter: (value, at) =>
        kind === 'line' ? dayOfTime(at ?? value) : (series[0]?.format(Number(value)) ?? value),
    },
  }
}

function yAxes({ kind, series }: ChartProps, { colours }: Look): ApexYAxis[] {
  return series.map(({ name, format }, index) => ({
    seriesName: name,
    opposite: index > 0,
    ...(kind === 'line' && { min: (lowest: number) => Math.min(0, lowest) }),
    tickAmount: 4,
    labels: {
      ...textOf(colours),
      formatter: value => (kind === 'bar' ? String(value) : typeof value === 'number' ? format(value) : ''),
    },
  }))
}

function tooltip({ kind, series }: ChartProps, { dark }: Look): ApexTooltip {
  return {
    theme: dark ? 'dark' : 'light',
    x: { formatter: value => (kind === 'line' ? dayOfTime(value) : String(value)) },
    y: series.map(({ format }) => ({
      formatter: (value: number | null) => (value === null ? 'not known' : format(value)),
    })),
  }
}

// The last days, whose figures the marketplace still corrects, lie on a ground of their own.
function stillMoving({ kind, labels, mayMove = 0 }: ChartProps, { colours }: Look): XAxisAnnotations[] {
  const still = labels.at(-1 - mayMove) ?? labels[0]
  const last = labels.at(-1)
  if (kind !== 'line' || mayMove <= 0 || !still || !last) return []
  return [{ x: timeOf(still), x2: timeOf(last), fillColor: colours.line, opacity: 1, borderColor: 'transparent' }]
}

function marksOf({ marks = [] }: ChartProps, { colours }: Look): XAxisAnnotations[] {
  return marks.map(({ day, label }) => ({
    x: timeOf(day),
    borderColor: colours.accent,
    strokeDashArray: 0,
    label: {
      text: label,
      orientation: 'horizontal',
      borderColor: colours.accent,
      style: { background: colours.accent, color: '#2b1a00' },
    },
  }))
}

const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)
const dayOfTime = (time: unknown): string =>
  typeof time === 'number' ? formatDay(new Date(time).toISOString().slice(0, 10)) : ''
const pointsOf = (labels: readonly string[], values: readonly (number | null)[]) =>
  labels.map((day, index) => ({ x: timeOf(day), y: values[index] ?? null }))
