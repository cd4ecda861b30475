import type { KeywordMatchType } from '#features/recommendations/contract.ts'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { type PastedKeyword, pastedKeywords } from '../../lists/pasted-keywords.ts'
import type { WizardKeyword } from '../../draft/wizard-state.ts'
import { PasteList } from '../lists/paste-list.tsx'
import { matchWords } from '../wizard/words.ts'

interface PasteKeywordsProps {
  chosen: readonly WizardKeyword[]
  matchType: KeywordMatchType
  /** For rows that name no bid of their own; null while none is entered. */
  bid: number | null
  market: MarketplaceFacts
  onAdd: (items: WizardKeyword[]) => void
}

/** Keywords from elsewhere, pasted. */
export function PasteKeywords({ chosen, matchType, bid, market, onAdd }: PasteKeywordsProps) {
  return (
    <PasteList
      label="Keywords"
      name="pasted keywords"
      help={`One a line, between commas, or columns of a spreadsheet: keyword, match type, bid. Rows without their own take ${matchWords[matchType].toLowerCase()} match and the bid above.`}
      read={text => pastedKeywords(text, { chosen, matchType, bid, market })}
      nameOf={row => row.keyword}
      lineOf={lineOf}
      things={['keyword', 'keywords']}
      onAdd={rows =>
        onAdd(rows.flatMap(({ keyword, matchType, bid }) => (bid === null ? [] : [{ keyword, matchType, bid }])))
      }
    />
  )
}

function lineOf({ keyword, matchType, bid }: PastedKeyword): string {
  return [keyword, matchType, ...(bid === null ? [] : [String(bid)])].join('\t')
}
