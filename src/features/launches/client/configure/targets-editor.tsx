import { useQuery } from '@tanstack/react-query'
import { Button } from '#client/ui/states/button.tsx'
import type { ProductThemeRecommendation } from '#features/recommendations/contract.ts'
import { AddEntries } from '../lists/add-entries.tsx'
import { ChosenItems } from '../lists/chosen-items.tsx'
import { targetEntries } from '../lists/entries.ts'
import { targetId } from '../lists/list-changes.ts'
import { Recommended, RecommendedItems } from '../lists/recommended.tsx'
import { productMatchLabels } from '../wizard/labels.ts'
import { wizardQueries } from '../wizard/queries.ts'
import { atLeastZero, bidsOf, editList } from './edit-list.ts'
import type { ListEditorProps } from './use-configure.ts'

type AsinBid = ProductThemeRecommendation['asinBids'][number]
const toTarget = (r: AsinBid) => ({ asin: r.asin, ...bidsOf(r) })

/** Edits product targets: chosen, added by hand, recommended by theme. */
export function TargetsEditor(props: ListEditorProps) {
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
