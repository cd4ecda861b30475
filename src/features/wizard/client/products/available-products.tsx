import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useOnline } from '#client/api/online.ts'
import { formatMoney, formatNumber } from '#client/ui/figures/format.ts'
import { SearchField } from '#client/ui/forms/search-field.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { Pager } from '#client/ui/lists/pager.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { Skeleton } from '#client/ui/states/skeleton.tsx'
import { EmptyState, FailedState, OfflineState } from '#client/ui/states/state-views.tsx'
import type { InventoryProduct } from '#features/catalogue/contract.ts'
import { productRefusals } from '../../rules.ts'
import type { WizardState } from '../../wizard-state.ts'
import { ProductPicture } from './product-picture.tsx'
import { wizardQueries } from '../queries.ts'

const sizes = [10, 20, 50]
const skeletonRows = 8

interface AvailableProductsProps {
  state: WizardState
  scope: string
  onSelect: (product: InventoryProduct) => void
}

/** The seller's products, searched and paged, each with what decides whether it can be advertised. */
export const AvailableProducts = ({ state, scope, onSelect }: AvailableProductsProps) => {
  const [{ page, size, search }, setView] = useState({ page: 0, size: 20, search: '' })
  const online = useOnline()
  const query = useQuery(wizardQueries.products(scope, page, size, search))
  const { data, error } = query
  const isChosen = (product: InventoryProduct) => state.products.some(p => p.sku === product.sku)
  return (
    <Card title="Available Products">
      <SearchField
        label="Search by title, SKU or ASIN"
        value={search}
        onSearch={text => setView({ page: 0, size, search: text.trim() })}
      />
      <div className="product-area" aria-busy={query.isFetching}>
        {data ? (
          <ProductList products={data.content} isChosen={isChosen} search={search} onSelect={onSelect} />
        ) : !online ? (
          <OfflineState />
        ) : error ? (
          <FailedState error={error} title="Failed to fetch inventory" onRetry={() => void query.refetch()} />
        ) : (
          <Skeleton rows={skeletonRows} label="Loading products" />
        )}
      </div>
      {data && data.page.totalElements > 0 && (
        <Pager
          label="Pages of products"
          page={data.page}
          sizes={sizes}
          onPage={next => setView({ page: next, size, search })}
          onSize={next => setView({ page: 0, size: next, search })}
        />
      )}
    </Card>
  )
}

interface ProductListProps {
  products: InventoryProduct[]
  isChosen: (product: InventoryProduct) => boolean
  search: string
  onSelect: (product: InventoryProduct) => void
}

const ProductList = ({ products, isChosen, search, onSelect }: ProductListProps) =>
  products.length ? (
    <ul className="plain-list">
      {products.map(product => (
        <ProductRow key={product.productId} product={product} chosen={isChosen(product)} onSelect={onSelect} />
      ))}
    </ul>
  ) : (
    <EmptyState
      title={search ? `No product matches “${search}”` : 'No products yet'}
      hint={search ? 'Try a part of the title, the SKU or the ASIN.' : 'They appear once your inventory is imported.'}
    />
  )

const ProductRow = ({
  product,
  chosen,
  onSelect,
}: {
  product: InventoryProduct
  chosen: boolean
  onSelect: (product: InventoryProduct) => void
}) => {
  const name = product.title ?? product.asin ?? product.sku
  return (
    <li className="product">
      <ProductPicture url={product.imageUrl} />
      <div className="product-text">
        <strong>{name}</strong>
        <span className="muted small">
          {product.asin ?? 'no ASIN'} · {product.sku}
        </span>
        <span className="small">
          {product.customerPrice === null ? '–' : formatMoney(product.customerPrice, product.customerCurrency)} ·{' '}
          {product.available === null ? 'stock not known' : `${formatNumber(product.available)} in stock`}
        </span>
        <Eligibility product={product} />
      </div>
      <Button
        disabled={chosen}
        aria-label={chosen ? `${name} is selected` : `Select ${name}`}
        onClick={() => onSelect(product)}
      >
        {chosen ? 'Selected' : 'Select'}
      </Button>
    </li>
  )
}

const Eligibility = ({ product }: { product: InventoryProduct }) => {
  const { spEligibilityStatus: status, spEligibilityMessage: message } = product
  if (status === 'INELIGIBLE')
    return (
      <span className="small danger">
        <span className="tag tag-danger">Not eligible</span> {message ?? productRefusals.ineligible.message}
      </span>
    )
  if (status === 'ELIGIBLE_WITH_WARNING')
    return (
      <span className="small">
        <span className="tag tag-accent">Eligible with a warning</span> {message}
      </span>
    )
  return status === 'ELIGIBLE' ? (
    <span className="tag tag-good">Eligible</span>
  ) : (
    <span className="tag">Eligibility not known</span>
  )
}
