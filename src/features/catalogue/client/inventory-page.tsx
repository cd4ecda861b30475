import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ContextBar } from '#client/ui/filters/context-bar.tsx'
import { ToolbarSearch } from '#client/ui/filters/toolbar-search.tsx'
import { SearchField } from '#client/ui/forms/search-field.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { useWide } from '#client/ui/shell/use-wide.ts'
import { MerchantSwitcher, shopText, useShop } from '#features/accounts/client/public.ts'
import { catalogueEndpoints, type InventoryPage as Answer, type InventoryProduct } from '../contract.ts'
import { inventorySorts } from '../inventory-sorts.ts'
import { type InventorySearch, usualSize, pageSizes } from './inventory-search.ts'
import { catalogueQueries, inventoryFilterOf } from './queries.ts'
import { cubeOutline, searchOutline } from 'ionicons/icons'
import { useState } from 'react'
import { ExportButton } from '#client/ui/lists/export-button.tsx'
import { Pager } from '#client/ui/lists/pager.tsx'
import { SplitView } from '#client/ui/lists/split-view.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { shortened, unknownBecause } from './product-words.ts'
import { ProductDetail } from './product-detail.tsx'
import { ProductRow } from './product-row.tsx'
import { Figure } from '#client/ui/figures/figure.tsx'
import { formatFigure, type FigureKind } from '#client/ui/figures/format.ts'
import { DataTable, type TableColumn } from '#client/ui/lists/data-table.tsx'
import { CogsField } from './cogs-field.tsx'
import { EligibilityTag, ProductIds, ProductLink, ProductPicture } from './product-head.tsx'
import { Age, type ChoiceProps, DayChoice, ImportButton, sortOf } from './inventory-controls.tsx'
import './inventory.css'

const route = getRouteApi('/dashboard/inventory')

export function InventoryPage() {
  const shop = useShop()
  const search: InventorySearch = route.useSearch()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const { page = 0, size = usualSize, search: text = '' } = search
  const filter = { search: text, sortBy: search.sortBy, sortDir: search.sortDir, snapshotDate: search.day }
  const query = useQuery(catalogueQueries.inventory(shop, { page, size, ...filter }))
  const wide = useWide()
  // On a phone a detail takes the place of the list, and Back leads to the list.
  const opened = !wide && Boolean(query.data?.content.some(({ productId }) => productId === search.product))
  const change = (next: Partial<InventorySearch>): void =>
    void navigate({ search: (before: InventorySearch) => ({ ...before, ...next }), replace: !('page' in next) })
  const find = {
    label: 'Search by title, SKU or ASIN',
    value: text,
    onSearch: (typed: string) =>
      change({ search: typed.trim().slice(0, 200) || undefined, page: undefined, product: undefined }),
  }
  return (
    <Page
      title="Inventory"
      status={
        <div className="stock-status">
          {search.from === 'wizard' && <BackToCampaign />}
          <Age data={query.data} savedAt={query.dataUpdatedAt} day={search.day} />
        </div>
      }
      {...(opened
        ? { back: '/inventory' }
        : {
            actions: (
              <>
                {!wide && <ToolbarSearch {...find} />}
                <ImportButton />
                <ExportButton
                  endpoint={catalogueEndpoints.exported}
                  what="products"
                  filter={inventoryFilterOf(filter)}
                  count={query.data?.page.totalElements}
                  shop={shopText(shop)}
                />
              </>
            ),
            toolbar: (
              <ContextBar
                account={<MerchantSwitcher />}
                {...(!wide && { filters: sortOf({ search, onChange: change }) })}
                search={
                  <>
                    <DayChoice search={search} onChange={change} />
                    {wide && <SearchField {...find} />}
                  </>
                }
              />
            ),
          })}
      onRefresh={() => client.invalidateQueries({ queryKey: catalogueQueries.all })}
      wide
    >
      <InventoryContent query={query} search={search} onChange={change} />
    </Page>
  )
}

const wizard: string = '/create-campaign'
const settingsStep = 3

// The draft opens where it was left.
function BackToCampaign() {
  return (
    <Link to={wizard} search={{ step: settingsStep }} className="button button-primary">
      Back to your campaign
    </Link>
  )
}

interface InventoryContentProps {
  query: UseQueryResult<Answer>
  search: InventorySearch
  onChange: (search: Partial<InventorySearch>) => void
}

function InventoryContent({ query, search, onChange }: InventoryContentProps) {
  const wide = useWide()
  return (
    <QueryView
      query={query}
      loading={{ rows: 8, kind: wide ? 'row' : 'card', label: 'Loading your products' }}
      failedTitle="Failed to fetch inventory"
      staleTitle="Failed to fetch inventory"
      empty={data => data.content.length === 0 && <NoProducts data={data} search={search} onChange={onChange} />}
      fallback={
        search.page ? <Button onClick={() => onChange({ page: undefined })}>Go to the first page</Button> : undefined
      }
    >
      {data => <Products data={data} search={search} onChange={onChange} />}
    </QueryView>
  )
}

type ContentProps = Omit<InventoryContentProps, 'query'> & { data: Answer }

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
            <ProductsTable products={data.content} search={search} onChange={onChange} />
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

function NoProducts({ data, search, onChange }: ContentProps) {
  if (data.page.totalElements > 0)
    return (
      <EmptyState
        title="This page is empty"
        hint="There are fewer products than before."
        action={<Button onClick={() => onChange({ page: undefined })}>Go to the first page</Button>}
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

function ProductsTable({ products, search, onChange }: ChoiceProps & { products: readonly InventoryProduct[] }) {
  const columns: TableColumn<InventoryProduct>[] = [
    {
      name: 'title',
      label: 'Product',
      width: 300,
      text: true,
      sortable: true,
      cell: product => (
        <div className="stock-cell">
          <ProductPicture product={product} />
          <div>
            <ProductLink product={product} search={search} resetScroll={false} />
            <ProductIds product={product} />
          </div>
        </div>
      ),
    },
    {
      name: 'eligible',
      label: 'Advertising',
      width: 150,
      text: true,
      cell: product => <EligibilityTag product={product} />,
    },
    {
      name: 'price',
      label: 'Price',
      width: 100,
      sortable: true,
      cell: product => full(product.customerPrice, 'money', unknownBecause.customerPrice, product.customerCurrency),
    },
    {
      name: 'available',
      label: 'Available',
      width: 100,
      sortable: true,
      cell: product => full(product.available, 'count', unknownBecause.stock),
    },
    {
      name: 'cover',
      label: 'Days of cover',
      width: 120,
      sortable: true,
      cell: product => full(product.coverDays ?? null, 'count', unknownBecause.coverDays),
    },
    {
      name: 'cogs',
      label: 'COGS',
      width: 150,
      sortable: true,
      cell: product => <CogsField product={product} isPast={search.day !== undefined} />,
    },
    {
      name: 'inbound',
      label: 'Inbound',
      width: 90,
      cell: product => full(product.inboundQuantity, 'count', unknownBecause.stock),
    },
    {
      name: 'rank',
      label: 'Best seller rank',
      width: 150,
      sortable: true,
      cell: product => full(product.bestSellerRank, 'count', unknownBecause.bestSellerRank),
    },
  ]
  return (
    <DataTable
      label="Products"
      columns={columns}
      items={products}
      itemKey={product => product.productId}
      nameOf={product => product.title ?? product.sku}
      sort={{
        sortBy: search.sortBy ?? 'title',
        sortDir: search.sortDir ?? 'asc',
        onSort: ({ sortBy, sortDir }) =>
          onChange({ sortBy: inventorySorts.find(name => name === sortBy), sortDir, page: undefined }),
      }}
    />
  )
}

const full = (value: number | null, kind: FigureKind, reason: string, currency?: string) =>
  value === null ? <Figure value={null} kind={kind} reason={reason} /> : formatFigure(value, kind, currency)
