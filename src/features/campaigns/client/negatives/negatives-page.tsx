import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { addOutline, closeOutline } from 'ionicons/icons'
import { OfflineAge } from '#client/ui/figures/data-age.tsx'
import { ContextBar } from '#client/ui/filters/context-bar.tsx'
import { ToolbarSearch } from '#client/ui/filters/toolbar-search.tsx'
import { SearchField } from '#client/ui/forms/search-field.tsx'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { ExportButton } from '#client/ui/lists/export-button.tsx'
import { useSheetAddress } from '#client/ui/overlays/use-sheet-address.ts'
import { useWide } from '#client/ui/shell/use-wide.ts'
import { Button } from '#client/ui/states/button.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { MerchantSwitcher, type Shop, shopText, useMayChange } from '#features/accounts/client/public.ts'
import { exportEndpoints } from '../../export-contract.ts'
import { adTypeOptions, choiceFields } from '../list/list-filters.ts'
import { noneOf } from '../list/list-search.ts'
import { useListPage } from '../list/use-list-page.ts'
import { campaignQueries } from '../queries.ts'
import { pickQuery } from '../search-terms/ad-group-picker.tsx'
import { NegativesPanel } from './negatives-panel.tsx'
import type { NegativesSearch } from './negatives-search.ts'

const route = getRouteApi('/dashboard/negatives')

type Change = (next: Partial<NegativesSearch>) => void

/** Every negative of the account: of campaigns and of ad groups, keywords and products, of each ad type. */
export function NegativesPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const wide = useWide()
  const mayChange = useMayChange()
  const { shop, refresh } = useListPage({ days: undefined, from: undefined, to: undefined })
  const { open, close } = useSheetAddress('sheet')
  const change: Change = next => void navigate({ search: previous => ({ ...previous, ...next }), replace: true })
  const { sheet, state, sortBy = 'text', sortDir = 'asc', ...narrowed } = search
  const searchProps = {
    label: 'Search negatives',
    value: search.name ?? '',
    onSearch: (name: string) => change({ name: name || undefined }),
  }
  const isNarrowed = Object.values({ state, ...narrowed }).some(value => value !== undefined)
  const filter = { ...narrowed, state: state ?? 'NOT_ARCHIVED', sortBy, sortDir } as const
  const { data, dataUpdatedAt } = useInfiniteQuery(campaignQueries.negatives(shop, filter))
  const count = data?.pages[0]?.page.totalElements
  return (
    <Page
      title="Negatives"
      wide
      status={data && <OfflineAge updatedAt={[dataUpdatedAt]} />}
      onRefresh={refresh}
      actions={
        <>
          {!wide && <ToolbarSearch {...searchProps} />}
          <ExportButton
            endpoint={exportEndpoints.negatives}
            what="negatives"
            filter={filter}
            count={count}
            shop={shopText(shop)}
          />
          {mayChange && (
            <Button className="negatives-new" onClick={() => open({ sheet: 'add' })}>
              <Icon icon={addOutline} /> <span>Add</span>
            </Button>
          )}
        </>
      }
      toolbar={
        <ContextBar
          account={<MerchantSwitcher />}
          filters={{
            fields: choiceFields<NegativesSearch>(filters, search, change),
            onReset: () => change(unset),
          }}
          search={wide && <SearchField {...searchProps} />}
        />
      }
    >
      <InCampaign shop={shop} search={search} change={change} />
      <NegativesPanel
        shop={shop}
        filter={filter}
        empty={
          isNarrowed ? (
            <EmptyState title="No negative matches" hint="Try another text or fewer filters." />
          ) : (
            <EmptyState title="No negatives yet" hint="Negatives keep ads away from searches that never sell." />
          )
        }
        isAdding={sheet === 'add'}
        onAddingEnd={close}
        table={wide && { sortBy, sortDir, onSort: sort => change(sort as Pick<NegativesSearch, 'sortBy' | 'sortDir'>) }}
      />
    </Page>
  )
}

const filters = {
  level: {
    label: 'Level',
    options: [
      { value: 'CAMPAIGN', label: 'Whole campaigns' },
      { value: 'AD_GROUP', label: 'Ad groups' },
    ],
  },
  adType: { label: 'Ad type', isRare: true, options: adTypeOptions },
  kind: {
    label: 'Kind',
    options: [
      { value: 'KEYWORD', label: 'Keywords' },
      { value: 'PRODUCT', label: 'Products and brands' },
    ],
  },
  syncState: {
    label: 'Sent',
    isRare: true,
    options: [
      { value: 'PENDING', label: 'Being sent' },
      { value: 'FAILED', label: 'Rejected' },
      { value: 'SYNCED', label: 'At the marketplace' },
    ],
  },
  state: {
    label: 'State',
    isRare: true,
    options: [
      { value: 'ARCHIVED', label: 'Removed' },
      { value: 'ALL', label: 'Removed ones too' },
    ],
  },
} as const
const unset = noneOf(filters)

/** The campaign or ad group that the list is narrowed to, with the way back to all. */
function InCampaign({ shop, search, change }: { shop: Shop; search: NegativesSearch; change: Change }) {
  const { data } = useQuery({ ...pickQuery(shop), enabled: search.campaignId !== undefined })
  if (search.campaignId === undefined && search.adGroupId === undefined) return null
  const name = data?.find(({ id }) => id === search.campaignId)?.name
  const label = name ? `Campaign ${name}` : search.adGroupId === undefined ? 'One campaign' : 'One ad group'
  return (
    <div className="narrowed">
      <button
        type="button"
        className="chip chip-active"
        aria-label={`Show all, not only: ${label}`}
        onClick={() => change({ campaignId: undefined, adGroupId: undefined })}
      >
        {label} <Icon icon={closeOutline} />
      </button>
    </div>
  )
}
