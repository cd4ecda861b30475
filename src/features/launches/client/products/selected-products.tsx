import { configurationOf } from '../../problems.ts'
import { isMultiProduct } from '../../draft/wizard-state.ts'
import { trashOutline } from 'ionicons/icons'
import { useRef } from 'react'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { ScrollList } from '#client/ui/lists/scroll-list.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type { WizardProduct, WizardState } from '../../draft/wizard-state.ts'
import { ListHeading } from '../lists/undo.tsx'
import { configureLabel, countLabel } from '../steps/targeting-labels.ts'
import { ProductPicture } from './product-picture.tsx'

/** Names the list for `offerUndo`. */
export const productsScope = 'products'

interface SelectedProductsProps {
  state: WizardState
  error: string | undefined
  onRemove: (asin: string) => void
  onConfigure: (asin: string) => void
}

// A long list would push the available products out of sight.
const shownAtOnce = 4

/** The products that the campaign advertises. */
export function SelectedProducts({ state, error, onRemove, onConfigure }: SelectedProductsProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { products } = state
  const rest = products.slice(shownAtOnce)
  const title = `Selected Products (${products.length})`
  const remove = (asin: string) => {
    onRemove(asin)
    // The focused button disappears with its row.
    heading.current?.focus()
  }
  const row = (product: WizardProduct | undefined) =>
    product && <SelectedRow state={state} product={product} onConfigure={onConfigure} onRemove={remove} />
  return (
    <section className="card" aria-label={title}>
      <ListHeading heading={heading} level="h2" scope={productsScope} title={title} />
      {error && (
        <p className="field-error" role="alert" tabIndex={-1} data-problem>
          {error}
        </p>
      )}
      {!products.length && <p className="muted">Select a product below.</p>}
      {products.length > 0 && (
        <ul className="plain-list" aria-label="Selected products">
          {products.slice(0, shownAtOnce).map(product => (
            <li key={product.asin}>{row(product)}</li>
          ))}
        </ul>
      )}
      {rest.length > 0 && (
        <details className="fold">
          <summary>
            Show {rest.length} more {rest.length === 1 ? 'product' : 'products'}
          </summary>
          <ScrollList
            count={rest.length}
            itemKey={index => rest[index]?.asin ?? index}
            label="More selected products"
            estimate={96}
          >
            {index => row(rest[index])}
          </ScrollList>
        </details>
      )}
    </section>
  )
}

interface SelectedRowProps extends Omit<SelectedProductsProps, 'error'> {
  product: WizardProduct
}

function SelectedRow({ state, product, onRemove, onConfigure }: SelectedRowProps) {
  const { asin, sku, title, imageUrl } = product
  const name = title ?? asin
  const configurable = configurationOf(state) !== null && !isMultiProduct(state.template)
  return (
    <div className="product">
      <ProductPicture url={imageUrl} />
      <div className="product-text">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span className="muted small">
          {asin} · {sku}
          {configurable && ` · ${countLabel(state, asin)}`}
        </span>
        {configurable && <Button onClick={() => onConfigure(asin)}>{configureLabel(state)}</Button>}
      </div>
      <button type="button" className="icon-button" aria-label={`Remove ${name}`} onClick={() => onRemove(asin)}>
        <Icon icon={trashOutline} />
      </button>
    </div>
  )
}
