import { useState } from 'react'
import * as v from 'valibot'
import { MoneyField } from '#client/ui/forms/number-field.tsx'
import { SelectField } from '#client/ui/forms/select-field.tsx'
import { TextField } from '#client/ui/forms/text-field.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { bidProblem } from '#shared/campaign-rules.ts'
import { keywordText } from '../../contract.ts'
import type { KeywordMatchType } from '#features/recommendations/contract.ts'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { keywordId, listFull, MAX_IN_LIST } from '../../lists/list-changes.ts'
import type { WizardKeyword } from '../../draft/wizard-state.ts'
import { matchWords } from '../wizard/words.ts'
import { PasteKeywords } from './paste-keywords.tsx'

interface AddKeywordProps {
  chosen: readonly WizardKeyword[]
  /** The campaign's, which each keyword may leave. */
  matchType: KeywordMatchType
  market: MarketplaceFacts
  onAdd: (items: WizardKeyword[]) => void
}

const matchOptions = (Object.keys(matchWords) as KeywordMatchType[]).map(value => ({ value, label: matchWords[value] }))

/** Keywords from the seller's own head, one by one or as a list. */
export function AddKeyword({ chosen, matchType, market, onAdd }: AddKeywordProps) {
  const [text, setText] = useState('')
  const [match, setMatch] = useState(matchType)
  const [bid, setBid] = useState<number | null>(null)
  const textFault = keywordFault(text, match, chosen)
  const wrongBid = bidProblem(bid, market)
  const add = () => {
    if (textFault !== null || wrongBid !== null || bid === null) return
    onAdd([{ keyword: text.trim(), matchType: match, bid }])
    setText('')
  }
  return (
    <section className="configure-section" aria-label="Add keywords">
      <form
        noValidate
        onSubmit={event => {
          event.preventDefault()
          add()
        }}
      >
        <h3>Add a keyword</h3>
        <TextField
          label="Keyword"
          name="keyword"
          value={text}
          onChange={setText}
          error={(text.trim() && textFault) || undefined}
          help="At most 80 characters and 10 words."
        />
        <div className="field-pair">
          <SelectField label="Match type" name="match" value={match} onChange={setMatch} options={matchOptions} />
          <BidField bid={bid} onBid={setBid} market={market} />
        </div>
        <Button type="submit" disabled={textFault !== null || wrongBid !== null} block>
          Add keyword
        </Button>
      </form>
      <PasteKeywords chosen={chosen} matchType={match} bid={bid} market={market} onAdd={onAdd} />
    </section>
  )
}

interface BidFieldProps {
  bid: number | null
  onBid: (bid: number | null) => void
  market: MarketplaceFacts
}

/** The bid of what is being added by hand. */
export function BidField({ bid, onBid, market }: BidFieldProps) {
  return (
    <MoneyField
      label="Bid"
      name="bid"
      currency={market.currency}
      value={bid}
      onChange={onBid}
      error={bid === null ? undefined : (bidProblem(bid, market) ?? undefined)}
    />
  )
}

function keywordFault(text: string, matchType: KeywordMatchType, chosen: readonly WizardKeyword[]): string | null {
  const parsed = v.safeParse(keywordText, text)
  if (!parsed.success) return parsed.issues[0].message
  const id = keywordId({ keyword: text, matchType })
  if (chosen.some(k => keywordId(k) === id))
    return `“${parsed.output}” is in the list already as ${matchWords[matchType].toLowerCase()} match.`
  return chosen.length >= MAX_IN_LIST ? listFull : null
}
