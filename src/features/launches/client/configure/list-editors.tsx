import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SelectField } from '#client/ui/forms/select-field.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type {
  CategoryRecommendation,
  KeywordMatchType,
  ProductThemeRecommendation,
} from '#features/recommendations/contract.ts'
import { bidProblem } from '#shared/campaign-rules.ts'
import { configureMessages } from '../../draft/rules.ts'
import type { WizardState } from '../../draft/wizard-state.ts'
import { AddEntries, BidField, EntryForm } from '../lists/add-entries.tsx'
import { ChosenItems, ChosenItemsWithoutBids } from '../lists/chosen-items.tsx'
import { type Entry, keywordEntries, negativeEntries, targetEntries } from '../lists/entries.ts'
import { keywordId, targetId } from '../lists/list-changes.ts'
import { Recommended, RecommendedItems } from '../lists/recommended.tsx'
import { matchLabels, negativeMatchLabels, productMatchLabels } from '../wizard/labels.ts'
import { wizardQueries } from '../wizard/queries.ts'
import { editList } from './edit-list.ts'
import { BlockedNote } from './negatives-card.tsx'
import type { ListEditorProps, ListKind } from './use-configure.ts'

/** Edits one list of a product or of the whole campaign. */
export function ListEditor({ kind, ...props }: ListEditorProps & { kind: ListKind }) {
  const Editor = editors[kind]
  return <Editor {...props} />
}

interface WithBids {
  bid: number
  lowBid: number | null
  medianBid: number | null
  highBid: number | null
}
const bidsOf = ({ bid, lowBid, medianBid, highBid }: WithBids) => ({ bid, lowBid, medianBid, highBid })

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

const atLeastZero = (bid: number | null): number | null => (bid === null ? null : Math.max(0, bid))

type AsinBid = ProductThemeRecommendation['asinBids'][number]
const toTarget = (r: AsinBid) => ({ asin: r.asin, ...bidsOf(r) })

function TargetsEditor(props: ListEditorProps) {
  const { state, dispatch, market, asins } = props
  const list = editList(props, 'productTargets')
  const query = useQuery(wizardQueries.themes(asins, state.strategy ?? 'NORMAL'))
  const detail = productMatchLabels[state.productMatchType ?? 'PRODUCT_EXACT']
  const canAdd = (r: AsinBid) => !list.ids.has(r.asin) && !r.isOwn
  // The seller's own products are added one at a time, as a defence.
  const rest = query.data?.flatMap(t => t.asinBids).filter(canAdd) ?? []
  const entry = { text: state.selectedProduct ?? '', matchType: null, bid: state.productBid }
  return (
    <>
      <ChosenItems
        {...list}
        items={list.items.map(t => ({ ...t, id: targetId(t), name: t.asin, detail }))}
        market={market}
      />
      <AddEntries
        kind={targetEntries}
        chosen={list.items}
        market={market}
        entry={entry}
        // The draft stores the half-entered target.
        onEntry={({ text, bid }) =>
          dispatch({
            type: 'fieldsSet',
            fields: {
              ...(text !== undefined && { selectedProduct: text.trim().toUpperCase() || null }),
              ...(bid !== undefined && { productBid: atLeastZero(bid) }),
            },
          })
        }
        onAdd={list.add}
      />
      <Recommended
        query={query}
        plural={list.plural}
        onAddAll={rest.length ? () => list.add(rest.map(toTarget)) : null}
      >
        {themes =>
          themes.map(theme => (
            <Theme
              key={theme.theme}
              theme={theme}
              chosenIds={list.ids}
              rest={theme.asinBids.filter(canAdd)}
              detail={detail}
              currency={market.currency}
              onAdd={bids => list.add(bids.map(toTarget))}
            />
          ))
        }
      </Recommended>
    </>
  )
}

interface ThemeProps {
  theme: ProductThemeRecommendation
  chosenIds: ReadonlySet<string>
  /** The products of the theme that can be added together. */
  rest: readonly AsinBid[]
  detail: string
  currency: string
  onAdd: (bids: readonly AsinBid[]) => void
}

// Products that are recommended for the same reason.
function Theme({ theme, chosenIds, rest, detail, currency, onAdd }: ThemeProps) {
  const name = sentenceCase(theme.theme)
  return (
    <section className="theme" aria-label={name}>
      <div className="card-head">
        <h4>{name}</h4>
        {theme.asinBids.length > 1 && (
          <Button disabled={!rest.length} onClick={() => onAdd(rest)}>
            {rest.length ? `Add these ${rest.length}` : 'All added'}
          </Button>
        )}
      </div>
      {theme.description && <p className="muted small">{theme.description}</p>}
      <RecommendedItems
        label={name}
        items={theme.asinBids.map(r => ({
          ...r,
          id: r.asin,
          name: r.asin,
          detail: r.isOwn ? `Your own product, as a defence · ${detail}` : detail,
        }))}
        chosenIds={chosenIds}
        currency={currency}
        onAdd={r => onAdd([r])}
      />
    </section>
  )
}

// The marketplace names themes in capitals: FREQUENTLY_BOUGHT_TOGETHER.
function sentenceCase(theme: string): string {
  const text = theme.replaceAll('_', ' ').toLowerCase()
  return text.charAt(0).toUpperCase() + text.slice(1)
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
