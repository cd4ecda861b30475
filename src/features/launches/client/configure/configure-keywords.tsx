import { useQuery } from '@tanstack/react-query'
import type { KeywordMatchType, KeywordRecommendation } from '#features/recommendations/contract.ts'
import { keywordId } from '../../lists/list-changes.ts'
import { configureMessages } from '../../draft/rules.ts'
import type { WizardKeyword } from '../../draft/wizard-state.ts'
import { wizardQueries } from '../wizard/queries.ts'
import type { ItemChange } from '../wizard/state.ts'
import { matchWords } from '../wizard/words.ts'
import { AddKeyword } from './add-keyword.tsx'
import { ChosenItems } from '../lists/chosen-items.tsx'
import type { ConfigureListProps } from './configure-props.ts'
import { listActs } from '../lists/list-acts.ts'
import { Recommended } from '../lists/recommended.tsx'
import { RecommendedItems } from '../lists/recommended-items.tsx'

function fromRecommendation(r: KeywordRecommendation): WizardKeyword {
  return {
    keyword: r.keyword,
    matchType: r.matchType,
    bid: r.bid,
    lowBid: r.lowBid,
    medianBid: r.medianBid,
    highBid: r.highBid,
  }
}

/** The keywords of one product or of the campaign: chosen, added by hand, recommended. */
export function ConfigureKeywords(props: ConfigureListProps) {
  const { state, dispatch, market, listKey } = props
  const { keywordMatchType: matchType } = state
  if (!matchType) return <p>{configureMessages.MATCH_TYPE}</p>
  const chosen = state.keywords[listKey] ?? []
  const scope = `keywords ${listKey}`
  const act = (change: ItemChange<WizardKeyword>) => dispatch({ list: 'keywords', key: listKey, ...change })
  const { add, remove } = listActs({
    scope,
    items: chosen,
    idOf: keywordId,
    nameOf: k => k.keyword,
    plural: 'keywords',
    act,
  })
  return (
    <>
      <ChosenItems
        scope={scope}
        title="Chosen keywords"
        {...(chosen.length < fewKeywords && { hint: fewHint })}
        items={chosen.map(k => ({ ...k, id: keywordId(k), name: k.keyword, detail: matchWords[k.matchType] }))}
        market={market}
        act={act}
        onRemove={remove}
      />
      <AddKeyword chosen={chosen} matchType={matchType} market={market} onAdd={add} />
      <RecommendedKeywords {...props} chosen={chosen} matchType={matchType} onAdd={add} />
    </>
  )
}

const fewKeywords = 5
const fewHint = `Fewer than ${fewKeywords} keywords in an ad group rarely bring enough traffic.`

interface RecommendedKeywordsProps extends ConfigureListProps {
  chosen: readonly WizardKeyword[]
  matchType: KeywordMatchType
  onAdd: (items: WizardKeyword[]) => void
}

function RecommendedKeywords({ state, asins, market, chosen, matchType, onAdd }: RecommendedKeywordsProps) {
  const query = useQuery(wizardQueries.keywords(asins, state.strategy ?? 'NORMAL', matchType))
  const known = new Set(chosen.map(keywordId))
  const rest = query.data?.filter(r => !known.has(keywordId(r))) ?? []
  return (
    <Recommended
      query={query}
      what="keywords"
      hint="What the marketplace expects to bring most comes first."
      onAddAll={rest.length ? () => onAdd(rest.map(fromRecommendation)) : null}
    >
      {items => (
        <RecommendedItems
          label="Recommended keywords"
          items={items.map(r => ({ ...r, id: keywordId(r), name: r.keyword, detail: matchWords[r.matchType] }))}
          known={known}
          currency={market.currency}
          onAdd={index => onAdd(items.slice(index, index + 1).map(fromRecommendation))}
        />
      )}
    </Recommended>
  )
}
