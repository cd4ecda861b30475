import { useRef } from 'react'
import { SearchField } from '#client/ui/forms/search-field.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { Pager } from '#client/ui/lists/pager.tsx'
import { ScrollList, type ScrollListHandle } from '#client/ui/lists/scroll-list.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import type { InventoryProduct } from '#features/catalogue/contract.ts'
import type { WizardState } from '../../draft/wizard-state.ts'
import { ProductRow, WaitingRow } from './product-row.tsx'
import { type ProductSearch, useProductPages } from './use-product-pages.ts'

const sizes = [10, 20, 50]
// The limit of the search endpoint.
const maxSearch = 200

interface AvailableProductsProps {
  state: WizardState
  shop: Shop
  view: ProductSearch
  onView: (view: ProductSearch) => void
  onSelect: (product: InventoryProduct) => void
}

/** The first view of the list. */
export const firstView: ProductSearch = { size: 20, search: '' }

/** The seller's products with search and pages. */
export function AvailableProducts({ state, shop, view, onView, onSelect }: AvailableProductsProps) {
  return (
    <Card title="Available Products">
      <SearchField
        label="Search by title, SKU or ASIN"
        value={view.search}
        onSearch={text => onView({ ...view, search: text.trim().slice(0, maxSearch) })}
      />
      <ProductPages
        // Another search or size starts at the top, without rows of the previous one.
        key={`${view.size} ${view.search}`}
        view={view}
        shop={shop}
        chosen={new Set(state.products.map(p => p.sku))}
        onSelect={onSelect}
        onSize={size => onView({ ...view, size })}
      />
    </Card>
  )
}

interface ProductPagesProps {
  view: ProductSearch
  shop: Shop
  chosen: ReadonlySet<string>
  onSelect: (product: InventoryProduct) => void
  onSize: (size: number) => void
}

function ProductPages({ view, shop, chosen, onSelect, onSize }: ProductPagesProps) {
  const { size, search } = view
  const pages = useProductPages(shop, view)
  const list = useRef<ScrollListHandle>(null)
  const { total, error } = pages
  if (total === null)
    return (
      <div className="product-area">
        <QueryView
          query={{ data: undefined, error, dataUpdatedAt: 0, refetch: pages.retry }}
          loading={{ rows: 8, label: 'Loading products' }}
          failedTitle="Failed to fetch inventory"
        >
          {() => null}
        </QueryView>
      </div>
    )
  if (total === 0) return <NoProducts search={search} />
  return (
    <>
      <div className="product-area" aria-busy={pages.isFetching}>
        <ScrollList
          ref={list}
          count={total}
          label="Available products"
          estimate={132}
          plainUpTo={size}
          // A row keeps its place and height while its product loads.
          itemKey={index => index}
          onRange={pages.onRange}
        >
          {index => {
            const product = pages.productAt(index)
            return product ? (
              <ProductRow product={product} chosen={chosen.has(product.sku)} onSelect={onSelect} />
            ) : (
              <WaitingRow />
            )
          }}
        </ScrollList>
      </div>
      {pages.isPaused ? (
        <output className="note">You are offline. More products will load when you are online again.</output>
      ) : (
        error && <NotAllLoaded onRetry={pages.retry} />
      )}
      <Pager
        label="Pages of products"
        page={{ number: pages.page, size, totalElements: total, totalPages: Math.ceil(total / size) }}
        sizes={sizes}
        onPage={page => list.current?.scrollTo(page * size)}
        onSize={onSize}
      />
    </>
  )
}

function NoProducts({ search }: { search: string }) {
  return (
    <EmptyState
      title={search ? `No product matches “${search}”` : 'No products yet'}
      hint={
        search
          ? 'Try part of the title, the SKU or the ASIN.'
          : 'Products appear here after your inventory is imported.'
      }
    />
  )
}

/** The loaded rows stay visible. */
function NotAllLoaded({ onRetry }: { onRetry: () => void }) {
  return (
    <div className="note products-note" role="alert">
      <p>Failed to fetch inventory. This list may be outdated or incomplete.</p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  )
}
