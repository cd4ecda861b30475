import { configurationOf } from '../../problems.ts'
import { useEffect } from 'react'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import { nameOf } from '#features/catalogue/client/public.ts'
import type { InventoryProduct } from '#features/catalogue/contract.ts'
import { RECOMMENDED_MAX_PRODUCTS } from '../../contract.ts'
import { configureMessages, productRefusal } from '../../draft/rules.ts'
import { CAMPAIGN_KEY, isMultiProduct, productOf, takesNegatives, type WizardState } from '../../draft/wizard-state.ts'
import { forgetUndo, offerUndo } from '../lists/undo.tsx'
import { NEGATIVES_KEY, useConfigure } from '../configure/use-configure.ts'
import { messageWithin } from '../wizard/rejection.ts'
import { NegativesCard } from '../configure/negatives-card.tsx'
import { AvailableProducts } from '../products/available-products.tsx'
import { productsScope, SelectedProducts } from '../products/selected-products.tsx'
import type { ProductSearch } from '../products/use-product-pages.ts'
import { takenProduct } from '../wizard/wizard-reducer.ts'
import type { StepProps } from './strategy-step.tsx'
import { configureLabel, countLabel } from './targeting-labels.ts'

/** What the user has to choose before the lists can be configured. */
function missingFor(state: WizardState): string | null {
  if (!state.products.length) return configureMessages.PRODUCTS
  return configurationOf(state) === 'KEYWORDS' && !state.keywordMatchType ? configureMessages.MATCH_TYPE : null
}

interface TargetingStepProps extends StepProps {
  shop: Shop
  /** Search and page size; held by the parent, because a rotated phone mounts its sheets again. */
  view: ProductSearch
  onView: (view: ProductSearch) => void
}

/** Step 4: the products, and in guided mode the targeting of each. */
export function TargetingStep({ state, dispatch, messages, shop, view, onView }: TargetingStepProps) {
  const { open } = useConfigure()
  useEffect(() => forgetUndo, [])
  const { select, remove } = useProducts({ state, dispatch })
  const multi = isMultiProduct(state.template)
  const configure = (key: string) => {
    const missing = missingFor(state)
    if (missing) return void toast({ title: 'Configuration Required', message: missing, tone: 'warning' })
    open(key)
  }
  const listFields = ['keywords', 'categories', 'productTargets']
  const listMessage = listFields.map(field => messageWithin(messages, field)).find(Boolean)
  return (
    <>
      <SelectedProducts
        state={state}
        error={messageWithin(messages, 'products') ?? (multi ? undefined : listMessage)}
        onRemove={remove}
        onConfigure={configure}
      />
      {multi && state.products.length > RECOMMENDED_MAX_PRODUCTS && (
        <output className="note">
          More than {RECOMMENDED_MAX_PRODUCTS} products in one campaign are not recommended.
        </output>
      )}
      {multi && configurationOf(state) && (
        <CampaignLevel state={state} error={listMessage} onConfigure={() => configure(CAMPAIGN_KEY)} />
      )}
      <AvailableProducts state={state} shop={shop} view={view} onView={onView} onSelect={select} />
      {takesNegatives(state) && (
        <NegativesCard
          state={state}
          error={messageWithin(messages, 'negativeKeywords')}
          onConfigure={() => open(NEGATIVES_KEY)}
        />
      )}
    </>
  )
}

function useProducts({ state, dispatch }: Pick<StepProps, 'state' | 'dispatch'>) {
  return {
    select: (product: InventoryProduct): void => {
      const refusal = productRefusal(state, product)
      if (refusal) return void toast({ ...refusal, tone: 'warning' })
      const chosen = productOf(product)
      if (chosen) dispatch({ type: 'productAdded', product: chosen })
    },
    remove: (asin: string): void => {
      const taken = takenProduct(state, asin)
      if (!taken) return
      dispatch({ type: 'productRemoved', asin })
      offerUndo(productsScope, `“${nameOf(taken.item)}” removed`, () => dispatch({ type: 'productPutBack', taken }))
    },
  }
}

interface CampaignLevelProps {
  state: WizardState
  error: string | undefined
  onConfigure: () => void
}

/** The list that all products of a multi-product template share. */
function CampaignLevel({ state, error, onConfigure }: CampaignLevelProps) {
  return (
    <section className="card" aria-label="Campaign-level configuration">
      <h2>For the whole campaign</h2>
      {error && (
        <p className="field-error" role="alert" tabIndex={-1} data-problem>
          {error}
        </p>
      )}
      <p className="muted">All selected products share what you choose here: {countLabel(state, CAMPAIGN_KEY)}.</p>
      <Button onClick={onConfigure}>{configureLabel(state)}</Button>
    </section>
  )
}
