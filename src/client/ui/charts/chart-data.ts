import { formatDay, formatHour } from '../figures/format.ts'

export interface Band {
  low: number
  high: number
}

export interface ChartSeries {
  name: string
  /** One a day; null where nothing is known, which is not 0. */
  values: readonly (number | null)[]
  format: (value: number) => string
  /** Between which two values each day will end; null where its value is final or nothing is known of it. */
  bands?: readonly (Band | null)[]
  /** What the bands are, where they are not those in which days will end: before two values, and in a sentence below. */
  bandWords?: { between: string; note: string }
}

export type MarkKind = 'change' | 'stock' | 'price'

/** Something that happened on a day. */
export interface ChartMark {
  day: string
  /** A change of ads unless it says otherwise. */
  kind?: MarkKind
  /** What is written at its line, next to the sign of its kind: a count, or nothing. */
  label: string
  /** What happened, in words, for the table and the reading of a day. */
  detail?: string
}

export interface ChartProps {
  heading: string
  /** The days, yyyy-MM-dd. */
  labels: readonly string[]
  /** The labels are hours of the day, 0 to 23, instead of days. */
  hours?: boolean
  /** At most two: each has an axis of its own, unless `hasOneAxis`. */
  series: readonly ChartSeries[]
  /** Both series count the same thing, so that one can be read against the other. */
  hasOneAxis?: boolean
  /** How many of the last days may still change; they are hatched. Leave it out where the series have bands. */
  mayMove?: number
  /** The last day (or week, or month) is not over: it is not drawn, for it would look like a fall, but written below. */
  running?: boolean
  /** What happened on days of the chart; others are left out. */
  marks?: readonly ChartMark[]
  /** In px. */
  height?: number
}

/** A day or an hour of the chart as people read it. */
export const labelText = ({ hours = false }: Pick<ChartProps, 'hours'>, label: string): string =>
  hours ? formatHour(Number(label)) : formatDay(label)

/** How the kinds of marks differ, without color: each has a sign, a dash and a line of its own above the chart. */
export const markKinds: Record<MarkKind, { sign: string; dash: number; row: number; meaning: string }> = {
  change: { sign: '◆', dash: 2, row: 0, meaning: 'Changes to your ads' },
  stock: { sign: '■', dash: 0, row: 1, meaning: 'Out of stock, or back' },
  price: { sign: '▲', dash: 6, row: 2, meaning: 'Price changes' },
}
const kinds = Object.keys(markKinds) as MarkKind[]
export const kindOf = ({ kind = 'change' }: ChartMark): MarkKind => kind

/** The kinds that the chart shows, in the order of their lines. */
export function shownKinds({ labels, marks = [] }: Pick<ChartProps, 'labels' | 'marks'>): MarkKind[] {
  return kinds.filter(kind => marks.some(mark => kindOf(mark) === kind && labels.includes(mark.day)))
}

const nounOf: Record<MarkKind, [string, string]> = {
  change: ['change', 'changes'],
  stock: ['stock event', 'stock events'],
  price: ['price change', 'price changes'],
}

/** What happened on a day, in words. */
export function describeMarks(day: string, marks: readonly ChartMark[]): string {
  return marks
    .filter(mark => mark.day === day)
    .map(mark => {
      const [one, many] = nounOf[kindOf(mark)]
      return mark.detail ?? `${mark.label || 1} ${['', '1'].includes(mark.label) ? one : many}`
    })
    .join('; ')
}

const isBand = (band: Band | null | undefined): band is Band => !!band && band.low <= band.high
export const hasBands = (series: readonly ChartSeries[]): boolean => series.some(({ bands }) => bands?.some(isBand))

/** A day's value in words, with the band in which it will end. */
export function describeValue({ values, bands, bandWords, format }: ChartSeries, index: number): string {
  const value = values[index]
  const band = bands?.[index]
  if (value === null || value === undefined) return 'not known'
  return isBand(band)
    ? `${format(value)}, ${bandWords?.between ?? 'will end between'} ${format(band.low)} and ${format(band.high)}`
    : format(value)
}

/** A whole day in words; nothing where there is none. */
export function describeDay(props: ChartProps, index: number): string {
  const { labels, series, running = false, marks = [] } = props
  const day = labels[index]
  if (day === undefined) return ''
  const isOpen = running && index === labels.length - 1
  return [
    `${labelText(props, day)}${isOpen ? ', not over' : ''}`,
    ...series.map(one => `${one.name} ${describeValue(one, index)}`),
    describeMarks(day, marks),
  ]
    .filter(Boolean)
    .join('. ')
}
