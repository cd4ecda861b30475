import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { SearchField } from '#client/ui/forms/search-field.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { Pager } from '#client/ui/lists/pager.tsx'
import { type ListRange, ScrollList, type ScrollListHandle } from '#client/ui/lists/scroll-list.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import { catalogueQueries, nameOf } from '#features/catalogue/client/public.ts'
import type { InventoryProduct } from '#features/catalogue/contract.ts'
import type { StepProps } from '../steps/step-parts.tsx'
import { ProductFacts, ProductLine } from './product-line.tsx'

export interface ProductSearch {
  size: number
  search: string
}
export const firstView: ProductSearch = { size: 20, search: '' }

interface AvailableProductsProps extends Pick<StepProps, 'state' | 'shop'> {
  view: ProductSearch
  onView: (view: ProductSearch) => void
  onSelect: (product: InventoryProduct) => void
}

export function AvailableProducts({ state, view, onView, ...rest }: AvailableProductsProps) {
  return (
    <Card title="Available Products">
      <SearchField
        label="Search by title, SKU or ASIN"
        value={view.search}
        // The endpoint takes no longer search.
        onSearch={text => onView({ ...view, search: text.trim().slice(0, 200) })}
      />
      <ProductPages
        // Another search or size starts at the top, without rows of the previous one.
        key={`${view.size} ${view.search}`}
        view={view}
        chosen={new Set(state.products.map(p => p.sku))}
        onSize={size => onView({ ...view, size })}
        {...rest}
      />
    </Card>
  )
}

interface ProductPagesProps extends Pick<AvailableProductsProps, 'view' | 'shop' | 'onSelect'> {
  chosen: ReadonlySet<string>
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
  if (total === 0)
    return search ? (
      <EmptyState title={`No product matches “${search}”`} hint="Try part of the title, the SKU or the ASIN." />
    ) : (
      <EmptyState title="No products yet" hint="Products appear here after your inventory is imported." />
    )
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
            return <ProductRow product={product} isChosen={chosen.has(product?.sku ?? '')} onSelect={onSelect} />
          }}
        </ScrollList>
      </div>
      {pages.isPaused ? (
        <output className="note">You are offline. More products will load when you are online again.</output>
      ) : (
        // The loaded rows stay visible.
        error && (
          <div className="note products-note" role="alert">
            <p>Failed to fetch inventory. This list may be outdated or incomplete.</p>
            <Button onClick={pages.retry}>Try again</Button>
          </div>
        )
      )}
      <Pager
        label="Pages of products"
        page={{ number: pages.page, size, totalElements: total, totalPages: Math.ceil(total / size) }}
        sizes={[10, 20, 50]}
        onPage={page => list.current?.scrollTo(page * size)}
        onSize={onSize}
      />
    </>
  )
}

type Select = AvailableProductsProps['onSelect']

function ProductRow(props: { product: InventoryProduct | undefined; isChosen: boolean; onSelect: Select }) {
  const { product, isChosen, onSelect } = props
  if (!product)
    return (
      <div className="product" aria-busy="true">
        <span className="visually-hidden">Loading</span>
        <span className="skeleton-shape product-waiting" aria-hidden="true" />
      </div>
    )
  const { imageUrl, asin, sku } = product
  const name = nameOf(product)
  return (
    <ProductLine imageUrl={imageUrl} name={name} isClamped ids={`${asin ?? 'no ASIN'} · ${sku}`}>
      <div className="product-foot">
        <div>
          <ProductFacts product={product} />
        </div>
        {/* Not disabled: a disabled button would lose the focus. */}
        <Button
          aria-disabled={isChosen}
          aria-label={isChosen ? `${name} is selected` : `Select ${name}`}
          onClick={() => !isChosen && onSelect(product)}
        >
          {isChosen ? 'Selected' : 'Select'}
        </Button>
      </div>
    </ProductLine>
  )
}

/**
 * The seller's products as one list. Fetches only the visible pages: not those that a fast scroll passes, and the next page
 * a little before it becomes visible.
 */
function useProductPages(shop: Shop, { size, search }: ProductSearch) {
  const client = useQueryClient()
  const [visiblePages, setVisiblePages] = useState<readonly number[]>([0])
  const [shown, setShown] = useState({ first: 0, last: 0 })
  const [total, setTotal] = useState<number | null>(null)
  const pageOf = (page: number) => catalogueQueries.inventoryPage(shop, { page, size, search })
  const pageWith = (index: number): number => Math.max(0, Math.floor(index / size))
  const queries = useQueries({ queries: visiblePages.map(pageOf) })
  const loaded = (page: number) => client.getQueryData(pageOf(page).queryKey)
  const latestTotal = queries.find(query => query.data)?.data?.page.totalElements
  if (latestTotal !== undefined && latestTotal !== total) setTotal(latestTotal)
  const failed = queries.filter(query => query.error)
  const onRange = ({ first, last, settled }: ListRange): void => {
    setShown({ first, last })
    const [from, to] = [pageWith(first), pageWith(Math.min(last + 5, (total ?? 1) - 1))]
    const pages = Array.from({ length: to - from + 1 }, (_, i) => from + i)
    const near = pages.every(page => loaded(page) ?? loaded(page - 1))
    if ((settled || near) && pages.join() !== visiblePages.join()) setVisiblePages(pages)
  }
  return {
    total,
    productAt: (index: number): InventoryProduct | undefined => loaded(pageWith(index))?.content[index % size],
    /** The page at the top, or the last page when the end is visible. */
    page: pageWith(total !== null && shown.last === total - 1 ? shown.last : shown.first),
    onRange,
    error: failed[0]?.error ?? null,
    /** True while visible rows wait for the network. */
    isPaused: queries.some(query => query.fetchStatus === 'paused' && !query.data),
    isFetching: queries.some(query => query.isFetching),
    retry: () => void Promise.all(failed.map(query => query.refetch())),
  }
}
