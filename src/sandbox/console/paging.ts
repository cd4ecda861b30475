import { escapeHtml } from '../core/html-page.ts'

export const PAGE_SIZE = 100

export interface Page<T> {
  items: readonly T[]
  total: number
  /** From 1. */
  number: number
  last: number
}

/** One page of a list; a number beyond the last means the last. */
export const pageOf = <T>(all: readonly T[], wanted: string | undefined): Page<T> => {
  const last = Math.max(1, Math.ceil(all.length / PAGE_SIZE))
  const number = Math.min(last, Math.max(1, Math.trunc(Number(wanted)) || 1))
  return { items: all.slice((number - 1) * PAGE_SIZE, number * PAGE_SIZE), total: all.length, number, last }
}

/** Says how much of how many is shown, with links to the neighbours where there are some. */
export const pageLinks = ({ items, total, number, last }: Page<unknown>, linkTo: (page: number) => string): string => {
  const first = (number - 1) * PAGE_SIZE + 1
  const shown = total === items.length ? `${total}` : `${first} to ${first + items.length - 1} of ${total}`
  const link = (page: number, word: string): string =>
    page < 1 || page > last ? '' : `<a href="${escapeHtml(linkTo(page))}">${word}</a>`
  const links = [link(number - 1, 'Previous'), link(number + 1, 'Next'), number < last ? link(last, 'Last') : '']
  return `<p class="paging"><span data-testid="shown">Shown: ${shown}</span> ${links.join(' ')}</p>`
}
