import { useQuery } from '@tanstack/react-query'
import { use } from 'react'
import { formatMoney, formatNumber } from '#client/ui/figures/format.ts'
import { Card } from '#client/ui/lists/card.tsx'
import { SheetInUse } from '#client/ui/overlays/sheets/sheet-steps.ts'
import { Button } from '#client/ui/states/button.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import { catalogueQueries, eligibilityWords, nameOf } from '#features/catalogue/client/public.ts'
import type { InventoryProduct } from '#features/catalogue/contract.ts'
import type { WizardProduct } from '../../draft/wizard-state.ts'
import { ProductPicture } from '../products/product-picture.tsx'

interface ReviewedProductsProps {
  shop: Shop
  products: readonly WizardProduct[]
  onChange: () => void
}

const reviewedItems = 100
// A long list would push the rest of the review out of sight.
const shownAtOnce = 4

/** The selected products with their current price, stock and eligibility. */
export function ReviewedProducts({ shop, products, onChange }: ReviewedProductsProps) {
  const asins = products.map(p => p.asin)
  const { data } = useQuery({
    ...catalogueQueries.inventoryPage(shop, { page: 0, size: reviewedItems, search: '', asins }),
    enabled: use(SheetInUse),
  })
  const rest = products.slice(shownAtOnce)
  const listed = new Map(data?.content.map(item => [item.sku, item]))
  return (
    <Card
      title={`Selected products (${formatNumber(products.length)})`}
      aside={
        <Button onClick={onChange} aria-label="Change the selected products">
          Change
        </Button>
      }
    >
      <ProductList products={products.slice(0, shownAtOnce)} listed={listed} />
      {rest.length > 0 && (
        <details className="fold">
          <summary>
            Show {rest.length} more {rest.length === 1 ? 'product' : 'products'}
          </summary>
          <ProductList products={rest} listed={listed} />
        </details>
      )}
    </Card>
  )
}

interface ProductListProps extends Pick<ReviewedProductsProps, 'products'> {
  listed: ReadonlyMap<string, InventoryProduct>
}

function ProductList({ products, listed }: ProductListProps) {
  return (
    <ul className="plain-list">
      {products.map(product => (
        <li key={product.asin} className="product">
          <ReviewedProduct product={product} item={listed.get(product.sku)} />
        </li>
      ))}
    </ul>
  )
}

function ReviewedProduct({ product, item }: { product: WizardProduct; item: InventoryProduct | undefined }) {
  return (
    <>
      <ProductPicture url={item?.imageUrl ?? product.imageUrl} />
      <div className="product-text">
        <strong>
          <bdi>{item ? nameOf(item) : (product.title ?? product.asin)}</bdi>
        </strong>
        <span className="muted small">
          {product.asin} · {product.sku}
        </span>
        {item && <Standing item={item} />}
      </div>
    </>
  )
}

function Standing({ item }: { item: InventoryProduct }) {
  const { label, tone, reason } = eligibilityWords(item)
  return (
    <>
      <span className="small">
        {item.customerPrice === null ? '–' : formatMoney(item.customerPrice, item.customerCurrency)} ·{' '}
        {item.available === null ? 'stock unknown' : `${formatNumber(item.available)} in stock`}
      </span>
      <span className={tone === 'danger' ? 'small danger' : 'small'}>
        <span className={tone === 'plain' ? 'tag' : `tag tag-${tone}`}>{label}</span> {reason}
      </span>
    </>
  )
}
