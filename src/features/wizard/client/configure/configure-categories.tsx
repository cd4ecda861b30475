import { useQuery } from '@tanstack/react-query'
import type { CategoryRecommendation } from '#features/recommendations/contract.ts'
import type { WizardCategory } from '../../wizard-state.ts'
import { BidRow, RecommendedRow } from './bid-rows.tsx'
import { BulkBids } from './bulk-bids.tsx'
import type { ConfigureListProps } from './configure-props.ts'
import { wizardQueries } from '../queries.ts'
import { Recommended } from './recommended.tsx'

const fromRecommendation = (r: CategoryRecommendation): WizardCategory => ({
  id: r.categoryId,
  name: r.name,
  bid: r.bid,
  lowBid: r.lowBid,
  medianBid: r.medianBid,
  highBid: r.highBid,
})

/** The categories that one product or the campaign is shown in: chosen and recommended, each once. */
export const ConfigureCategories = ({ state, dispatch, market, listKey, asins }: ConfigureListProps) => {
  const chosen = state.categories[listKey] ?? []
  const query = useQuery(wizardQueries.categories(asins, state.strategy ?? 'NORMAL'))
  const list = { list: 'categories', key: listKey } as const
  const isAdded = (r: CategoryRecommendation) => chosen.some(c => c.id === r.categoryId)
  const rest = query.data?.filter(r => !isAdded(r)) ?? []
  const add = (items: WizardCategory[]) => dispatch({ type: 'categoriesAdded', key: listKey, items })
  return (
    <>
      <section className="configure-section" aria-label="Chosen categories">
        <h3>Chosen categories ({chosen.length})</h3>
        <BulkBids items={chosen} market={market} onBids={bids => dispatch({ type: 'bidsSet', ...list, bids })} />
        <ul className="plain-list">
          {chosen.map((c, index) => (
            <BidRow
              key={c.id}
              {...c}
              detail="Category"
              market={market}
              onBid={bid => dispatch({ type: 'bidChanged', ...list, index, bid })}
              onRemove={() => dispatch({ type: 'itemRemoved', ...list, index })}
            />
          ))}
        </ul>
      </section>
      <Recommended
        query={query}
        what="categories"
        onAddAll={rest.length ? () => add(rest.map(fromRecommendation)) : null}
      >
        {items => (
          <ul className="plain-list">
            {items.map(r => (
              <RecommendedRow
                key={r.categoryId}
                {...r}
                name={r.path ?? r.name}
                detail="Category"
                currency={market.currency}
                added={isAdded(r)}
                onAdd={() => add([fromRecommendation(r)])}
              />
            ))}
          </ul>
        )}
      </Recommended>
    </>
  )
}
