import { bidProblem } from '#shared/campaign-rules.ts'
import * as v from 'valibot'
import { keywordText } from '../contract.ts'
import { type KeywordMatchType, keywordMatchTypes } from '#features/recommendations/contract.ts'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import type { WizardKeyword } from '../draft/wizard-state.ts'
import { keywordId, listedAlready, listFull, MAX_IN_LIST } from './list-changes.ts'
import { keywordTitle, MAX_PASTED, pastedBid, pastedRows } from './pasted-rows.ts'

/** One keyword of a pasted list: `fault` says in words why it cannot be added, null when it can. */
export interface PastedKeyword {
  /** The line it stood in, from 1. */
  line: number
  keyword: string
  matchType: KeywordMatchType
  /** Decimal amount; null while none is given. */
  bid: number | null
  fault: string | null
}

interface PasteOptions {
  /** What is in the list already. */
  chosen: readonly Pick<WizardKeyword, 'keyword' | 'matchType'>[]
  /** For rows that name none of their own. */
  matchType: KeywordMatchType
  bid: number | null
  market: MarketplaceFacts
}

/**
 * Reads keywords out of pasted text: one a line, several in a line between commas or semicolons, or the columns of a
 * spreadsheet (keyword, then match type and bid in any order; a first row of titles is left out). Doubles, texts and bids
 * that the marketplace would refuse come back with their reason.
 */
export function pastedKeywords(text: string, { chosen, matchType, bid, market }: PasteOptions): PastedKeyword[] {
  const found: PastedKeyword[] = []
  const known = new Set(chosen.map(keywordId))
  for (const { line, cells } of pastedRows(text, keywordTitle)) {
    for (const entry of entriesOf(cells)) {
      if (found.length === MAX_PASTED) return found
      const row = { line, keyword: entry.keyword, matchType: entry.matchType ?? matchType, bid: entry.bid ?? bid }
      const fault = faultOf(row, known, market)
      if (fault === null) known.add(keywordId(row))
      found.push({ ...row, fault })
    }
  }
  return found
}

interface Entry {
  keyword: string
  matchType?: KeywordMatchType
  bid?: number
}

// Further cells are a match type or a bid of the first, as a spreadsheet has them; anything else is one more keyword.
function entriesOf(cells: readonly string[]): Entry[] {
  const entries: Entry[] = []
  for (const cell of cells) {
    const last = entries.at(-1)
    const bid = pastedBid(cell)
    const matchType = keywordMatchTypes.find(type => type === cell.toUpperCase())
    if (last && matchType && !last.matchType) last.matchType = matchType
    else if (last && bid !== null && last.bid === undefined) last.bid = bid
    else entries.push({ keyword: cell })
  }
  return entries
}

function faultOf(
  row: Omit<PastedKeyword, 'fault'>,
  known: ReadonlySet<string>,
  market: MarketplaceFacts,
): string | null {
  const parsed = v.safeParse(keywordText, row.keyword)
  if (!parsed.success) return parsed.issues[0].message
  if (known.has(keywordId(row))) return listedAlready
  if (known.size >= MAX_IN_LIST) return listFull
  return bidProblem(row.bid, market)
}
