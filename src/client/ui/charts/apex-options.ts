import type { ApexOptions } from 'apexcharts'
import {
  type ChartMark,
  type ChartProps,
  type ChartSeries,
  hasBands,
  kindOf,
  labelText,
  markKinds,
  shownKinds,
} from './chart-data.ts'

interface ChartColors {
  series: string[]
  ink: string
  line: string
  mark: string
}

// More points than this would run into one another.
const mostPoints = 62
const widths = [3, 2]
const shapes: ('circle' | 'square')[] = ['circle', 'square']

/** Series differ by shape and width, marks by sign and dash: the chart can be read without color. */
export function apexOptions(props: ChartProps, colors: ChartColors, dark: boolean): ApexOptions {
  const { labels, height = 260 } = props
  const series = drawnSeries(props)
  const theme = dark ? 'dark' : 'light'
  const banded = bandSeries(labels, series)
  const of = <T>(list: readonly T[], other: T): T[] => [
    ...banded.map(() => other),
    ...series.map((_, i) => list[i] ?? other),
  ]
  return {
    chart: {
      type: banded.length ? 'rangeArea' : 'line',
      height,
      animations: { enabled: false },
      toolbar: { show: false },
      zoom: { enabled: false },
      background: 'transparent',
      fontFamily: 'inherit',
    },
    theme: { mode: theme },
    colors: [...banded.map(({ of: index }) => colors.series[index] ?? ''), ...colors.series.slice(0, series.length)],
    stroke: { width: of(widths, 0), curve: 'straight' },
    markers: { size: labels.length <= mostPoints ? of([3, 3], 0) : 0, shape: of(shapes, 'circle'), strokeWidth: 0 },
    dataLabels: { enabled: false },
    grid: {
      borderColor: colors.line,
      strokeDashArray: 3,
      padding: { left: 8, right: 8, top: roomForMarks(props) - 14 },
    },
    // Ours is below the heading; this one would list the bands.
    legend: { show: false },
    series: [
      ...banded.map(({ name, data }) => ({ name, type: 'rangeArea', data })),
      ...series.map(({ name, values }) => ({
        name,
        type: 'line',
        data: labels.map((day, index) => ({ x: timeOf(day), y: values[index] ?? null })),
      })),
    ] as ApexAxisChartSeries,
    ...axes({ ...props, series }, banded, colors.ink),
    tooltip: {
      theme,
      shared: true,
      x: { formatter: textOfTime(props) },
      y: [
        ...banded.map(() => ({ formatter: () => '' })),
        ...series.map(({ format }) => ({
          formatter: (value: number | null) => (value === null ? 'not known' : format(value)),
        })),
      ],
    },
    annotations: { xaxis: [...stillMoving(props, colors.line), ...marked(props, colors)] },
  }
}

/** Without a last point that is not over: the way to it would look like a fall. */
function drawnSeries({ labels, series, running = false }: ChartProps): ChartSeries[] {
  if (!running) return [...series]
  const drawn = <T>(values: readonly (T | null)[]) => values.map((value, i) => (i < labels.length - 1 ? value : null))
  return series.map(one => ({ ...one, values: drawn(one.values), ...(one.bands && { bands: drawn(one.bands) }) }))
}

// Ticks are round amounts, and room is short on a phone.
const withoutCents = (text: string): string => text.replace(/[.,]00(?=\D*$)/, '')

interface BandSeries {
  /** The series whose band it is. */
  of: number
  name: string
  data: { x: number; y: [number, number] | [null, null] }[]
}

// Days without a band have one of no height: its edge would otherwise fall to zero.
function bandSeries(labels: readonly string[], series: readonly ChartSeries[]): BandSeries[] {
  return series.flatMap(({ name, values, bands }, of) => {
    if (!bands || !hasBands([{ name, values, bands, format: String }])) return []
    const data = labels.map((day, index): BandSeries['data'][number] => {
      const [value, band] = [values[index] ?? null, bands[index]]
      if (band) return { x: timeOf(day), y: [band.low, band.high] }
      return { x: timeOf(day), y: value === null ? [null, null] : [value, value] }
    })
    return [{ of, name: `${name}, where it will end`, data }]
  })
}

function axes(props: ChartProps, banded: readonly BandSeries[], ink: string): { xaxis: ApexXAxis; yaxis: ApexYAxis[] } {
  const { series, hasOneAxis = false } = props
  const style = { colors: ink, fontSize: '11px' }
  const textOf = textOfTime(props)
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
        formatter: (value, at) => textOf(at ?? value),
      },
    },
    yaxis: (hasOneAxis ? series.slice(0, 1) : series).map(({ name, format }, index) => ({
      seriesName: hasOneAxis
        ? [...series, ...banded].map(one => one.name)
        : [name, ...banded.filter(band => band.of === index).map(band => band.name)],
      opposite: index > 0,
      min: (lowest: number) => Math.min(0, lowest),
      tickAmount: 4,
      labels: { style, formatter: value => (typeof value === 'number' ? withoutCents(format(value)) : '') },
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

const markHeight = 14
const roomForMarks = (props: ChartProps): number => shownKinds(props).length * markHeight

// A line on each day with its sign above the chart; each kind in a line of its own, so that signs of a day do not overlap.
function marked(props: ChartProps, { mark: color, ink }: ChartColors): XAxisAnnotations[] {
  const { labels, marks = [] } = props
  const kinds = shownKinds(props)
  return marks
    .filter(({ day }) => labels.includes(day))
    .map(mark => {
      const { sign, dash } = markKinds[kindOf(mark)]
      return {
        x: timeOf(mark.day),
        borderColor: color,
        strokeDashArray: dash,
        label: {
          text: isCrowded(mark, props) ? sign : `${sign}${mark.label}`,
          orientation: 'horizontal',
          textAnchor: 'middle',
          offsetY: -markHeight * (kinds.length - 1 - kinds.indexOf(kindOf(mark))) - 4,
          borderColor: 'transparent',
          style: {
            background: 'transparent',
            color: ink,
            fontSize: '10px',
            padding: { left: 0, right: 0, top: 0, bottom: 0 },
          },
        },
      }
    })
}

// A count would run into the sign of the next day.
function isCrowded({ day, kind }: ChartMark, { labels, marks = [] }: ChartProps): boolean {
  const room = labels.length / 12
  const near = labels.slice(labels.indexOf(day) + 1, labels.indexOf(day) + 1 + Math.ceil(room))
  return room > 4 || marks.some(mark => kindOf(mark) === (kind ?? 'change') && near.includes(mark.day))
}

const HOUR_MS = 3_600_000
// An hour of the day is that of a day without a date.
const timeOf = (label: string): number =>
  /^\d+$/.test(label) ? Number(label) * HOUR_MS : Date.parse(`${label}T00:00:00Z`)
const textOfTime =
  (props: ChartProps) =>
  (time: unknown): string => {
    if (typeof time !== 'number') return ''
    const at = new Date(time)
    return labelText(props, props.hours ? String(at.getUTCHours()) : at.toISOString().slice(0, 10))
  }
