import { Figure, Metric } from '#client/ui/figures/figure.tsx'
import type { InventoryProduct } from '../contract.ts'
import { CogsField } from './cogs-field.tsx'
import type { InventorySearch } from './inventory-search.ts'
import { EligibilityTag, ProductIds, ProductLink, ProductPicture } from './product-head.tsx'
import { unknownBecause } from './product-words.ts'

interface ProductRowProps {
  product: InventoryProduct
  search: InventorySearch
  /** Beside a detail: denser, and the detail has the rest. */
  dense: boolean
  selected: boolean
  /** The way back from its detail ends here. */
  takesFocus: boolean
}

// The list was not there when the page looked for its earlier position.
function focusOnce(element: HTMLAnchorElement | null): void {
  element?.scrollIntoView({ block: 'center' })
  element?.focus({ preventScroll: true })
}

export function ProductRow({ product, search, dense, selected, takesFocus }: ProductRowProps) {
  const price = { value: product.customerPrice, kind: 'money', currency: product.customerCurrency } as const
  const stock = { value: product.available, kind: 'count', reason: unknownBecause.stock } as const
  return (
    <li className={dense ? 'stock-row stock-row-dense' : 'stock-row'} data-selected={selected || undefined}>
      <div className="stock-head">
        <ProductPicture product={product} />
        <div className="stock-text">
          <ProductLink
            product={product}
            search={search}
            replace={dense}
            resetScroll={!dense}
            aria-current={selected || undefined}
            ref={takesFocus ? focusOnce : undefined}
          />
          <ProductIds product={product}>
            {!dense && product.brand && (
              <>
                {' '}
                · <bdi>{product.brand}</bdi>
              </>
            )}
          </ProductIds>
          {dense && (
            <p className="stock-line">
              <span className="visually-hidden">Price </span>
              <Figure {...price} reason={unknownBecause.customerPrice} still />
              {' · '}
              <Figure {...stock} still /> available
            </p>
          )}
          <EligibilityTag product={product} />
        </div>
      </div>
      {!dense && (
        <div className="list-row-figures">
          <Metric label="Price" {...price} reason={unknownBecause.customerPrice} />
          <Metric label="Available" {...stock} />
          <CogsField product={product} isPast={search.day !== undefined} />
        </div>
      )}
    </li>
  )
}
