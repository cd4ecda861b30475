import { bidProblem } from '#shared/campaign-rules.ts'
import { SelectField } from '#client/ui/forms/select-field.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type { CategoryRecommendation } from '#features/recommendations/contract.ts'
import { BidField } from './add-keyword.tsx'
import type { ConfigureProps } from './configure-props.ts'

interface AddCategoryProps extends ConfigureProps {
  /** The recommended ones that are not in the list. */
  choices: readonly CategoryRecommendation[]
  onAdd: (category: CategoryRecommendation, bid: number) => void
}

/** One category with a bid of the seller's own; what is half entered is kept with the draft. */
export function AddCategory({ state, dispatch, market, choices, onAdd }: AddCategoryProps) {
  const { selectedCategory, categoryBid } = state
  const category = choices.find(r => r.categoryId === selectedCategory)
  const wrongBid = bidProblem(categoryBid, market)
  if (!choices.length) return null
  return (
    <form
      className="configure-section"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        if (!category || wrongBid !== null || categoryBid === null) return
        onAdd(category, categoryBid)
        dispatch({ type: 'fieldsSet', fields: { selectedCategory: null } })
      }}
    >
      <h3>Add a category</h3>
      <SelectField
        label="Category"
        name="category"
        placeholder="Choose a category"
        value={category?.categoryId ?? ''}
        onChange={value => dispatch({ type: 'fieldsSet', fields: { selectedCategory: value } })}
        options={choices.map(r => ({ value: r.categoryId, label: r.path ?? r.name }))}
      />
      <BidField
        bid={categoryBid}
        market={market}
        onBid={bid => dispatch({ type: 'fieldsSet', fields: { categoryBid: bid === null ? null : Math.max(0, bid) } })}
      />
      <Button type="submit" block disabled={!category || wrongBid !== null}>
        Add category
      </Button>
    </form>
  )
}
