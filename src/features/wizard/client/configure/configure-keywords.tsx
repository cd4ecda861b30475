import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as v from 'valibot'
import { MoneyField } from '#client/ui/forms/number-field.tsx'
import { SelectField } from '#client/ui/forms/select-field.tsx'
import { TextField } from '#client/ui/forms/text-field.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { keywordText } from '#features/launches/contract.ts'
import type { KeywordMatchType, KeywordRecommendation } from '#features/recommendations/contract.ts'
import { bidFault } from '../../bid-fault.ts'
import { configureMessages, isDoubleKeyword } from '../../rules.ts'
import type { WizardKeyword } from '../../wizard-state.ts'
import { BidRow, RecommendedRow } from './bid-rows.tsx'
import { BulkBids } from './bulk-bids.tsx'
import type { ConfigureListProps } from './configure-props.ts'
import { PasteKeywords } from './paste-keywords.tsx'
import { wizardQueries } from '../queries.ts'
import { Recommended } from './recommended.tsx'
import { matchWords } from '../words.ts'

const fromRecommendation = (r: KeywordRecommendation): WizardKeyword => ({
  keyword: r.keyword,
  matchType: r.matchType,
  bid: r.bid,
  lowBid: r.lowBid,
  medianBid: r.medianBid,
  highBid: r.highBid,
})

/** The keywords of one product or of the campaign: chosen, added by hand, recommended. */
export const ConfigureKeywords = (props: ConfigureListProps) => {
  const { state, dispatch, market, listKey } = props
  const { keywordMatchType: matchType } = state
  if (!matchType) return <p>{configureMessages.MATCH_TYPE}</p>
  const chosen = state.keywords[listKey] ?? []
  const list = { list: 'keywords', key: listKey } as const
  const add = (items: WizardKeyword[]) => dispatch({ type: 'keywordsAdded', key: listKey, items })
  return (
    <>
      <section className="configure-section" aria-label="Chosen keywords">
        <h3>Chosen keywords ({chosen.length})</h3>
        <p className="muted small">Fewer than 5 keywords in an ad group rarely bring enough traffic.</p>
        <BulkBids items={chosen} market={market} onBids={bids => dispatch({ type: 'bidsSet', ...list, bids })} />
        <ul className="plain-list">
          {chosen.map((k, index) => (
            <BidRow
              key={`${k.matchType} ${k.keyword}`}
              {...k}
              name={k.keyword}
              detail={matchWords[k.matchType]}
              market={market}
              onBid={bid => dispatch({ type: 'bidChanged', ...list, index, bid })}
              onRemove={() => dispatch({ type: 'itemRemoved', ...list, index })}
            />
          ))}
        </ul>
      </section>
      <AddKeyword {...props} chosen={chosen} matchType={matchType} onAdd={add} />
      <RecommendedKeywords {...props} chosen={chosen} matchType={matchType} onAdd={add} />
    </>
  )
}

interface ChoosingProps extends ConfigureListProps {
  chosen: readonly WizardKeyword[]
  matchType: KeywordMatchType
  onAdd: (items: WizardKeyword[]) => void
}

const AddKeyword = ({ chosen, matchType, market, onAdd }: ChoosingProps) => {
  const [text, setText] = useState('')
  const [match, setMatch] = useState(matchType)
  const [bid, setBid] = useState<number | null>(null)
  const parsed = v.safeParse(keywordText, text)
  const textFault = !parsed.success
    ? parsed.issues[0].message
    : isDoubleKeyword(chosen, text, match)
      ? `“${parsed.output}” is in the list already as ${matchWords[match].toLowerCase()} match.`
      : undefined
  const wrongBid = bidFault(bid, market) ?? undefined
  const ready = !textFault && !wrongBid
  return (
    <section className="configure-section" aria-label="Add keywords">
      <form
        noValidate
        onSubmit={event => {
          event.preventDefault()
          if (!ready || !parsed.success || bid === null) return
          onAdd([{ keyword: parsed.output, matchType: match, bid }])
          setText('')
        }}
      >
        <h3>Add a keyword</h3>
        <TextField
          label="Keyword"
          name="keyword"
          value={text}
          onChange={setText}
          error={text.trim() ? textFault : undefined}
          help="At most 80 characters and 10 words."
        />
        <div className="field-pair">
          <SelectField
            label="Match type"
            name="match"
            value={match}
            onChange={setMatch}
            options={(Object.keys(matchWords) as KeywordMatchType[]).map(value => ({
              value,
              label: matchWords[value],
            }))}
          />
          <MoneyField
            label="Bid"
            name="bid"
            currency={market.currency}
            value={bid}
            onChange={setBid}
            error={bid === null ? undefined : wrongBid}
          />
        </div>
        <Button type="submit" disabled={!ready} block>
          Add keyword
        </Button>
      </form>
      <PasteKeywords chosen={chosen} matchType={match} bid={bid} market={market} onAdd={onAdd} />
    </section>
  )
}

const RecommendedKeywords = ({ state, asins, market, chosen, matchType, onAdd }: ChoosingProps) => {
  const query = useQuery(wizardQueries.keywords(asins, state.strategy ?? 'NORMAL', matchType))
  const isAdded = (r: KeywordRecommendation) => isDoubleKeyword(chosen, r.keyword, r.matchType)
  const rest = query.data?.filter(r => !isAdded(r)) ?? []
  return (
    <Recommended
      query={query}
      what="keywords"
      onAddAll={rest.length ? () => onAdd(rest.map(fromRecommendation)) : null}
    >
      {items => (
        <ul className="plain-list">
          {items.map(r => (
            <RecommendedRow
              key={`${r.matchType} ${r.keyword}`}
              {...r}
              name={r.keyword}
              detail={matchWords[r.matchType]}
              currency={market.currency}
              added={isAdded(r)}
              onAdd={() => onAdd([fromRecommendation(r)])}
            />
          ))}
        </ul>
      )}
    </Recommended>
  )
}
