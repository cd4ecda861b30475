/** One measured figure. */
export interface Figure {
  name: string
  /** What one wants of it, in words of stack.md's table; left out where there is no goal. */
  goal?: { atMost: number } | { atLeast: number } | { between: readonly [number, number] }
  unit: string
  /** Medians, or the only value where the figure does not vary. */
  value: number
  p95?: number
  p99?: number
  /** How many measurements it rests on. */
  count: number
  note?: string
}

/** The value below which the share `q` of the samples lies (nearest rank). Throws when there are none. */
export function quantile(samples: readonly number[], q: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  const found = sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)]
  if (found === undefined) throw new Error('a quantile of nothing')
  return found
}

/** A figure of many measurements: the median, and the percentiles that their number supports. */
export function figureOf(
  name: string,
  unit: string,
  samples: readonly number[],
  more: Pick<Figure, 'goal' | 'note'> = {},
): Figure {
  return {
    name,
    unit,
    value: quantile(samples, 0.5),
    ...(samples.length >= 20 && { p95: quantile(samples, 0.95) }),
    ...(samples.length >= 100 && { p99: quantile(samples, 0.99) }),
    count: samples.length,
    ...more,
  }
}

// A goal for a call is one for its p95; for all else one for the median.
const judged = ({ p95, value }: Figure): number => p95 ?? value

const boundsOf = (goal: NonNullable<Figure['goal']>): { atLeast?: number; atMost?: number } =>
  'between' in goal ? { atLeast: goal.between[0], atMost: goal.between[1] } : goal

function verdict(figure: Figure): string {
  const { goal } = figure
  if (!goal) return ''
  const { atLeast = -Infinity, atMost = Infinity } = boundsOf(goal)
  return judged(figure) >= atLeast && judged(figure) <= atMost ? 'yes' : 'NO'
}

function written(value: number | undefined): string {
  if (value === undefined) return ''
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en-US', { maximumFractionDigits: digits })
}

function goalOf({ goal, unit, p95 }: Figure): string {
  if (!goal) return ''
  const { atLeast, atMost } = boundsOf(goal)
  const bound =
    atLeast === undefined
      ? `≤ ${written(atMost)}`
      : atMost === undefined
        ? `≥ ${written(atLeast)}`
        : `${written(atLeast)}–${written(atMost)}`
  return `${p95 === undefined ? '' : 'p95 '}${bound} ${unit}`
}

/** The figures as one table, aligned for the terminal and valid Markdown. */
export function tableOf(figures: readonly Figure[]): string {
  const head = ['figure', 'goal', 'median', 'p95', 'p99', 'n', 'reached', 'note']
  const rows = figures.map(f => [
    f.name,
    goalOf(f),
    `${written(f.value)} ${f.unit}`,
    written(f.p95),
    written(f.p99),
    String(f.count),
    verdict(f),
    f.note ?? '',
  ])
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map(row => row[i]?.length ?? 0)))
  const line = (cells: string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  return [line(head), `| ${widths.map(w => '-'.repeat(w)).join(' | ')} |`, ...rows.map(line)].join('\n')
}
