import { trashOutline } from 'ionicons/icons'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { configurationOf, isMultiProduct } from '../../rules.ts'
import type { WizardState } from '../../wizard-state.ts'
import { ProductPicture } from './product-picture.tsx'
import { configureLabel, countWords } from '../steps/targeting-words.ts'

interface SelectedProductsProps {
  state: WizardState
  error: string | undefined
  onRemove: (asin: string) => void
  onConfigure: (asin: string) => void
}

/** The products that the campaign advertises. */
export const SelectedProducts = ({ state, error, onRemove, onConfigure }: SelectedProductsProps) => {
  const configurable = configurationOf(state) !== null && !isMultiProduct(state.template)
  return (
    <Card title={`Selected Products (${state.products.length})`}>
      {error && (
        <p className="field-error" role="alert" tabIndex={-1} data-fault>
          {error}
        </p>
      )}
      {!state.products.length && <p className="muted">Select a product below.</p>}
      <ul className="plain-list">
        {state.products.map(product => (
          <li key={product.asin} className="product">
            <ProductPicture url={product.imageUrl} />
            <div className="product-text">
              <strong>{product.title ?? product.asin}</strong>
              <span className="muted small">
                {product.asin} · {product.sku}
                {configurable && ` · ${countWords(state, product.asin)}`}
              </span>
              {configurable && <Button onClick={() => onConfigure(product.asin)}>{configureLabel(state)}</Button>}
            </div>
            <button
              type="button"
              className="icon-button"
              aria-label={`Remove ${product.title ?? product.asin}`}
              onClick={() => onRemove(product.asin)}
            >
              <Icon icon={trashOutline} />
            </button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
