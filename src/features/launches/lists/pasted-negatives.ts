import type { NegativeMatchType } from '../contract.ts'
import { negativeFault } from '../draft/negative-rules.ts'
import type { WizardNegativeKeyword } from '../draft/wizard-state.ts'
import { keywordId, listedAlready, listFull, MAX_IN_LIST } from './list-changes.ts'
import { keywordTitle, MAX_PASTED, pastedRows } from './pasted-rows.ts'

/** One negative keyword of a pasted list: `fault` says in words why it cannot be added, null when it can. */
export interface PastedNegative extends WizardNegativeKeyword {
  /** The line it stood in, from 1. */
  line: number
  fault: string | null
}

interface PasteOptions {
  /** What is in the list already. */
  chosen: readonly WizardNegativeKeyword[]
  /** For rows that name none of their own. */
  matchType: NegativeMatchType
}

/** Reads negative keywords out of pasted text as keywords are read, with a match type beside each where one is named. */
export function pastedNegatives(text: string, { chosen, matchType }: PasteOptions): PastedNegative[] {
  const found: PastedNegative[] = []
  const known = new Set(chosen.map(keywordId))
  for (const { line, cells } of pastedRows(text, keywordTitle)) {
    for (const entry of entriesOf(cells, matchType)) {
      if (found.length === MAX_PASTED) return found
      const fault = faultOf(entry, known)
      if (fault === null) known.add(keywordId(entry))
      found.push({ line, ...entry, fault })
    }
  }
  return found
}

function faultOf(entry: WizardNegativeKeyword, known: ReadonlySet<string>): string | null {
  if (known.has(keywordId(entry))) return listedAlready
  if (known.size >= MAX_IN_LIST) return listFull
  return negativeFault(entry.keyword, entry.matchType, [])
}

const matchTypes: readonly [RegExp, NegativeMatchType][] = [
  [/^(negative[ _]?)?exact$/i, 'NEGATIVE_EXACT'],
  [/^(negative[ _]?)?phrase$/i, 'NEGATIVE_PHRASE'],
]

// A cell that names a match type belongs to the keyword before it; anything else is one more keyword.
function entriesOf(cells: readonly string[], usual: NegativeMatchType): WizardNegativeKeyword[] {
  const entries: (Pick<WizardNegativeKeyword, 'keyword'> & Partial<WizardNegativeKeyword>)[] = []
  for (const cell of cells) {
    const last = entries.at(-1)
    const named = matchTypes.find(([name]) => name.test(cell))?.[1]
    if (last && named && !last.matchType) last.matchType = named
    else entries.push({ keyword: cell })
  }
  return entries.map(({ keyword, matchType = usual }) => ({ keyword, matchType }))
}
