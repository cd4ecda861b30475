import { pastedBid, pastedRows } from '#client/ui/forms/pasted-rows.ts'
import { keywordText, negativeMatchTypes, type NegativeMatchType } from '#shared/keyword-rules.ts'
import { asinSchema, type KeywordMatchType, keywordMatchTypes } from '#features/recommendations/contract.ts'
import { bidProblem } from '#shared/ad-limits.ts'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { listItems, MAX_IN_AD_GROUP } from '../../launch-schema.ts'
import { valueProblem } from '../../problems.ts'
import { matchLabels, negativeMatchLabels } from '../wizard/labels.ts'
import { type ListFacts, listFacts, type ListItems } from './list-changes.ts'

export interface Entry<M extends string | null> {
  text: string
  /** Null in lists without match types. */
  matchType: M
  /** Decimal amount; null while none is entered. Lists without bids ignore it. */
  bid: number | null
}

export interface EntryKind<T, M extends string | null> extends ListFacts<T> {
  field: { label: string; name: string; help: string; maxLength?: number }
  /** Absent in lists without match types. */
  match?: {
    labels: Readonly<Record<M & string, string>>
    name: string
    help?: string
    fromCell: (cell: string) => M | undefined
  }
  paste: { label: string; name: string; help: (matchLabel: string) => string; columnTitle: RegExp }
  normalize: (text: string) => string
  textProblem: (entry: Entry<M>) => string | null
  toItem: (entry: Entry<M>) => T
}

interface EntryProblem {
  code: 'TEXT' | 'DUPLICATE' | 'FULL' | 'BID' | 'NO_BID'
  message: string
}

const keywordColumn = /^((negative )?keywords?|keyword text|search terms?)$/i

export const keywordEntries: EntryKind<ListItems['keywords'], KeywordMatchType> = {
  ...listFacts.keywords,
  field: { label: 'Keyword', name: 'keyword', help: 'At most 80 characters and 10 words.' },
  match: {
    labels: matchLabels,
    name: 'match',
    fromCell: cell => keywordMatchTypes.find(type => type === cell.toUpperCase()),
  },
  paste: {
    label: 'Keywords',
    name: 'pasted keywords',
    help: match =>
      `One per line, comma-separated, or spreadsheet columns: keyword, match type, bid. Rows without a match type get ${match}; rows without a bid get the bid above.`,
    columnTitle: keywordColumn,
  },
  normalize: text => text.trim(),
  textProblem: ({ text }) => valueProblem(keywordText, text),
  toItem: ({ text, matchType, bid }) => ({ keyword: text, matchType, bid: bid ?? 0 }),
}

export const negativeEntries: EntryKind<ListItems['negativeKeywords'], NegativeMatchType> = {
  ...listFacts.negativeKeywords,
  field: {
    label: 'Negative keyword',
    name: 'negative keyword',
    help: 'At most 80 characters and 10 words; a phrase at most 4 words.',
  },
  match: {
    labels: negativeMatchLabels,
    name: 'negative match',
    help: 'Exact blocks only that search; phrase blocks every search that contains these words.',
    fromCell: cell => {
      const name = `NEGATIVE_${cell.toUpperCase().replace(/^NEGATIVE[ _]?/, '')}`
      return negativeMatchTypes.find(type => type === name)
    },
  },
  paste: {
    label: 'Pasted negative keywords',
    name: 'pasted negative keywords',
    help: match =>
      `One per line, comma-separated, or spreadsheet columns: keyword, match type. Rows without a match type get ${match}.`,
    columnTitle: keywordColumn,
  },
  normalize: text => text.trim(),
  textProblem: ({ text, matchType }) => valueProblem(listItems.negativeKeyword, { keyword: text, matchType }),
  toItem: ({ text, matchType }) => ({ keyword: text, matchType }),
}

const productUrl = /\/(?:dp|gp\/product)\/([a-z0-9]{10})(?:[/?#]|$)/i

export const targetEntries: EntryKind<ListItems['productTargets'], null> = {
  ...listFacts.productTargets,
  // The draft stores at most 20 characters of a half-typed ASIN.
  field: { label: 'ASIN', name: 'asin', help: 'Exactly 10 letters and digits.', maxLength: 20 },
  paste: {
    label: 'ASINs',
    name: 'pasted targets',
    help: () =>
      'ASINs or links to product pages: one per line, comma-separated, or a spreadsheet column with the bid in the next one. Rows without a bid get the bid above.',
    columnTitle: /^(asins?|products?|product targets?)$/i,
  },
  normalize: text => (productUrl.exec(text)?.[1] ?? text).trim().toUpperCase(),
  textProblem: ({ text }) => valueProblem(asinSchema, text),
  toItem: ({ text, bid }) => ({ asin: text, bid: bid ?? 0 }),
}

/** Why the text of an entry cannot join the items with these ids; null when it can. */
export function textProblem<T, M extends string | null>(
  kind: EntryKind<T, M>,
  entry: Entry<M>,
  ids: ReadonlySet<string>,
): EntryProblem | null {
  const message = kind.textProblem(entry)
  if (message !== null) return { code: 'TEXT', message }
  if (ids.has(kind.idOf(kind.toItem(entry)))) {
    const { text, matchType } = entry
    const match = kind.match && matchType !== null ? ` as ${kind.match.labels[matchType].toLowerCase()} match` : ''
    return { code: 'DUPLICATE', message: `“${text.trim()}” is already in the list${match}.` }
  }
  return ids.size >= MAX_IN_AD_GROUP ? { code: 'FULL', message: `The list holds at most ${MAX_IN_AD_GROUP}` } : null
}

/** The limit of entries: all are read again at each change of the text. */
export const MAX_PASTED = 5000

export interface PastedEntry<M extends string | null> extends Entry<M> {
  line: number
  problem: EntryProblem | null
}

/**
 * Reads pasted text: entries on lines of their own, separated with commas or semicolons, or in the columns of a spreadsheet
 * with match type and bid in any order; rows without them get the defaults. Entries that cannot be added carry the reason.
 */
export function pastedEntries<T, M extends string | null>(
  kind: EntryKind<T, M>,
  text: string,
  { chosen, defaults, market }: { chosen: readonly T[]; defaults: Omit<Entry<M>, 'text'>; market: MarketplaceFacts },
): PastedEntry<M>[] {
  const ids = new Set(chosen.map(kind.idOf))
  const rows = pastedRows(text, kind.paste.columnTitle).flatMap(({ line, cells }) =>
    entriesOf(kind, cells).map(entry => ({ line, ...defaults, ...entry })),
  )
  return rows.slice(0, MAX_PASTED).map(row => {
    const bidMessage = kind.hasBids ? bidProblem(row.bid, market) : null
    const problem =
      textProblem(kind, row, ids) ??
      (bidMessage === null ? null : { code: row.bid === null ? 'NO_BID' : 'BID', message: bidMessage })
    if (!problem) ids.add(kind.idOf(kind.toItem(row)))
    return { ...row, problem }
  })
}

// A cell that names a match type or a bid belongs to the entry before it; any other cell is the next entry.
function entriesOf<T, M extends string | null>(kind: EntryKind<T, M>, cells: readonly string[]) {
  const entries: (Pick<Entry<M>, 'text'> & Partial<Entry<M>>)[] = []
  for (const cell of cells) {
    const last = entries.at(-1)
    const matchType = kind.match?.fromCell(cell)
    const bid = kind.hasBids ? pastedBid(cell) : null
    if (last && matchType && !last.matchType) last.matchType = matchType
    else if (last && bid !== null && last.bid === undefined) last.bid = bid
    else entries.push({ text: kind.normalize(cell) })
  }
  return entries
}
