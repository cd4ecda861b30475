import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { RECOMMENDED_MAX_PRODUCTS } from '#features/launches/contract.ts'
import type { InventoryProduct } from '#features/catalogue/contract.ts'
import { configurationOf, configureMessages, isMultiProduct, productRefusal, takesNegatives } from '../../rules.ts'
import { CAMPAIGN_KEY, type WizardState } from '../../wizard-state.ts'
import { AvailableProducts } from '../products/available-products.tsx'
import { NegativesCard } from '../negatives/negatives-card.tsx'
import { faultWithin } from '../launch/refusal.ts'
import { SelectedProducts } from '../products/selected-products.tsx'
import type { StepProps } from './strategy-step.tsx'
import { configureLabel, countWords } from './targeting-words.ts'
import { NEGATIVES_KEY, useConfigure } from '../configure/use-configure.ts'

/** What is asked for first when something cannot be configured yet. */
const missingFor = (state: WizardState): string | null => {
  if (!state.products.length) return configureMessages.PRODUCTS
  return configurationOf(state) === 'KEYWORDS' && !state.keywordMatchType ? configureMessages.MATCH_TYPE : null
}

/** Step 4: which products, and in guided mode on what each is advertised. */
export const TargetingStep = ({ state, dispatch, faults, scope }: StepProps & { scope: string }) => {
  const { open } = useConfigure()
  const multi = isMultiProduct(state.template)
  const select = (product: InventoryProduct) => {
    const refusal = productRefusal(state, product)
    if (refusal) return void toast({ ...refusal, tone: 'warning' })
    const { asin, sku, title, imageUrl } = product
    if (asin !== null) dispatch({ type: 'productAdded', product: { asin, sku, title, imageUrl } })
  }
  const configure = (key: string) => {
    const missing = missingFor(state)
    if (missing) return void toast({ title: 'Configuration Required', message: missing, tone: 'warning' })
    open(key)
  }
  return (
    <>
      <SelectedProducts
        state={state}
        error={faults['products'] ?? faults['configure'] ?? faults['keywords']}
        onRemove={asin => dispatch({ type: 'productRemoved', asin })}
        onConfigure={configure}
      />
      {multi && state.products.length > RECOMMENDED_MAX_PRODUCTS && (
        <output className="note">
          More than {RECOMMENDED_MAX_PRODUCTS} products in one campaign are not recommended.
        </output>
      )}
      {multi && configurationOf(state) && (
        <section className="card" aria-label="Campaign-level configuration">
          <h2>For the whole campaign</h2>
          <p className="muted">All selected products share what you choose here: {countWords(state, CAMPAIGN_KEY)}.</p>
          <Button onClick={() => configure(CAMPAIGN_KEY)}>{configureLabel(state)}</Button>
        </section>
      )}
      {takesNegatives(state) && (
        <NegativesCard
          state={state}
          error={faultWithin(faults, 'negativeKeywords')}
          onConfigure={() => open(NEGATIVES_KEY)}
        />
      )}
      <AvailableProducts state={state} scope={scope} onSelect={select} />
    </>
  )
}
