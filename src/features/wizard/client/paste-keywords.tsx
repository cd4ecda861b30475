import { useDeferredValue, useState } from 'react'
import { TextField } from '#client/ui/forms/text-field.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type { KeywordMatchType } from '#features/recommendations/contract.ts'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { type PastedKeyword, pastedKeywords } from '../lists/pasted-keywords.ts'
import type { WizardKeyword } from '../wizard-state.ts'
import { matchWords } from './words.ts'

interface PasteKeywordsProps {
  chosen: readonly WizardKeyword[]
  matchType: KeywordMatchType
  /** For rows that name no bid of their own; null while none is entered. */
  bid: number | null
  market: MarketplaceFacts
  onAdd: (items: WizardKeyword[]) => void
}

/** A list from elsewhere, pasted: what can be added, and row by row why the rest cannot. */
export const PasteKeywords = ({ chosen, matchType, bid, market, onAdd }: PasteKeywordsProps) => {
  const [text, setText] = useState('')
  const rows = pastedKeywords(useDeferredValue(text), { chosen, matchType, bid, market })
  const good = rows.flatMap(({ keyword, matchType, bid, fault }) =>
    fault === null && bid !== null ? [{ keyword, matchType, bid }] : [],
  )
  const refused = rows.filter(row => row.fault !== null)
  const add = () => {
    onAdd(good)
    // What was refused stays to be mended.
    setText(refused.map(lineOf).join('\n'))
  }
  return (
    <details className="paste-list">
      <summary>Paste a list</summary>
      <TextField
        label="Keywords"
        name="pasted keywords"
        rows={5}
        value={text}
        onChange={setText}
        help={`One a line, between commas, or columns of a spreadsheet: keyword, match type, bid. Rows without their own take ${matchWords[matchType].toLowerCase()} match and the bid above.`}
      />
      <output className="small">{rows.length > 0 && `${good.length} of ${rows.length} can be added.`}</output>
      {refused.length > 0 && (
        <ul className="plain-list refused-rows" aria-label="Rows that cannot be added">
          {refused.map(row => (
            <li key={`${row.line} ${row.keyword}`} className="small">
              Line {row.line}: <strong>{shortened(row.keyword)}</strong> – {row.fault}
            </li>
          ))}
        </ul>
      )}
      <Button type="button" block disabled={good.length === 0} onClick={add}>
        {good.length === 1 ? 'Add 1 keyword' : `Add ${good.length} keywords`}
      </Button>
    </details>
  )
}

const lineOf = ({ keyword, matchType, bid }: PastedKeyword): string =>
  [keyword, matchType, ...(bid === null ? [] : [String(bid)])].join('\t')

const shownCharacters = 60
const shortened = (text: string): string =>
  text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text
