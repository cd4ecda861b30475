import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { cubeOutline, searchOutline } from 'ionicons/icons'
import { useState } from 'react'
import { Pager } from '#client/ui/lists/pager.tsx'
import { SplitView } from '#client/ui/lists/split-view.tsx'
import { useWide } from '#client/ui/shell/use-wide.ts'
import { Button } from '#client/ui/states/button.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import type { InventoryPage } from '../contract.ts'
import { type InventorySearch, pageSizes } from './inventory-search.ts'
import { shortened } from './product-words.ts'
import { ProductDetail } from './product-detail.tsx'
import { ProductsTable } from './products-table.tsx'
import { ProductRow } from './product-row.tsx'

interface InventoryContentProps {
  query: UseQueryResult<InventoryPage>
  search: InventorySearch
  onChange: (search: Partial<InventorySearch>) => void
}

/** The products, or why there are none to show. */
export function InventoryContent({ query, search, onChange }: InventoryContentProps) {
  return (
    <QueryView
      query={query}
      loading={{ rows: 8, kind: 'card', label: 'Loading your products' }}
      failedTitle="Failed to fetch inventory"
      staleTitle="Failed to fetch inventory"
      empty={data => data.content.length === 0 && <NoProducts data={data} search={search} onChange={onChange} />}
      fallback={
        search.page ? <Button onClick={() => onChange({ page: undefined })}>To the first page</Button> : undefined
      }
    >
      {data => <Products data={data} search={search} onChange={onChange} />}
    </QueryView>
  )
}

type ContentProps = Omit<InventoryContentProps, 'query'> & { data: InventoryPage }

function Products({ data, search, onChange }: ContentProps) {
  const wide = useWide()
  const opened = data.content.find(product => product.productId === search.product)
  const [lastOpened, setLastOpened] = useState(opened?.productId)
  if (opened && opened.productId !== lastOpened) setLastOpened(opened.productId)
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

/** Nothing on this page, why, and what to do next. */
function NoProducts({ data, search, onChange }: ContentProps) {
  if (data.page.totalElements > 0)
    return (
      <EmptyState
        title="This page is empty"
        hint="There are fewer products than before."
        action={<Button onClick={() => onChange({ page: undefined })}>To the first page</Button>}
      />
    )
  if (search.search)
    return (
      <EmptyState
        icon={searchOutline}
        title={`No product matches “${shortened(search.search)}”`}
        hint="Try part of the title, the SKU or the ASIN."
        action={<Button onClick={() => onChange({ search: undefined, page: undefined })}>Show all products</Button>}
      />
    )
  return (
    <EmptyState
      icon={cubeOutline}
      title="No products in this marketplace yet"
      hint="They arrive with the import of your seller account. If none arrive, check that it is connected, or choose another marketplace."
      action={
        <Link to="/connections" className="button button-quiet">
          See connections
        </Link>
      }
    />
  )
}
