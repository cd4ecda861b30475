import { hairline, type Element, type Paper } from './paper.ts'

export interface Column {
  heading: string
  /** Share of the table's width. */
  share: number
  isNumber?: boolean
}
interface Table {
  x: number
  width: number
  columns: readonly Column[]
  rows: readonly (readonly string[])[]
  /** Shown in bold below the rows. */
  total?: readonly string[]
  color: string
}

const rowHeight = 18
const size = 8.5

/**
 * A table that continues on further pages with its headings. `nextPage` begins one and returns its top; returns where the
 * table ends.
 */
export function drawTable(
  paper: Paper,
  parent: Element,
  start: number,
  bottom: number,
  { x, width, columns, rows, total, color }: Table,
  nextPage: () => number,
): number {
  const { doc } = paper
  const widths = columns.map(column => column.share * width)
  const lefts = widths.map((_, index) => x + widths.slice(0, index).reduce((sum, one) => sum + one, 0))
  const table = paper.group(parent, 'Table')
  const cell = (row: Element, index: number, text: string, y: number, isHead: boolean, isBold = isHead) => {
    const { isNumber = false } = columns[index] ?? {}
    paper.tag(
      row,
      isHead ? 'TH' : 'TD',
      () =>
        paper.line(text, (lefts[index] ?? x) + (isNumber ? 0 : 1), y + 3, {
          size,
          weight: isBold ? 600 : 400,
          width: (widths[index] ?? 0) - 8,
          align: isNumber ? 'right' : 'left',
          ...(isHead && { color }),
        }),
      isHead ? { scope: 'Column' } : {},
    )
  }
  const rule = (y: number, stroke: string) =>
    paper.decorate(() =>
      doc
        .moveTo(x, y)
        .lineTo(x + width, y)
        .lineWidth(0.6)
        .stroke(stroke),
    )
  const head = (y: number): number => {
    const row = paper.group(table, 'TR')
    columns.forEach((column, index) => cell(row, index, column.heading, y, true))
    row.end()
    rule(y + rowHeight - 1, color)
    return y + rowHeight + 1
  }
  let y = head(start)
  for (const texts of [...rows, ...(total ? [total] : [])]) {
    if (y + rowHeight > bottom) y = head(nextPage())
    const row = paper.group(table, 'TR')
    texts.forEach((text, index) => cell(row, index, text, y, false, texts === total))
    row.end()
    rule(y + rowHeight - 1.5, hairline)
    y += rowHeight
  }
  table.end()
  return y
}
