import '../campaigns.css'
import '../detail/detail.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { DataAge, MovingNote } from '#client/ui/figures/data-age.tsx'
import { ContextBar } from '#client/ui/filters/context-bar.tsx'
import { Segment } from '#client/ui/forms/segment.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { useWide } from '#client/ui/shell/use-wide.ts'
import { AdGroupContents } from './ad-group-contents.tsx'
import { AllFigures, FiguresAwaited } from '../figures/row-figures.tsx'
import { FiguresChart } from '../figures/figures-chart.tsx'
import { ActiveConditions } from '../list/figure-conditions.tsx'
import { ListToolbar, noFilters } from '../list/list-toolbar.tsx'
import { NegativeList } from '../negatives/negative-list.tsx'
import { SearchTermList } from '../search-terms/search-term-list.tsx'
import { campaignQueries } from '../queries.ts'
import { adSorts, columnOf, targetSorts, useListPage } from '../list/use-list-page.ts'
import { OfflineNote, useEditableRow } from '../edit/editable-row.tsx'
import { archiveOutline, chevronForwardOutline, createOutline } from 'ionicons/icons'
import { useOnline } from '#client/api/online.ts'
import type { RangeSearch } from '#client/ui/forms/date-range.ts'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { type RowAction, RowMenu } from '#client/ui/lists/row-menu.tsx'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { useSheetAddress } from '#client/ui/overlays/use-sheet-address.ts'
import { type Shop, useMayChange } from '#features/accounts/client/public.ts'
import { adGroupFields, type AdGroup } from '#features/structure/contract.ts'
import { ChangeList } from '../changes/change-list.tsx'
import { BarActions } from '../detail/bar-actions.tsx'
import { EditSheet } from '../edit/edit-sheet.tsx'
import { formatField } from '../form/field-labels.ts'
import { RowStatus } from '../list/row-status.tsx'

const route = getRouteApi('/dashboard/adgroup-details')
const tabs = [
  { value: 'keywords', label: 'Keywords' },
  { value: 'targets', label: 'Targets' },
  { value: 'ads', label: 'Ads' },
  { value: 'terms', label: 'Terms' },
  { value: 'negatives', label: 'Negatives' },
] as const
const sortsOf = { keywords: targetSorts, targets: targetSorts, ads: adSorts } as const

/** One ad group: its figures and days, and what is in it. */
export function AdGroupPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { shop, today, range, refresh } = useListPage(search)
  const id = search.adGroupId ?? 0
  const query = useQuery({ ...campaignQueries.adGroup(shop, id, range), enabled: id > 0 })
  const row = query.data?.content[0]
  const campaign = useQuery({ ...campaignQueries.row(shop, row?.campaignId ?? 0, range), enabled: row !== undefined })
  // An automatic campaign has no keywords.
  const isAutomatic = campaign.data?.content[0]?.targetingType === 'AUTO'
  const tab = search.tab ?? (isAutomatic ? 'targets' : 'keywords')
  const wide = useWide()
  const change = (next: object): void =>
    void navigate({ search: previous => ({ ...previous, ...next }), replace: true })
  return (
    <Page
      title={row?.name ?? 'Ad group'}
      back="/adgroups"
      onRefresh={refresh}
      actions={
        row && (
          <>
            {wide && <AdGroupActions stored={row} shop={shop} />}
            <AdGroupMenu stored={row} shop={shop} />
          </>
        )
      }
      footer={row && !wide && <AdGroupActions stored={row} shop={shop} />}
      status={
        <>
          <DataAge at={query.data?.freshness.asOf} />
          <MovingNote movingFrom={query.data?.freshness.movingFrom ?? null} to={range.to} />
        </>
      }
    >
      <OfflineNote />
      {id === 0 ? (
        noSuchAdGroup
      ) : (
        <QueryView
          query={query}
          loading={{ rows: 3, kind: 'card', label: 'Loading the ad group' }}
          failedTitle="The ad group could not be loaded"
          staleTitle="The latest figures could not be loaded"
          empty={() => !row && noSuchAdGroup}
        >
          {() =>
            row && (
              <>
                <AdGroupSettings stored={row} days={{ days: search.days, from: search.from, to: search.to }} />
                <section className="card detail-figures" aria-label="Figures">
                  <FiguresAwaited value={query.data?.freshness.asOf === null}>
                    <AllFigures figures={row} currency={row.currency} />
                  </FiguresAwaited>
                </section>
                <FiguresChart query={campaignQueries.adGroupChart(shop, id, range)} />
                <Segment
                  label="What is in the ad group"
                  value={tab}
                  options={tabs}
                  onChange={next =>
                    change({ ...noFilters, tab: next, name: undefined, columns: undefined, terms: undefined })
                  }
                />
                {tab === 'terms' ? (
                  <>
                    <ContextBar days={{ search, today, onChange: change }} />
                    <SearchTermList adGroupId={id} shop={shop} range={range} />
                  </>
                ) : tab === 'negatives' ? (
                  <NegativeList adGroupId={id} campaignId={row.campaignId} shop={shop} />
                ) : (
                  <>
                    <ListToolbar
                      key={tab}
                      list={tab}
                      searchLabel={`Search ${tab}`}
                      search={{ ...search, sortDir: search.sortDir ?? 'desc' }}
                      sortBy={columnOf<string>(sortsOf[tab], search.sortBy, 'cost')}
                      columns={sortsOf[tab]}
                      today={today}
                      inPage
                      onChange={change}
                    />
                    <ActiveConditions figures={search.figures} onChange={figures => change({ figures })} />
                    <AdGroupContents
                      adGroup={row}
                      tab={tab}
                      search={search}
                      range={range}
                      shop={shop}
                      onChange={change}
                    />
                  </>
                )}
              </>
            )
          }
        </QueryView>
      )}
    </Page>
  )
}

const noSuchAdGroup = <EmptyState title="There is no such ad group" hint="It may belong to another marketplace." />

const useAdGroup = (stored: AdGroup) =>
  useEditableRow('adGroup', stored, ({ id, name }) => ({ name, href: `/adgroup-details?adGroupId=${id}` }))

/** What is done with an ad group most: on a phone in the bar at the bottom. */
function AdGroupActions({ stored, shop }: { stored: AdGroup; shop: Shop }) {
  const mayChange = useMayChange()
  const { opened, open, close } = useSheetAddress('sheet')
  const { row, href, next, switchState } = useAdGroup(stored)
  if (!next || !mayChange) return null
  return (
    <>
      <BarActions
        what="ad group"
        next={next}
        onSwitch={switchState}
        others={[{ label: 'Edit', icon: createOutline, onSelect: () => open({ sheet: 'edit' }) }]}
      />
      {opened.sheet === 'edit' && (
        <EditSheet
          kind="adGroup"
          row={row}
          name={row.name}
          names={['name', 'defaultBid', 'bidOptimization']}
          title={`Edit ${row.name}`}
          submitLabel="Save ad group"
          savedTitle="Ad group saved"
          shop={shop}
          href={href}
          onClose={close}
        />
      )}
    </>
  )
}

/** What is done with an ad group now and then: its history, and its end. */
function AdGroupMenu({ stored, shop }: { stored: AdGroup; shop: Shop }) {
  const online = useOnline()
  const mayChange = useMayChange()
  const { opened, open, close } = useSheetAddress('sheet')
  const { row, next, archive } = useAdGroup(stored)
  const actions: RowAction[] = [{ label: 'History', onSelect: () => open({ sheet: 'history' }) }]
  // What is for good is not left waiting for the network.
  if (next && mayChange && online)
    actions.push({
      label: 'Archive ad group…',
      icon: archiveOutline,
      tone: 'danger',
      onSelect: () => void archive(),
    })
  return (
    <>
      <RowMenu name={row.name} actions={actions} />
      {opened.sheet === 'history' && (
        <Sheet open title={`History of ${row.name}`} onClose={close}>
          <ChangeList shop={shop} entity="adGroup" entityId={row.id} />
        </Sheet>
      )}
    </>
  )
}

/** The state and bid of an ad group in one line, with the way to its campaign. */
function AdGroupSettings({ stored, days }: { stored: AdGroup; days: RangeSearch }) {
  const { row, note } = useAdGroup(stored)
  const bid = formatField('defaultBid', adGroupFields.defaultBid, row.defaultBid, row.currency)
  return (
    <>
      <Link to="/campaigns" search={{ campaign: row.campaignId, ...days }} className="settings-line">
        <span className="row-status">
          <RowStatus state={row.state} syncState="SYNCED" syncError={null} />
        </span>
        <span className="settings-text">
          {row.defaultBid !== null && `Default bid ${bid} · `}
          <span className="visually-hidden">Campaign: </span>
          {row.campaignName}
        </span>
        <Icon icon={chevronForwardOutline} />
      </Link>
      {row.syncState === 'PENDING' && <p className="settings-sync">Being sent to the marketplace</p>}
      {row.syncState === 'FAILED' && <p className="settings-sync error">Not changed: {row.syncError}</p>}
      {note}
    </>
  )
}
