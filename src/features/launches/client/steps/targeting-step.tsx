import { trashOutline } from 'ionicons/icons'
import { useEffect, useRef } from 'react'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { ScrollList } from '#client/ui/lists/scroll-list.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { nameOf } from '#features/catalogue/client/public.ts'
import type { InventoryProduct } from '#features/catalogue/contract.ts'
import { RECOMMENDED_MAX_PRODUCTS } from '../../templates.ts'
import { configureMessages, productRefusal } from '../../draft/rules.ts'
import {
  CAMPAIGN_KEY,
  isMultiProduct,
  productOf,
  takesNegatives,
  type WizardProduct,
  type WizardState,
} from '../../draft/wizard-state.ts'
import { configurationOf } from '../../problems.ts'
import { NEGATIVES_KEY, useConfigure } from '../lists/configure-sheet.tsx'
import { listFacts } from '../lists/list-changes.ts'
import { forgetUndo, ListHeading, offerUndo } from '../lists/undo.tsx'
import { AvailableProducts, type ProductSearch } from '../products/available-products.tsx'
import { ProductLine } from '../products/product-line.tsx'
import { BlockedNote, MoreProducts, ProblemNote, type StepProps } from './step-parts.tsx'

// Names the list for `offerUndo`.
const productsScope = 'products'

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
    const product = state.products.find(p => p.asin === asin)
    if (!product) return
    dispatch({ type: 'productRemoved', asin })
    offerUndo(productsScope, `“${nameOf(product)}” removed`, () =>
      dispatch({ type: 'productAdded', product, before: state }),
    )
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

interface SelectedProductsProps extends Pick<StepProps, 'state'> {
  error: string | undefined
  onRemove: (asin: string) => void
  onConfigure: (asin: string) => void
}

// A long list would push the available products out of sight.
const shownAtOnce = 4

function SelectedProducts({ state, error, onRemove, onConfigure }: SelectedProductsProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { products } = state
  const rest = products.slice(shownAtOnce)
  const title = `Selected Products (${products.length})`
  const removeAndFocus = (asin: string) => {
    onRemove(asin)
    // The focused button disappears with its row.
    heading.current?.focus()
  }
  const row = ({ asin, sku, title: name, imageUrl }: WizardProduct) => {
    const list = isMultiProduct(state.template) ? null : configuredList(state, asin)
    const remove = (
      <button
        type="button"
        className="icon-button"
        aria-label={`Remove ${name ?? asin}`}
        onClick={() => removeAndFocus(asin)}
      >
        <Icon icon={trashOutline} />
      </button>
    )
    const ids = `${asin} · ${sku}${list ? ` · ${list.count}` : ''}`
    return (
      <ProductLine imageUrl={imageUrl} name={name ?? asin} ids={ids} end={remove}>
        {list && <Button onClick={() => onConfigure(asin)}>{list.button}</Button>}
      </ProductLine>
    )
  }
  return (
    <section className="card" aria-label={title}>
      <ListHeading heading={heading} level="h2" scope={productsScope} title={title} />
      <ProblemNote>{error}</ProblemNote>
      {products.length > 0 ? (
        <ul className="plain-list" aria-label="Selected products">
          {products.slice(0, shownAtOnce).map(product => (
            <li key={product.asin}>{row(product)}</li>
          ))}
        </ul>
      ) : (
        <p className="muted">Select a product below.</p>
      )}
      <MoreProducts count={rest.length}>
        <ScrollList
          count={rest.length}
          itemKey={index => rest[index]?.asin ?? index}
          label="More selected products"
          estimate={96}
        >
          {index => rest[index] && row(rest[index])}
        </ScrollList>
      </MoreProducts>
    </section>
  )
}

const configuredLists = { KEYWORDS: 'keywords', CATEGORIES: 'categories', PRODUCT_TARGETS: 'productTargets' } as const

/** The list that the user configures for a product or the campaign: its count ("3 keywords") and button; null without one. */
function configuredList(state: WizardState, key: string): { count: string; button: string } | null {
  const what = configurationOf(state)
  if (!what) return null
  const { one, several } = listFacts[configuredLists[what]]
  const count = state[configuredLists[what]][key]?.length ?? 0
  return { count: `${count} ${count === 1 ? one : several}`, button: `Configure ${several}` }
}

export function NegativesCard(props: { state: WizardState; error: string | undefined; onConfigure: () => void }) {
  const { state, error, onConfigure } = props
  const count = state.negativeKeywords.length
  return (
    <Card title="Negative keywords">
      {error ? <ProblemNote>{error}</ProblemNote> : <BlockedNote state={state} />}
      <p className="muted">
        {count === 0
          ? 'Searches that no campaign of this launch shows your ads for. None so far.'
          : `${count} ${count === 1 ? 'search is' : 'searches are'} blocked in every campaign of this launch.`}
      </p>
      <Button onClick={onConfigure}>Configure negative keywords</Button>
    </Card>
  )
}
