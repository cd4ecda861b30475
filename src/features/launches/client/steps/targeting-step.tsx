import { useEffect } from 'react'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { nameOf } from '#features/catalogue/client/public.ts'
import type { InventoryProduct } from '#features/catalogue/contract.ts'
import { RECOMMENDED_MAX_PRODUCTS } from '../../contract.ts'
import { configureMessages, productRefusal } from '../../draft/rules.ts'
import { CAMPAIGN_KEY, isMultiProduct, productOf, takesNegatives } from '../../draft/wizard-state.ts'
import { configurationOf } from '../../problems.ts'
import { NEGATIVES_KEY, useConfigure } from '../lists/configure-sheet.tsx'
import { NegativesCard } from '../lists/negatives-card.tsx'
import { forgetUndo, offerUndo } from '../lists/undo.tsx'
import { AvailableProducts, type ProductSearch } from '../products/available-products.tsx'
import { configuredList, productsScope, SelectedProducts } from '../products/selected-products.tsx'
import { takenProduct } from '../wizard/wizard-reducer.ts'
import { ProblemNote, type StepProps } from './step-parts.tsx'

interface TargetingStepProps extends Omit<StepProps, 'market' | 'budget'> {
  /** Held by the parent, because a rotated phone mounts its sheets again. */
  view: ProductSearch
  onView: (view: ProductSearch) => void
}

export function TargetingStep({ state, dispatch, messages, shop, view, onView }: TargetingStepProps) {
  const { open } = useConfigure()
  useEffect(() => forgetUndo, [])
  const select = (product: InventoryProduct): void => {
    const refusal = productRefusal(state, product)
    if (refusal) return void toast({ ...refusal, tone: 'warning' })
    const chosen = productOf(product)
    if (chosen) dispatch({ type: 'productAdded', product: chosen })
  }
  const remove = (asin: string): void => {
    const taken = takenProduct(state, asin)
    if (!taken) return
    dispatch({ type: 'productRemoved', asin })
    offerUndo(productsScope, `“${nameOf(taken.product)}” removed`, () => dispatch({ type: 'productAdded', ...taken }))
  }
  const configure = (key: string) => {
    const needsMatchType = configurationOf(state) === 'KEYWORDS' && !state.keywordMatchType
    const message = !state.products.length ? configureMessages.PRODUCTS : needsMatchType && configureMessages.MATCH_TYPE
    if (message) return void toast({ title: 'Configuration Required', message, tone: 'warning' })
    open(key)
  }
  // For a field, or for anything within it (`negativeKeywords.3.keyword`).
  const messageWithin = (...fields: string[]): string | undefined =>
    Object.entries(messages).find(([name]) => fields.includes(name.split('.')[0] ?? ''))?.[1]
  const listMessage = messageWithin('keywords', 'categories', 'productTargets')
  const multi = isMultiProduct(state.template)
  const shared = multi ? configuredList(state, CAMPAIGN_KEY) : null
  return (
    <>
      <SelectedProducts
        state={state}
        error={messageWithin('products') ?? (multi ? undefined : listMessage)}
        onRemove={remove}
        onConfigure={configure}
      />
      {multi && state.products.length > RECOMMENDED_MAX_PRODUCTS && (
        <output className="note">
          More than {RECOMMENDED_MAX_PRODUCTS} products in one campaign are not recommended.
        </output>
      )}
      {shared && (
        <section className="card" aria-label="Campaign-level configuration">
          <h2>For the whole campaign</h2>
          <ProblemNote>{listMessage}</ProblemNote>
          <p className="muted">All selected products share what you choose here: {shared.count}.</p>
          <Button onClick={() => configure(CAMPAIGN_KEY)}>{shared.button}</Button>
        </section>
      )}
      <AvailableProducts state={state} shop={shop} view={view} onView={onView} onSelect={select} />
      {takesNegatives(state) && (
        <NegativesCard
          state={state}
          error={messageWithin('negativeKeywords')}
          onConfigure={() => open(NEGATIVES_KEY)}
        />
      )}
    </>
  )
}
