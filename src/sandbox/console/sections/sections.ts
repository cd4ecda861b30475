import { escapeHtml } from '../../core/html-page.ts'
import { entriesBy } from '../../core/store/collections.ts'
import { amountForm, stateForm } from '../forms.ts'
import { amount } from '../layout.ts'
import { pageLinks, pageOf } from '../paging.ts'
import { type Row, table, text } from '../table.ts'

/** What the sections of a campaign's page need to know of it. */
export interface Holder {
  campaignId: string
  currency: string
  /** Page of each section, by its key. */
  query: Record<string, string | undefined>
  groupNames: ReadonlyMap<string, string>
}

/** One thing that hangs on a campaign, as a row shows it. */
export interface Held {
  entity: string
  id: string
  /** What it is called where nothing is seen. */
  label: string
  state: string
  /** Before the state: text, kind, parent. */
  cells: readonly { value: string; testId?: string }[]
  /** Its own bid; null: the default holds; absent: it has none. */
  bidMicros?: number | null
  data?: Record<string, string>
}

export interface Section {
  key: string
  title: string
  testId: string
  heads: readonly string[]
  held: readonly Held[]
}

/** The group's name, `campaign` for what hangs on the campaign itself. */
export const inGroup = ({ groupNames }: Holder, id: string | null): { value: string } => ({
  value: id === null ? 'campaign' : (groupNames.get(id) ?? id),
})

/** A section, named in the order in which it is read. */
export const section = (
  key: string,
  title: string,
  testId: string,
  heads: readonly string[],
  held: readonly Held[],
): Section => ({ key, title, testId, heads, held })

/** What hangs on the campaign of one shelf of the books. */
export const own = <T>(shelf: ReadonlyMap<string, T>, { campaignId }: Holder): T[] => [
  ...entriesBy(shelf, 'campaignId', campaignId).values(),
]

const rowOf = (one: Held, holder: Holder, testId: string, back: string): Row => {
  const action = { entity: one.entity, id: one.id, back }
  const { bidMicros } = one
  const bid = bidMicros === null ? 'default' : amount(bidMicros ?? 0, holder.currency)
  const bidForm = bidMicros === undefined ? '' : amountForm(action, 'bid', bidMicros, one.label)
  const forms = one.state === 'ARCHIVED' ? '' : bidForm + stateForm(action, one.state, one.label)
  return {
    testId,
    ...(one.data && { data: one.data }),
    cells: [
      ...one.cells.map(({ value, testId: id }) => ({
        html: `<span dir="auto">${escapeHtml(value)}</span>`,
        ...(id && { testId: id }),
      })),
      text(one.state, { testId: 'state' }),
      ...(bidMicros === undefined ? [] : [text(bid, { number: true, testId: 'bid' })]),
      { html: forms },
    ],
  }
}

/** A section of a campaign's page, a hundred rows at a time. */
export const sectionHtml = (section: Section, holder: Holder): string => {
  const { key, title, testId, held } = section
  const page = pageOf(held, holder.query[key])
  const base = `/console/campaigns/${holder.campaignId}`
  const addressOf = (number: number): string => `${base}?${key}=${number}#${key}`
  const withBid = held.some(one => one.bidMicros !== undefined)
  const heads = [...section.heads, 'State', ...(withBid ? ['Bid'] : []), 'Change']
  const back = page.number > 1 ? addressOf(page.number) : base
  const rows = page.items.map(one => rowOf(one, holder, testId, back))
  const links = page.total > 0 ? pageLinks(page, addressOf) : ''
  return `<h2 id="${key}">${escapeHtml(title)}</h2>${links}${table(title, heads, rows)}`
}
