import { Link } from '@tanstack/react-router'
import { Figure } from '#client/ui/figures/figure.tsx'
import { Metric } from '#client/ui/figures/figure.tsx'
import type { InventoryProduct } from '../../contract.ts'
import { CogsField } from '../cogs/cogs-field.tsx'
import { EligibilityTag } from '../eligibility-tag.tsx'
import type { InventorySearch } from './inventory-search.ts'
import { ProductPicture } from '../product-picture.tsx'
import { nameOf, unknownBecause } from '../product-words.ts'

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

/** A product in the list: what it is, whether it may be advertised, price, stock and cost. */
export function ProductRow({ product, search, dense, selected, takesFocus }: ProductRowProps) {
  const name = nameOf(product)
  return (
    <li className={dense ? 'stock-row stock-row-dense' : 'stock-row'} data-selected={selected || undefined}>
      <div className="stock-head">
        <ProductPicture url={product.imageUrl} name={name} />
        <div className="stock-text">
          <Link
            to="/inventory"
            search={{ ...search, product: product.productId }}
            replace={dense}
            resetScroll={!dense}
            className="stock-link"
            data-row={product.productId}
            aria-current={selected || undefined}
            ref={takesFocus ? focusOnce : undefined}
          >
            <bdi>{name}</bdi>
          </Link>
          <p className="stock-ids">
            <bdi>{product.asin ?? 'no ASIN'}</bdi> · <bdi>{product.sku}</bdi>
            {!dense && product.brand && (
              <>
                {' '}
                · <bdi>{product.brand}</bdi>
              </>
            )}
          </p>
          {dense && <DenseFigures product={product} />}
          <EligibilityTag product={product} />
        </div>
      </div>
      {!dense && (
        <div className="list-row-figures">
          <Metric
            label="Price"
            value={product.customerPrice}
            kind="money"
            currency={product.customerCurrency}
            reason={unknownBecause.customerPrice}
          />
          <Metric label="Available" value={product.available} kind="count" reason={unknownBecause.stock} />
          <CogsField product={product} />
        </div>
      )}
    </li>
  )
}

function DenseFigures({ product }: { product: InventoryProduct }) {
  return (
    <p className="stock-line">
      <span className="visually-hidden">Price </span>
      <Figure
        value={product.customerPrice}
        kind="money"
        currency={product.customerCurrency}
        reason={unknownBecause.customerPrice}
        still
      />
      {' · '}
      <Figure value={product.available} kind="count" reason={unknownBecause.stock} still /> available
    </p>
  )
}
