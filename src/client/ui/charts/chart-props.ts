export interface ChartSeries {
  name: string
  /** One value a label; null where nothing is known, which is not 0. */
  values: readonly (number | null)[]
  /** How a value is written, on the axis and in the table. */
  format: (value: number) => string
}
export interface ChartProps {
  /** Says what the chart shows. */
  heading: string
  /** `line` for time, `bar` for parts. */
  kind: 'line' | 'bar'
  /** Days (yyyy-MM-dd) of a line, names of the parts of a bar. */
  labels: readonly string[]
  /** At most two for a line: each has an axis of its own. */
  series: readonly ChartSeries[]
  /** How many of the last days may still change; they are hatched. */
  mayMove?: number
  /** The last day (or week, or month) is not over: the way to it is dashed, for it would look like a fall. */
  running?: boolean
  /** Where someone changed something. */
  marks?: readonly { day: string; label: string }[]
}
