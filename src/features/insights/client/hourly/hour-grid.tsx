import { type KeyboardEvent, useMemo, useRef } from 'react'
import { useWide } from '#client/ui/shell/use-wide.ts'
import { type MetricName, metrics } from '#shared/metrics.ts'
import { type HourCell, type HourFinding, weekdayNames } from '../../hourly-contract.ts'
import { cellText, countsText, fullValue, hourSpan, shownValue, weekdayName } from './hourly-words.ts'

interface HourGridProps {
  cells: readonly HourCell[]
  findings: readonly HourFinding[]
  metric: MetricName
  currency: string
  /** Place of the chosen cell, Monday 0 h first. */
  chosen: number | null
  onChoose: (index: number) => void
}

const weekdays = weekdayNames.map((_, index) => index)
const hours = Array.from({ length: 24 }, (_, hour) => hour)
const levels = 5

/**
 * The hours of the week as a table: days across on a phone, hours across from 768 px. Each cell has its number, so that
 * nothing depends on color; thin ones are hatched. Arrow keys move, Tab enters and leaves it in one step.
 */
export function HourGrid(props: HourGridProps) {
  const { cells, findings, metric, chosen, onChoose } = props
  const wide = useWide()
  const table = useRef<HTMLTableElement>(null)
  const levelOf = useLevels(cells)
  const marks = useMemo(() => markedCells(findings), [findings])
  const current = chosen ?? 0
  const move = (event: KeyboardEvent): void => {
    const next = nextPlace(current, event.key, wide)
    if (next === null) return
    event.preventDefault()
    onChoose(next)
    table.current?.querySelector<HTMLElement>(`[data-hour="${next}"]`)?.focus()
  }
  const draw = (index: number) => {
    const cell = cells[index]
    if (!cell) return null
    const mark = marks.get(index)
    return (
      <td key={index}>
        <button
          type="button"
          data-hour={index}
          data-level={levelOf(cell)}
          className={`${cell.isThin ? 'thin' : ''} ${mark ? `found-${mark.toLowerCase()}` : ''}`}
          tabIndex={index === current ? 0 : -1}
          aria-pressed={index === chosen}
          aria-label={cellLabel(cell, props, mark)}
          onClick={() => onChoose(index)}
          onKeyDown={move}
        >
          {cellText(shownValue(cell), metric)}
        </button>
      </td>
    )
  }
  const [across, down] = wide ? [hours, weekdays] : [weekdays, hours]
  const head = (value: number, ofHours: boolean, scope: 'row' | 'col') => (
    <th key={value} scope={scope}>
      {ofHours ? shortHour(value) : weekdayName(value + 1).slice(0, 3)}
    </th>
  )
  return (
    <table
      ref={table}
      className="hour-grid"
      aria-label={`${metrics[metric].label} by hour of the week`}
      aria-description="Arrow keys move between the hours."
    >
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">{wide ? 'Day' : 'Hour'}</span>
          </th>
          {across.map(value => head(value, wide, 'col'))}
        </tr>
      </thead>
      <tbody>
        {down.map(row => (
          <tr key={row}>
            {head(row, !wide, 'row')}
            {across.map(column => draw(wide ? row * 24 + column : column * 24 + row))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

// 12a, 1a … 12p: what fits above a narrow column.
const shortHour = (hour: number): string => `${hour % 12 || 12}${hour < 12 ? 'a' : 'p'}`

function cellLabel(cell: HourCell, { metric, currency }: HourGridProps, mark: HourFinding['kind'] | undefined): string {
  const [drawn, full] = [cellText(shownValue(cell), metric), fullValue(cell, metric, currency)]
  // Who speaks to the screen says what is drawn, which is no part of a longer number.
  const isWhole = full.split(/[^\w.,]+/).includes(drawn)
  const value = isWhole || shownValue(cell) === null ? full : `${drawn}, exactly ${full}`
  const parts = [
    `${weekdayName(cell.weekday)} ${hourSpan(cell.hour)}`,
    `${metrics[metric].label} ${value}`,
    countsText(cell),
    cell.isThin && 'too few clicks to rely on',
    mark && (mark === 'SELLS' ? 'among the best hours' : 'among the most wasteful hours'),
  ]
  return parts.filter(Boolean).join(', ')
}

const steps: Readonly<Record<string, readonly [days: number, hours: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** The cell that a key leads to; null for keys that do not move. */
function nextPlace(current: number, key: string, wide: boolean): number | null {
  const step = steps[key]
  const [day, hour] = [Math.floor(current / 24), current % 24]
  if (key === 'Home') return wide ? day * 24 : hour
  if (key === 'End') return wide ? day * 24 + 23 : 6 * 24 + hour
  if (!step) return null
  const [days, hoursOn] = wide ? [step[1], step[0]] : step
  const [nextDay, nextHour] = [day + days, hour + hoursOn]
  return nextDay < 0 || nextDay > 6 || nextHour < 0 || nextHour > 23 ? current : nextDay * 24 + nextHour
}

/** How dark a cell is: its place among those that can be trusted, so that one extreme hour does not make all others pale. */
function useLevels(cells: readonly HourCell[]): (cell: HourCell) => number {
  return useMemo(() => {
    const values = cells
      .filter(cell => !cell.isThin)
      .flatMap(cell => shownValue(cell) ?? [])
      .toSorted((a, b) => a - b)
    const limits = Array.from(
      { length: levels - 1 },
      (_, i) => values[Math.floor((values.length * (i + 1)) / levels)] ?? 0,
    )
    return cell => {
      const value = shownValue(cell)
      return value === null ? 0 : 1 + limits.filter(limit => value > limit).length
    }
  }, [cells])
}

function markedCells(findings: readonly HourFinding[]): Map<number, HourFinding['kind']> {
  return new Map(
    findings.flatMap(({ kind, weekdays: days, from, to }) =>
      days.flatMap(day =>
        Array.from({ length: (to - from + 24) % 24 }, (_, i): [number, HourFinding['kind']] => [
          ((day - 1) * 24 + from + i) % 168,
          kind,
        ]),
      ),
    ),
  )
}
