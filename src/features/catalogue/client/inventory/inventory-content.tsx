import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { useOnline } from '#client/api/online.ts'
import { Pager } from '#client/ui/lists/pager.tsx'
import { SplitView } from '#client/ui/lists/split-view.tsx'
import { useWide } from '#client/ui/shell/use-wide.ts'
import { Button } from '#client/ui/states/button.tsx'
import { Skeleton } from '#client/ui/states/skeleton.tsx'
import { FailedState, OfflineState } from '#client/ui/states/state-views.tsx'
import type { InventoryPage } from '../../contract.ts'
import { type InventorySearch, pageSizes } from './inventory-search.ts'
import { NoProducts } from './no-products.tsx'
import { ProductDetail } from '../product-detail.tsx'
import { ProductsTable } from './products-table.tsx'
import { ProductRow } from './product-row.tsx'

const skeletonRows = 8

interface InventoryContentProps {
  query: UseQueryResult<InventoryPage>
  search: InventorySearch
  onChange: (search: Partial<InventorySearch>) => void
}

/** The list in whichever state it is. */
export const InventoryContent = ({ query, search, onChange }: InventoryContentProps) => {
  const online = useOnline()
  const { data, error } = query
  const toFirst = search.page ? <Button onClick={() => onChange({ page: undefined })}>To the first page</Button> : null
  if (data) {
    const shown = <Products data={data} search={search} onChange={onChange} />
    return error && online ? (
      <FailedState error={error} title="Failed to fetch inventory" onRetry={() => void query.refetch()}>
        {shown}
      </FailedState>
    ) : (
      shown
    )
  }
  if (!online)
    return (
      <>
        <OfflineState />
        {toFirst}
      </>
    )
  if (error)
    return (
      <FailedState error={error} title="Failed to fetch inventory" onRetry={() => void query.refetch()}>
        {toFirst}
      </FailedState>
    )
  return <Skeleton rows={skeletonRows} kind="card" label="Loading your products" />
}

const Products = ({
  data,
  search,
  onChange,
}: Pick<InventoryContentProps, 'search' | 'onChange'> & { data: InventoryPage }) => {
  const wide = useWide()
  const opened = data.content.find(product => product.productId === search.product)
  const [lastOpened, setLastOpened] = useState(opened?.productId)
  if (opened && opened.productId !== lastOpened) setLastOpened(opened.productId)
  if (data.content.length === 0) return <NoProducts data={data} search={search} onChange={onChange} />
  return (
    <SplitView
      list={
        <>
          {wide && !opened ? (
            <ProductsTable products={data.content} search={search} />
          ) : (
            <ul className="stock-list" aria-label="Products">
              {data.content.map(product => (
                <ProductRow
                  key={product.productId}
                  product={product}
                  search={search}
                  dense={wide}
                  selected={wide && product === opened}
                  takesFocus={!wide && product.productId === lastOpened}
                />
              ))}
            </ul>
          )}
          <Pager
            label="Pages of products"
            page={data.page}
            sizes={pageSizes}
            onPage={page => onChange({ page: page || undefined, product: undefined })}
            onSize={size =>
              onChange({ size: pageSizes.find(one => one === size), page: undefined, product: undefined })
            }
          />
        </>
      }
      detail={opened ? <ProductDetail key={opened.productId} product={opened} takesFocus={!wide} /> : null}
      label="Product"
      chosen={opened?.productId}
      onClose={() => onChange({ product: undefined })}
    />
  )
}
