import { type ReactNode, use } from 'react'
import { Figure, Money } from '#client/ui/figures/figure.tsx'
import { formatFigure } from '#client/ui/figures/format.ts'
import { useMedia } from '#client/ui/shell/use-wide.ts'
import { type MetricName, metricNames, metrics } from '#shared/metrics.ts'
import { servingOf } from '#shared/serving-status.ts'
import type { RowFigures } from '../../contract.ts'
import { useWithPending } from '../edit/editable-row.tsx'
import { awaitedReason, type ChosenFigures, FiguresAwaited, useChosenFigures } from '../figures/row-figures.tsx'
import { fieldsOfKind, type FieldValue, formatField, type RowKind } from '../form/field-labels.ts'
import { RowStatus } from './row-status.tsx'

/** A column of a list, from the table of fields or the list of metrics. */
export interface ListColumn {
  name: string
  label: string
  /** In px. */
  width: number
  isText: boolean
}
export type ListRowData = RowFigures & { id: number; currency: string; state: string } & Omit<
    Parameters<typeof RowStatus>[0],
    'quiet'
  >

/** The field that names the rows of a list: its column is always there, as the first. */
const nameFields: Record<RowKind, string> = {
  campaign: 'name',
  adGroup: 'name',
  ad: 'asin',
  keyword: 'text',
  target: 'text',
}
export const nameField = (kind: RowKind): string => nameFields[kind]

/** What the name's cell or the state's shows already, or what means nothing to people. */
const unlisted = new Set(['id', 'version', 'syncState', 'syncError', 'campaignName', 'kind'])
const widths = { id: 120, text: 200, word: 150, money: 120, percent: 120, day: 130, json: 0 }
const stateWidth = 140
const figureWidth = 104

const isMetric = (name: string): name is MetricName => name in metrics

/** Every column that a list can show after the one that names its rows. */
export function columnsOf(kind: RowKind): ListColumn[] {
  const fields = Object.entries(fieldsOfKind(kind)).flatMap(([name, { label, kind: of, isHidden }]): ListColumn[] => {
    if (isHidden || of === 'json' || of === 'id' || unlisted.has(name) || name === nameFields[kind]) return []
    const width = name === 'state' ? stateWidth : widths[of]
    return [{ name, label, width, isText: of === 'text' || of === 'word' || of === 'day' }]
  })
  return [
    ...fields,
    ...metricNames.map(name => ({ name, label: metrics[name].label, width: figureWidth, isText: false })),
  ]
}

/** The amount of money that a row of each kind shows before its figures. */
const amounts: Partial<Record<RowKind, string>> = {
  campaign: 'budget',
  adGroup: 'defaultBid',
  keyword: 'bid',
  target: 'bid',
}
// What most people look at comes first, after the chosen three.
const further: readonly MetricName[] = [
  'orders',
  'cpc',
  'cost',
  'sales',
  'acos',
  'clicks',
  'impressions',
  'cvr',
  'roas',
]

// Of a list while nobody has chosen others: what a tablet shows without scrolling sideways, and more where there is room.
const usualColumns = (kind: RowKind, figures: ChosenFigures, isRoomy: boolean): string[] => [
  ...figures,
  'state',
  ...(amounts[kind] ? [amounts[kind]] : []),
  ...(kind === 'keyword' ? ['matchType'] : []),
  ...(isRoomy ? further.filter(name => !figures.includes(name)) : []),
]

/** The columns that an address names, in its order; the usual ones when it names none that there is. */
export function useShownColumns(kind: RowKind, named: string | undefined): ListColumn[] {
  const figures = useChosenFigures()
  const isRoomy = useMedia('(min-width: 1400px)')
  const all = columnsOf(kind)
  const find = (names: readonly string[]) => names.flatMap(name => all.find(column => column.name === name) ?? [])
  const chosen = find([...new Set(named?.split(','))])
  return chosen.length ? chosen : find(usualColumns(kind, figures, isRoomy))
}

/** Columns for a list that has little room: its figures first. */
export const figuresFirst = (columns: readonly ListColumn[]): ListColumn[] =>
  columns.toSorted((a, b) => Number(isMetric(b.name)) - Number(isMetric(a.name)))

/** The columns of a list as the screen shows them, by name: on a phone, which has no table, the usual ones. */
export const useScreenColumns = (kind: RowKind, named: string | undefined): string[] => [
  nameField(kind),
  ...useShownColumns(kind, named).map(({ name }) => name),
]

interface CellProps<Row> {
  kind: RowKind
  name: string
  row: Row
}

/** What a column shows of a row. */
export function ListCell<Row extends ListRowData>({ kind, name, row }: CellProps<Row>): ReactNode {
  return isMetric(name) ? (
    <ExactFigure name={name} figures={row} currency={row.currency} />
  ) : (
    <FieldCell kind={kind} name={name} row={row} />
  )
}

/** A field as the user wants it, with the edits that are pending. */
function FieldCell<Row extends ListRowData>({ kind, name, row }: CellProps<Row>) {
  const { shown } = useWithPending(kind, row)
  const field = fieldsOfKind(kind)[name]
  const value = (shown as unknown as Record<string, FieldValue | undefined>)[name] ?? null
  if (name === 'state')
    return (
      <div className="row-status">
        <RowStatus {...shown} />
      </div>
    )
  if (name === 'servingStatus') return servingOf(value === null ? null : String(value))?.reason || '–'
  if (!field || value === null) return '–'
  if (field.kind === 'money') return <Money amount={Number(value)} currency={shown.currency} />
  return formatField(name, field, value, shown.currency)
}

interface ExactFigureProps {
  name: MetricName
  figures: Partial<RowFigures>
  currency: string
}

/** A figure in full; a tap on one that is not known says why. */
export function ExactFigure({ name, figures, currency }: ExactFigureProps) {
  const { unit: kind, unknownBecause } = metrics[name]
  const isAwaited = use(FiguresAwaited)
  const reason = isAwaited ? awaitedReason : unknownBecause
  const value = isAwaited ? null : (figures[name] ?? null)
  if (value === null) return <Figure value={null} kind={kind} {...(reason && { reason })} />
  return <span className="figure">{formatFigure(value, kind, currency)}</span>
}
