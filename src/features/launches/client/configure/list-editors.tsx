import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SelectField } from '#client/ui/forms/select-field.tsx'
import type { CategoryRecommendation, KeywordMatchType } from '#features/recommendations/contract.ts'
import { bidProblem } from '#shared/campaign-rules.ts'
import { configureMessages } from '../../draft/rules.ts'
import type { WizardState } from '../../draft/wizard-state.ts'
import { AddEntries, BidField, EntryForm } from '../lists/add-entries.tsx'
import { ChosenItems, ChosenItemsWithoutBids } from '../lists/chosen-items.tsx'
import { type Entry, keywordEntries, negativeEntries } from '../lists/entries.ts'
import { keywordId } from '../lists/list-changes.ts'
import { Recommended, RecommendedItems } from '../lists/recommended.tsx'
import { matchLabels, negativeMatchLabels } from '../wizard/labels.ts'
import { wizardQueries } from '../wizard/queries.ts'
import { atLeastZero, bidsOf, editList, type WithBids } from './edit-list.ts'
import { BlockedNote } from './negatives-card.tsx'
import { TargetsEditor } from './targets-editor.tsx'
import type { ListEditorProps, ListKind } from './use-configure.ts'

/** Edits one list of a product or of the whole campaign. */
export function ListEditor({ kind, ...props }: ListEditorProps & { kind: ListKind }) {
  const Editor = editors[kind]
  return <Editor {...props} />
}

function KeywordsEditor(props: ListEditorProps) {
  const { keywordMatchType } = props.state
  if (!keywordMatchType) return <p>{configureMessages.MATCH_TYPE}</p>
  return <KeywordsOfMatchType {...props} matchType={keywordMatchType} />
}

const fewKeywords = 5

type Keyword = Pick<Parameters<typeof keywordId>[0], 'keyword'> & { matchType: KeywordMatchType }
const keywordRow = (k: Keyword) => ({ id: keywordId(k), name: k.keyword, detail: matchLabels[k.matchType] })
const toKeyword = (r: Keyword & WithBids) => ({ keyword: r.keyword, matchType: r.matchType, ...bidsOf(r) })

function KeywordsOfMatchType(props: ListEditorProps & { matchType: KeywordMatchType }) {
  const { state, market, asins, matchType } = props
  const list = editList(props, 'keywords')
  const [entry, setEntry] = useState<Entry<KeywordMatchType>>({ text: '', matchType, bid: null })
  const query = useQuery(wizardQueries.keywords(asins, state.strategy ?? 'NORMAL', matchType))
  const rest = query.data?.filter(r => !list.ids.has(keywordId(r))) ?? []
  return (
    <>
      <ChosenItems
        {...list}
        hint={
          list.items.length < fewKeywords &&
          `Fewer than ${fewKeywords} keywords in an ad group rarely bring enough traffic.`
        }
        items={list.items.map(k => ({ ...k, ...keywordRow(k) }))}
        market={market}
      />
      <AddEntries
        kind={keywordEntries}
        chosen={list.items}
        market={market}
        entry={entry}
        onEntry={changes => setEntry(before => ({ ...before, ...changes }))}
        onAdd={list.add}
      />
      <Recommended
        query={query}
        plural={list.plural}
        hint="Keywords that the marketplace expects to bring the most come first."
        onAddAll={rest.length ? () => list.add(rest.map(toKeyword)) : null}
      >
        {items => (
          <RecommendedItems
            label="Recommended keywords"
            items={items.map(r => ({ ...r, ...keywordRow(r) }))}
            chosenIds={list.ids}
            currency={market.currency}
            onAdd={r => list.add([toKeyword(r)])}
          />
        )}
      </Recommended>
    </>
  )
}

const toCategory = (r: CategoryRecommendation) => ({ id: r.categoryId, name: r.name, ...bidsOf(r) })

function CategoriesEditor(props: ListEditorProps) {
  const { state, market, asins } = props
  const list = editList(props, 'categories')
  const query = useQuery(wizardQueries.categories(asins, state.strategy ?? 'NORMAL'))
  const related = query.data?.filter(r => r.isRelated)
  const unrelated = query.data?.filter(r => !r.isRelated).map(r => r.name) ?? []
  const choices = query.data?.filter(r => !list.ids.has(r.categoryId)) ?? []
  const rest = choices.filter(r => r.isRelated)
  return (
    <>
      <ChosenItems {...list} items={list.items.map(c => ({ ...c, detail: 'Category' }))} market={market} />
      <AddCategory {...props} choices={choices} onAdd={(r, bid) => list.add([{ ...toCategory(r), bid }])} />
      <Recommended
        query={{ ...query, data: related }}
        plural={list.plural}
        {...(unrelated.length > 0 && {
          hint: `Left out because they are not related to the product: ${unrelated.join(', ')}. You can add them above.`,
        })}
        onAddAll={rest.length ? () => list.add(rest.map(toCategory)) : null}
      >
        {items => (
          <RecommendedItems
            label="Recommended categories"
            items={items.map(r => ({
              ...r,
              id: r.categoryId,
              recommendation: r,
              name: r.path ?? r.name,
              detail: 'Category',
            }))}
            chosenIds={list.ids}
            currency={market.currency}
            onAdd={({ recommendation }) => list.add([toCategory(recommendation)])}
          />
        )}
      </Recommended>
    </>
  )
}

interface AddCategoryProps extends ListEditorProps {
  /** The recommended categories that are not in the list. */
  choices: readonly CategoryRecommendation[]
  onAdd: (category: CategoryRecommendation, bid: number) => void
}

// The draft stores the half-entered category.
function AddCategory({ state, dispatch, market, choices, onAdd }: AddCategoryProps) {
  const { selectedCategory, categoryBid } = state
  const category = choices.find(r => r.categoryId === selectedCategory)
  const set = (fields: Partial<Pick<WizardState, 'selectedCategory' | 'categoryBid'>>) =>
    dispatch({ type: 'fieldsSet', fields })
  if (!choices.length) return null
  return (
    <EntryForm
      one="category"
      className="configure-section"
      isReady={category !== undefined && bidProblem(categoryBid, market) === null}
      onSubmit={() => {
        if (category && categoryBid !== null) onAdd(category, categoryBid)
        set({ selectedCategory: null })
      }}
    >
      <SelectField
        label="Category"
        name="category"
        placeholder="Choose a category"
        value={category?.categoryId ?? ''}
        onChange={value => set({ selectedCategory: value })}
        options={choices.map(r => ({ value: r.categoryId, label: r.path ?? r.name }))}
      />
      <BidField bid={categoryBid} market={market} onBid={bid => set({ categoryBid: atLeastZero(bid) })} />
    </EntryForm>
  )
}

function NegativesEditor(props: ListEditorProps) {
  const { state, market } = props
  const list = editList(props, 'negativeKeywords')
  const [entry, setEntry] = useState<Entry<keyof typeof negativeMatchLabels>>({
    text: '',
    matchType: 'NEGATIVE_EXACT',
    bid: null,
  })
  return (
    <>
      <ChosenItemsWithoutBids
        {...list}
        note={<BlockedNote state={state} />}
        items={list.items.map(n => ({ id: keywordId(n), name: n.keyword, detail: negativeMatchLabels[n.matchType] }))}
      />
      <AddEntries
        kind={negativeEntries}
        chosen={list.items}
        market={market}
        entry={entry}
        onEntry={changes => setEntry(before => ({ ...before, ...changes }))}
        onAdd={list.add}
      />
    </>
  )
}

const editors = {
  KEYWORDS: KeywordsEditor,
  CATEGORIES: CategoriesEditor,
  PRODUCT_TARGETS: TargetsEditor,
  NEGATIVES: NegativesEditor,
}
