import { useQuery } from '@tanstack/react-query'
import { use } from 'react'
import { formatNumber } from '#client/ui/figures/format.ts'
import { Card } from '#client/ui/lists/card.tsx'
import { SheetInUse } from '#client/ui/overlays/sheets/sheet-steps.ts'
import { Button } from '#client/ui/states/button.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import { catalogueQueries, nameOf } from '#features/catalogue/client/public.ts'
import type { WizardProduct } from '../../draft/wizard-state.ts'
import { ProductFacts, ProductLine } from '../products/product-line.tsx'
import { MoreProducts } from '../steps/step-parts.tsx'

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
  const listed = new Map(data?.content.map(item => [item.sku, item]))
  const rows = products.map(({ asin, sku, title, imageUrl }) => {
    const item = listed.get(sku)
    return (
      <li key={asin}>
        <ProductLine
          imageUrl={item?.imageUrl ?? imageUrl}
          name={
            <strong>
              <bdi>{item ? nameOf(item) : (title ?? asin)}</bdi>
            </strong>
          }
          ids={`${asin} · ${sku}`}
        >
          {item && <ProductFacts product={item} />}
        </ProductLine>
      </li>
    )
  })
  return (
    <Card
      title={`Selected products (${formatNumber(products.length)})`}
      aside={
        <Button onClick={onChange} aria-label="Change the selected products">
          Change
        </Button>
      }
    >
      <ul className="plain-list">{rows.slice(0, shownAtOnce)}</ul>
      <MoreProducts count={rows.length - shownAtOnce}>
        <ul className="plain-list">{rows.slice(shownAtOnce)}</ul>
      </MoreProducts>
    </Card>
  )
}
