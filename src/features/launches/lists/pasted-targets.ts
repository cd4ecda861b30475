import { bidProblem } from '#shared/campaign-rules.ts'
import * as v from 'valibot'
import { asinSchema } from '#features/recommendations/contract.ts'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import type { WizardProductTarget } from '../draft/wizard-state.ts'
import { listedAlready, listFull, MAX_IN_LIST, targetId } from './list-changes.ts'
import { MAX_PASTED, pastedBid, pastedRows } from './pasted-rows.ts'

/** One product target of a pasted list: `fault` says in words why it cannot be added, null when it can. */
export interface PastedTarget {
  /** The line it stood in, from 1. */
  line: number
  asin: string
  /** Decimal amount; null while none is given. */
  bid: number | null
  fault: string | null
}

interface PasteOptions {
  /** What is in the list already. */
  chosen: readonly WizardProductTarget[]
  /** For rows that name none of their own. */
  bid: number | null
  market: MarketplaceFacts
}

const title = /^(asins?|products?|product targets?)$/i
const inAddress = /\/(?:dp|gp\/product)\/([a-z0-9]{10})(?:[/?#]|$)/i

/**
 * Reads product targets out of pasted text: ASINs, or addresses of product pages, one a line or several, each perhaps with its
 * bid in the next column.
 */
export function pastedTargets(text: string, { chosen, bid, market }: PasteOptions): PastedTarget[] {
  const found: PastedTarget[] = []
  const known = new Set(chosen.map(targetId))
  for (const { line, cells } of pastedRows(text, title)) {
    for (const entry of entriesOf(cells)) {
      if (found.length === MAX_PASTED) return found
      const row = { line, asin: entry.asin, bid: entry.bid ?? bid }
      const fault = faultOf(row, known, market)
      if (fault === null) known.add(row.asin)
      found.push({ ...row, fault })
    }
  }
  return found
}

// A number behind an ASIN is its bid; anything else should be one more ASIN.
function entriesOf(cells: readonly string[]): { asin: string; bid?: number }[] {
  const entries: { asin: string; bid?: number }[] = []
  for (const cell of cells) {
    const last = entries.at(-1)
    const bid = pastedBid(cell)
    if (last && bid !== null && last.bid === undefined) last.bid = bid
    else entries.push({ asin: (inAddress.exec(cell)?.[1] ?? cell).toUpperCase() })
  }
  return entries
}

function faultOf(row: Omit<PastedTarget, 'fault'>, known: ReadonlySet<string>, market: MarketplaceFacts) {
  const parsed = v.safeParse(asinSchema, row.asin)
  if (!parsed.success) return parsed.issues[0].message
  if (known.has(row.asin)) return listedAlready
  if (known.size >= MAX_IN_LIST) return listFull
  return bidProblem(row.bid, market)
}
