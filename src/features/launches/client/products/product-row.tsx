import { formatMoney, formatNumber } from '#client/ui/figures/format.ts'
import { Button } from '#client/ui/states/button.tsx'
import { eligibilityWords, nameOf } from '#features/catalogue/client/public.ts'
import type { InventoryProduct } from '#features/catalogue/contract.ts'
import { ProductPicture } from './product-picture.tsx'

interface ProductRowProps {
  product: InventoryProduct
  chosen: boolean
  onSelect: (product: InventoryProduct) => void
}

/** A product with its price, stock and eligibility, and the button that selects it. */
export function ProductRow({ product, chosen, onSelect }: ProductRowProps) {
  const name = nameOf(product)
  const { label, tone, reason } = eligibilityWords(product)
  return (
    <div className="product">
      <ProductPicture url={product.imageUrl} />
      <div className="product-text">
        <strong className="product-name" title={name}>
          <bdi>{name}</bdi>
        </strong>
        <span className="muted small">
          {product.asin ?? 'no ASIN'} · {product.sku}
        </span>
        <div className="product-foot">
          <div>
            <span className="small">
              {product.customerPrice === null ? '–' : formatMoney(product.customerPrice, product.customerCurrency)} ·{' '}
              {product.available === null ? 'stock unknown' : `${formatNumber(product.available)} in stock`}
            </span>
            <span className={tone === 'danger' ? 'small danger' : 'small'}>
              <span className={tone === 'plain' ? 'tag' : `tag tag-${tone}`}>{label}</span> {reason}
            </span>
          </div>
          {/* Not disabled: a disabled button would lose the focus. */}
          <Button
            aria-disabled={chosen}
            aria-label={chosen ? `${name} is selected` : `Select ${name}`}
            onClick={() => !chosen && onSelect(product)}
          >
            {chosen ? 'Selected' : 'Select'}
          </Button>
        </div>
      </div>
    </div>
  )
}

/** The placeholder of a product that is loading. */
export function WaitingRow() {
  return (
    <div className="product" aria-busy="true">
      <span className="visually-hidden">Loading</span>
      <span className="skeleton-shape product-waiting" aria-hidden="true" />
    </div>
  )
}
