const width = 120
const height = 32
const edge = 2

/** Points of a line in the drawing, with gaps where a value is missing: one list of "x,y" a stretch. */
export function sparkStretches(values: readonly (number | null)[]): string[] {
  const present = values.filter(value => value !== null)
  if (present.length === 0) return []
  const low = Math.min(...present)
  const span = Math.max(...present) - low
  const x = (index: number): number => (values.length < 2 ? width / 2 : (index / (values.length - 1)) * width)
  const y = (value: number): number =>
    span === 0 ? height / 2 : edge + (1 - (value - low) / span) * (height - 2 * edge)
  const stretches: string[][] = [[]]
  values.forEach((value, index) => {
    if (value === null) stretches.push([])
    else stretches.at(-1)?.push(`${round(x(index))},${round(y(value))}`)
  })
  return stretches.filter(points => points.length > 0).map(points => points.join(' '))
}
const round = (value: number): number => Math.round(value * 10) / 10

export interface SparklineProps {
  values: readonly (number | null)[]
  /** What it shows and how it went, in words. */
  label: string
  /** The last day is not over: it is left out, for it would look like a fall. */
  running?: boolean
}

/** The shape of a figure's days, small. */
export function Sparkline({ values, label, running = false }: SparklineProps) {
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-label={running ? `${label}, without the last day, which is not over` : label}
      {...{ role: 'img' }}
    >
      {sparkStretches(running ? values.slice(0, -1) : values).map(points => (
        <polyline key={points} points={points} vectorEffect="non-scaling-stroke" />
      ))}
    </svg>
  )
}
