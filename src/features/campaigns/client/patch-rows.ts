import type { QueryClient } from '@tanstack/react-query'
import { campaignQueries } from './queries.ts'

interface Row {
  id: number
}
interface Page {
  content: readonly Row[]
}

const patchPage = (page: Page, id: number, change: object): Page =>
  page.content.some(row => row.id === id)
    ? { ...page, content: page.content.map(row => (row.id === id ? { ...row, ...change } : row)) }
    : page

const isPage = (data: unknown): data is Page => typeof data === 'object' && data !== null && 'content' in data
const isPaged = (data: unknown): data is { pages: Page[] } =>
  typeof data === 'object' && data !== null && 'pages' in data

/** The data of one query with a row changed; other data is left as it is. */
export const withRow = (data: unknown, id: number, change: object): unknown => {
  if (isPaged(data)) return { ...data, pages: data.pages.map(page => patchPage(page, id, change)) }
  return isPage(data) ? patchPage(data, id, change) : data
}

/** Which kind of query shows which kind of rows. */
const shownIn = {
  campaign: ['list', 'row'],
  adGroup: ['ad-groups', 'ad-group'],
  ad: ['ads'],
  keyword: ['keywords'],
  target: ['targets'],
} as const
export type PatchedKind = keyof typeof shownIn

/** Changes a row wherever it is on screen or remembered, until the server's own answer replaces it. */
export const patchRows = (client: QueryClient, kind: PatchedKind, id: number, change: object): void => {
  for (const list of shownIn[kind])
    client.setQueriesData({ queryKey: [...campaignQueries.all, list] }, (data: unknown) => withRow(data, id, change))
}
