import { useQuery } from '@tanstack/react-query'
import { Button } from '#client/ui/states/button.tsx'
import type { ProductThemeRecommendation } from '#features/recommendations/contract.ts'
import { targetId } from '../../lists/list-changes.ts'
import type { WizardProductTarget } from '../../draft/wizard-state.ts'
import { wizardQueries } from '../wizard/queries.ts'
import type { ItemChange } from '../wizard/state.ts'
import { productMatchWords } from '../wizard/words.ts'
import { AddTarget } from './add-target.tsx'
import { ChosenItems } from '../lists/chosen-items.tsx'
import type { ConfigureListProps } from './configure-props.ts'
import { listActs } from '../lists/list-acts.ts'
import { Recommended } from '../lists/recommended.tsx'
import { RecommendedItems } from '../lists/recommended-items.tsx'

// Themes come as the marketplace names them: FREQUENTLY_BOUGHT_TOGETHER.
function inWords(theme: string): string {
  const words = theme.replaceAll('_', ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

type AsinBid = ProductThemeRecommendation['asinBids'][number]

function fromRecommendation(r: AsinBid): WizardProductTarget {
  return {
    asin: r.asin,
    bid: r.bid,
    lowBid: r.lowBid,
    medianBid: r.medianBid,
    highBid: r.highBid,
  }
}

/** The products that an ad is shown beside: chosen, added by hand, recommended by theme. */
export function ConfigureTargets(props: ConfigureListProps) {
  const { state, dispatch, market, listKey, asins } = props
  const chosen = state.productTargets[listKey] ?? []
  const query = useQuery(wizardQueries.themes(asins, state.strategy ?? 'NORMAL'))
  const detail = productMatchWords[state.productMatchType ?? 'PRODUCT_EXACT']
  const known = new Set(chosen.map(targetId))
  const scope = `productTargets ${listKey}`
  const act = (change: ItemChange<WizardProductTarget>) => dispatch({ list: 'productTargets', key: listKey, ...change })
  const { add, remove } = listActs({
    scope,
    items: chosen,
    idOf: targetId,
    nameOf: targetId,
    plural: 'product targets',
    act,
  })
  // A page of the seller's own is taken one by one, as a defence.
  const rest = query.data?.flatMap(t => t.asinBids).filter(r => !known.has(r.asin) && !r.isOwn) ?? []
  return (
    <>
      <ChosenItems
        scope={scope}
        title="Chosen product targets"
        items={chosen.map(t => ({ ...t, id: t.asin, name: t.asin, detail }))}
        market={market}
        act={act}
        onRemove={remove}
      />
      <AddTarget {...props} chosen={chosen} onAdd={add} />
      <Recommended
        query={query}
        what="product targets"
        onAddAll={rest.length ? () => add(rest.map(fromRecommendation)) : null}
      >
        {themes =>
          themes.map(theme => (
            <Theme
              key={theme.theme}
              theme={theme}
              known={known}
              detail={detail}
              currency={market.currency}
              onAdd={bids => add(bids.map(fromRecommendation))}
            />
          ))
        }
      </Recommended>
    </>
  )
}

interface ThemeProps {
  theme: ProductThemeRecommendation
  known: ReadonlySet<string>
  detail: string
  currency: string
  onAdd: (bids: readonly AsinBid[]) => void
}

/** Products recommended for one reason; taking the theme adds those that are not chosen yet. */
function Theme({ theme, known, detail, currency, onAdd }: ThemeProps) {
  const name = inWords(theme.theme)
  const rest = theme.asinBids.filter(r => !known.has(r.asin) && !r.isOwn)
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
        known={known}
        currency={currency}
        onAdd={index => onAdd(theme.asinBids.slice(index, index + 1))}
      />
    </section>
  )
}
