import { useQuery } from '@tanstack/react-query'
import type { CategoryRecommendation } from '#features/recommendations/contract.ts'
import { categoryId } from '../../lists/list-changes.ts'
import type { WizardCategory } from '../../draft/wizard-state.ts'
import { wizardQueries } from '../wizard/queries.ts'
import type { ItemChange } from '../wizard/state.ts'
import { AddCategory } from './add-category.tsx'
import { ChosenItems } from '../lists/chosen-items.tsx'
import type { ConfigureListProps } from './configure-props.ts'
import { listActs } from '../lists/list-acts.ts'
import { Recommended } from '../lists/recommended.tsx'
import { RecommendedItems } from '../lists/recommended-items.tsx'

function fromRecommendation(r: CategoryRecommendation): WizardCategory {
  return {
    id: r.categoryId,
    name: r.name,
    bid: r.bid,
    lowBid: r.lowBid,
    medianBid: r.medianBid,
    highBid: r.highBid,
  }
}

function leftOut(names: readonly string[]): string {
  return `Left out as not related to the product: ${names.join(', ')}. You can add them above.`
}

/** The categories that one product or the campaign is shown in: chosen and recommended, each once. */
export function ConfigureCategories({ state, dispatch, market, listKey, asins }: ConfigureListProps) {
  const chosen = state.categories[listKey] ?? []
  const query = useQuery(wizardQueries.categories(asins, state.strategy ?? 'NORMAL'))
  const known = new Set(chosen.map(categoryId))
  const rest = query.data?.filter(r => !known.has(r.categoryId)) ?? []
  const related = rest.filter(r => r.isRelated)
  const unrelated = query.data?.filter(r => !r.isRelated).map(r => r.name) ?? []
  const scope = `categories ${listKey}`
  const act = (change: ItemChange<WizardCategory>) => dispatch({ list: 'categories', key: listKey, ...change })
  const { add, remove } = listActs({
    scope,
    items: chosen,
    idOf: categoryId,
    nameOf: c => c.name,
    plural: 'categories',
    act,
  })
  return (
    <>
      <ChosenItems
        scope={scope}
        title="Chosen categories"
        items={chosen.map(c => ({ ...c, detail: 'Category' }))}
        market={market}
        act={act}
        onRemove={remove}
      />
      <AddCategory
        state={state}
        dispatch={dispatch}
        market={market}
        choices={rest}
        onAdd={(r, bid) => add([{ ...fromRecommendation(r), bid }])}
      />
      <Recommended
        query={{ ...query, data: query.data?.filter(r => r.isRelated) }}
        what="categories"
        {...(unrelated.length > 0 && { hint: leftOut(unrelated) })}
        onAddAll={related.length ? () => add(related.map(fromRecommendation)) : null}
      >
        {items => (
          <RecommendedItems
            label="Recommended categories"
            items={items.map(r => ({ ...r, id: r.categoryId, name: r.path ?? r.name, detail: 'Category' }))}
            known={known}
            currency={market.currency}
            onAdd={index => add(items.slice(index, index + 1).map(fromRecommendation))}
          />
        )}
      </Recommended>
    </>
  )
}
