import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useOnline } from '#client/api/online.ts'
import { DataAge } from '#client/ui/figures/data-age.tsx'
import { ContextBar } from '#client/ui/filters/context-bar.tsx'
import { ToolbarSearch } from '#client/ui/filters/toolbar-search.tsx'
import { SearchField } from '#client/ui/forms/search-field.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { useWide } from '#client/ui/shell/use-wide.ts'
import { MerchantSwitcher, useShop } from '#features/accounts/client/public.ts'
import type { InventoryPage as Answer } from '../contract.ts'
import { InventoryContent } from './inventory-content.tsx'
import { type InventorySearch, usualSize } from './inventory-search.ts'
import { catalogueQueries } from './queries.ts'
import './inventory.css'

const route = getRouteApi('/dashboard/inventory')

/** The products of the current marketplace: what is in stock, what it sells for, and what it costs. */
export function InventoryPage() {
  const shop = useShop()
  const search: InventorySearch = route.useSearch()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const { page = 0, size = usualSize, search: text = '' } = search
  const query = useQuery(catalogueQueries.inventory(shop, { page, size, search: text }))
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
          <Age data={query.data} savedAt={query.dataUpdatedAt} />
        </div>
      }
      {...(opened
        ? { back: '/inventory' }
        : {
            ...(!wide && { actions: <ToolbarSearch {...find} /> }),
            toolbar: <ContextBar account={<MerchantSwitcher />} search={wide && <SearchField {...find} />} />,
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

function Age({ data, savedAt }: { data: Answer | undefined; savedAt: number }) {
  const online = useOnline()
  if (!data) return <span />
  return (
    <span>
      {data.asOf ? (
        <DataAge at={data.asOf} prefix="Stock updated" />
      ) : (
        <span className="data-age">Stock has not been imported yet</span>
      )}
      {!online && (
        <>
          {' '}
          <DataAge at={savedAt} prefix="· saved on this device" />
        </>
      )}
    </span>
  )
}
