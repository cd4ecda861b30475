import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SelectField } from '#client/ui/forms/fields.tsx'
import type {
  CategoryRecommendation,
  KeywordMatchType,
  KeywordRecommendation,
  ProductThemeRecommendation,
} from '#features/recommendations/contract.ts'
import { bidProblem } from '#shared/ad-limits.ts'
import { configureMessages } from '../../draft/rules.ts'
import { BlockedNote } from '../steps/step-parts.tsx'
import { matchLabels, negativeMatchLabels, productMatchLabels } from '../wizard/labels.ts'
import { wizardQueries } from '../wizard/queries.ts'
import type { WizardFields } from '../wizard/wizard-reducer.ts'
import { AddEntries, BidField, EntryForm } from './add-entries.tsx'
import { ChosenItems } from './chosen-items.tsx'
import { editList, type ListEditorProps } from './edit-list.ts'
import { type Entry, keywordEntries, negativeEntries, targetEntries } from './entries.ts'
import { Recommended } from './recommended.tsx'

export type ListKind = keyof typeof editors

export function ListEditor({ kind, ...props }: ListEditorProps & { kind: ListKind }) {
  if (kind === 'KEYWORDS' && !props.state.keywordMatchType) return <p>{configureMessages.MATCH_TYPE}</p>
  const Editor = editors[kind]
  return <Editor {...props} />
}

function useEntry<M extends string>(matchType: M) {
  const [entry, setEntry] = useState<Entry<M>>({ text: '', matchType, bid: null })
  return { entry, onEntry: (changes: Partial<Entry<M>>) => setEntry(before => ({ ...before, ...changes })) }
}

type AsinBid = ProductThemeRecommendation['asinBids'][number]

// A recommendation's bid with the suggested range, without what only the screen shows.
function bidsOf({ bid, lowBid, medianBid, highBid }: CategoryRecommendation | KeywordRecommendation | AsinBid) {
  return { bid, lowBid, medianBid, highBid }
}

const fewKeywords = 5

function KeywordsEditor(props: ListEditorProps) {
  const { state, asins } = props
  const list = editList(props, 'keywords')
  const matchType = state.keywordMatchType ?? 'EXACT'
  const entry = useEntry<KeywordMatchType>(matchType)
  const query = useQuery(wizardQueries.keywords(asins, state.strategy ?? 'NORMAL', matchType))
  const isFew = list.items.length < fewKeywords
  return (
    <>
      <ChosenItems
        list={list}
        detailOf={k => matchLabels[k.matchType]}
        hint={isFew && `Fewer than ${fewKeywords} keywords in an ad group rarely bring enough traffic.`}
      />
      <AddEntries kind={keywordEntries} list={list} {...entry} />
      <Recommended
        query={query}
        list={list}
        hint="Keywords that the marketplace expects to bring the most come first."
        sectionsOf={data => [{ rows: data.map(keywordRow) }]}
      />
    </>
  )
}

const keywordRow = (r: KeywordRecommendation) => ({
  ...r,
  name: r.keyword,
  detail: matchLabels[r.matchType],
  item: { keyword: r.keyword, matchType: r.matchType, ...bidsOf(r) },
})

function CategoriesEditor(props: ListEditorProps) {
  const { state, asins } = props
  const list = editList(props, 'categories')
  const query = useQuery(wizardQueries.categories(asins, state.strategy ?? 'NORMAL'))
  const all = query.data ?? []
  const unrelated = all.filter(r => !r.isRelated).map(r => r.name)
  return (
    <>
      <ChosenItems list={list} detailOf={() => 'Category'} />
      <AddCategory
        {...props}
        choices={all.filter(r => !list.ids.has(r.categoryId))}
        onAdd={(r, bid) => list.add([{ ...categoryRow(r).item, bid }])}
      />
      <Recommended
        query={query}
        list={list}
        hint={
          unrelated.length > 0 &&
          `Left out because they are not related to the product: ${unrelated.join(', ')}. You can add them above.`
        }
        sectionsOf={data => [{ rows: data.filter(r => r.isRelated).map(categoryRow) }]}
      />
    </>
  )
}

const categoryRow = (r: CategoryRecommendation) => ({
  ...r,
  name: r.path ?? r.name,
  detail: 'Category',
  item: { id: r.categoryId, name: r.name, ...bidsOf(r) },
})

interface AddCategoryProps extends ListEditorProps {
  choices: readonly CategoryRecommendation[]
  onAdd: (category: CategoryRecommendation, bid: number) => void
}

// The draft stores the half-entered category.
function AddCategory({ state, dispatch, market, choices, onAdd }: AddCategoryProps) {
  const { selectedCategory, categoryBid } = state
  const category = choices.find(r => r.categoryId === selectedCategory)
  const set = (fields: Partial<WizardFields>) => dispatch({ type: 'fieldsSet', fields })
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

const atLeastZero = (bid: number | null): number | null => (bid === null ? null : Math.max(0, bid))

function TargetsEditor(props: ListEditorProps) {
  const { state, dispatch, asins } = props
  const list = editList(props, 'productTargets')
  const query = useQuery(wizardQueries.themes(asins, state.strategy ?? 'NORMAL'))
  const detail = productMatchLabels[state.productMatchType ?? 'PRODUCT_EXACT']
  const targetRow = (r: AsinBid) => ({
    ...r,
    name: r.asin,
    detail: r.isOwn ? `Your own product, as a defence · ${detail}` : detail,
    item: { asin: r.asin, ...bidsOf(r) },
  })
  // The draft stores the half-entered target.
  const onEntry = ({ text, bid }: Partial<Entry<null>>) =>
    dispatch({
      type: 'fieldsSet',
      fields: {
        ...(text !== undefined && { selectedProduct: text.trim().toUpperCase() || null }),
        ...(bid !== undefined && { productBid: atLeastZero(bid) }),
      },
    })
  const entry = { text: state.selectedProduct ?? '', matchType: null, bid: state.productBid }
  return (
    <>
      <ChosenItems list={list} detailOf={() => detail} />
      <AddEntries kind={targetEntries} list={list} entry={entry} onEntry={onEntry} />
      <Recommended
        query={query}
        list={list}
        sectionsOf={themes =>
          themes.map(({ theme, description, asinBids }) => ({
            name: sentenceCase(theme),
            description,
            rows: asinBids.map(targetRow),
          }))
        }
      />
    </>
  )
}

// The marketplace names themes in capitals: FREQUENTLY_BOUGHT_TOGETHER.
function sentenceCase(theme: string): string {
  const text = theme.replaceAll('_', ' ').toLowerCase()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function NegativesEditor(props: ListEditorProps) {
  const list = editList(props, 'negativeKeywords')
  const entry = useEntry<keyof typeof negativeMatchLabels>('NEGATIVE_EXACT')
  return (
    <>
      <ChosenItems
        list={list}
        detailOf={n => negativeMatchLabels[n.matchType]}
        note={<BlockedNote state={props.state} />}
      />
      <AddEntries kind={negativeEntries} list={list} {...entry} />
    </>
  )
}

const editors = {
  KEYWORDS: KeywordsEditor,
  CATEGORIES: CategoriesEditor,
  PRODUCT_TARGETS: TargetsEditor,
  NEGATIVES: NegativesEditor,
}
