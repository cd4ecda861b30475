import { escapeHtml } from '../core/html-page.ts'

/** What stands in one cell; `html` is trusted. */
export interface Cell {
  html: string
  testId?: string
  number?: boolean
  /** Text without end, which may break anywhere; the first cell of a row always may. */
  long?: boolean
}
export interface Row {
  testId?: string
  /** `data-…` attributes by their names without `data-`. */
  data?: Record<string, string>
  cells: readonly Cell[]
}

/** A cell of text. */
export const text = (value: string | number, more: Omit<Cell, 'html'> = {}): Cell => ({
  html: escapeHtml(String(value)),
  ...more,
})

const testIdOf = (testId: string | undefined): string => (testId ? ` data-testid="${testId}"` : '')

// Roles are said because on a phone the rows are shown as blocks, and browsers then forget that it is a table.
const classOf = ({ number, long }: Cell): string => (number ? ' class="number"' : long ? ' class="long"' : '')

const cellHtml = (cell: Cell, head: string): string =>
  `<td role="cell" data-label="${escapeHtml(head)}"${classOf(cell)}${testIdOf(cell.testId)}>${cell.html}</td>`

const rowHtml = ({ testId, data = {}, cells }: Row, heads: readonly string[]): string => {
  const attributes = Object.entries(data).map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`)
  const inner = cells.map((cell, i) => cellHtml(cell, heads[i] ?? '')).join('')
  return `<tr role="row"${testIdOf(testId)}${attributes.join('')}>${inner}</tr>`
}

/** A table; on a phone each row is a block with its heads beside the values. */
export const table = (caption: string, heads: readonly string[], rows: readonly Row[]): string =>
  rows.length === 0
    ? '<p>None.</p>'
    : `<div class="wide" role="group" aria-label="${escapeHtml(caption)}" tabindex="0"><table role="table" aria-label="${escapeHtml(caption)}"><thead role="rowgroup"><tr role="row">${heads
        .map(
          (head, i) =>
            `<th role="columnheader" scope="col"${classOf(rows[0]?.cells[i] ?? { html: '' })}>${escapeHtml(head)}</th>`,
        )
        .join(
          '',
        )}</tr></thead><tbody role="rowgroup">${rows.map(row => rowHtml(row, heads)).join('\n')}</tbody></table></div>`
