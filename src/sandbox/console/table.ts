import { type Html, type HtmlValue, html } from '../core/html.ts'

export const PAGE_SIZE = 100

export interface Cell {
  content: HtmlValue
  testId?: string
  number?: boolean
  /** Long text that may break anywhere. The first cell of a row always may. */
  long?: boolean
}
export interface Row {
  testId?: string
  /** `data-…` attributes by their names without `data-`. */
  data?: Record<string, string>
  cells: readonly Cell[]
}

export const cell = (content: HtmlValue, options: Omit<Cell, 'content'> = {}): Cell => ({ content, ...options })

const testIdAttribute = (testId: string | undefined): HtmlValue => testId && html` data-testid="${testId}"`
const classAttribute = ({ number, long }: Cell): HtmlValue =>
  (number && html` class="number"`) || (long && html` class="long"`)

function rowHtml({ testId, data = {}, cells }: Row, heads: readonly string[]): Html {
  const attributes = Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`)
  const cellsHtml = cells.map(
    (one, i) =>
      html`<td role="cell" data-label="${heads[i]}"${classAttribute(one)}${testIdAttribute(one.testId)}>${one.content}</td>`,
  )
  return html`<tr role="row"${testIdAttribute(testId)}${attributes}>${cellsHtml}</tr>\n`
}

/**
 * A table. On a phone each row is a block with the column heads next to the values. The roles are explicit because
 * browsers stop treating a table as one when its rows are displayed as blocks.
 */
export function table(caption: string, heads: readonly string[], rows: readonly Row[]): Html {
  const [first] = rows
  if (!first) return html`<p>None.</p>`
  const headCells = heads.map(
    (head, i) => html`<th role="columnheader" scope="col"${classAttribute(first.cells[i] ?? cell(''))}>${head}</th>`,
  )
  return html`<div class="wide" role="group" aria-label="${caption}" tabindex="0"><table role="table" aria-label="${caption}"><thead role="rowgroup"><tr role="row">${headCells}</tr></thead><tbody role="rowgroup">${rows.map(row => rowHtml(row, heads))}</tbody></table></div>`
}

export interface Page<T> {
  items: readonly T[]
  total: number
  /** From 1. */
  number: number
  last: number
}

/** One page of a list; a number beyond the last means the last. */
export function pageOf<T>(all: readonly T[], requested: string | undefined): Page<T> {
  const last = Math.max(1, Math.ceil(all.length / PAGE_SIZE))
  const number = Math.min(last, Math.max(1, Math.trunc(Number(requested)) || 1))
  return { items: all.slice((number - 1) * PAGE_SIZE, number * PAGE_SIZE), total: all.length, number, last }
}

/** Which items of how many are shown, with links to the previous, next and last page. */
export function pageLinks({ items, total, number, last }: Page<unknown>, linkTo: (page: number) => string): Html {
  const first = (number - 1) * PAGE_SIZE + 1
  const shown = total === items.length ? `${total}` : `${first} to ${first + items.length - 1} of ${total}`
  const link = (page: number, label: string): HtmlValue =>
    page >= 1 && page <= last && html`<a href="${linkTo(page)}">${label}</a> `
  const links = [link(number - 1, 'Previous'), link(number + 1, 'Next'), number < last && link(last, 'Last')]
  return html`<p class="paging"><span data-testid="shown">Shown: ${shown}</span> ${links}</p>`
}
