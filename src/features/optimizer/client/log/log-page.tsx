import '../optimizer.css'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useToday } from '#client/api/server-clock.ts'
import { OfflineAge } from '#client/ui/figures/data-age.tsx'
import { ContextBar } from '#client/ui/filters/context-bar.tsx'
import type { FilterField } from '#client/ui/filters/filters.ts'
import { resolveRange } from '#client/ui/forms/date-range.ts'
import { Page } from '#client/ui/ionic/page.tsx'
import { SplitView } from '#client/ui/lists/split-view.tsx'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { useSheetAddress } from '#client/ui/overlays/use-sheet-address.ts'
import { useWide } from '#client/ui/shell/use-wide.ts'
import { MerchantSwitcher, useShop } from '#features/accounts/client/public.ts'
import { timezoneOfMarketplace } from '#shared/marketplace-timezones.ts'
import { dayIn } from '#shared/time.ts'
import { type LogRow, logStates, type OptimizerGroup } from '../../contract.ts'
import { kindWords, stateWords } from '../../optimizer-words.ts'
import { AutomationTabs } from '../automation-tabs.tsx'
import { type LogFilter, optimizerQueries, useOptimizerRefresh } from '../queries.ts'
import type { LogSearch } from '../optimizer-search.ts'
import { TakeOverLink } from '../take-over-link.tsx'
import { DecisionDetail } from './decision-detail.tsx'
import { LogList } from './log-list.tsx'
import { useLogActs } from './use-log-acts.ts'

const route = getRouteApi('/dashboard/automation-logs')

const kinds = Object.keys(kindWords) as LogRow['kind'][]

/** What was decided for the campaigns that are taken over: the latest first, with its evidence, its result and its undo. */
export function LogPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const wide = useWide()
  const shop = useShop()
  const timezone = timezoneOfMarketplace(shop.marketplaceId)
  const today = useToday(at => dayIn(at, timezone))
  const refresh = useOptimizerRefresh()
  const { data: groups } = useQuery(optimizerQueries.groups(shop))
  const { from, to } = resolveRange(search, today)
  const kind = kinds.find(one => one === search.kind)
  const state = logStates.find(one => one === search.state)
  const filter: LogFilter = {
    dateFrom: from,
    dateTo: to,
    ...(search.group && { groupId: search.group }),
    ...(search.campaign && { campaignId: search.campaign }),
    ...(kind && { kind }),
    ...(state && { state }),
  }
  const query = useInfiniteQuery(optimizerQueries.log(shop, filter))
  const acts = useLogActs(shop)
  const { close } = useSheetAddress('row')
  const change = (next: Partial<LogSearch>): void =>
    void navigate({ search: previous => ({ ...previous, ...next }), replace: true })
  const opened = search.row
  const listed = query.data?.pages.flatMap(page => page.content).find(({ id }) => id === opened)
  const detail =
    opened === undefined ? null : <DecisionDetail key={opened} id={opened} listed={listed} shop={shop} acts={acts} />
  const none: LogSearch = { group: undefined, campaign: undefined, kind: undefined, state: undefined }
  const isNarrowed = Boolean(search.group ?? search.campaign ?? kind ?? state)
  const list = (
    <LogList
      query={query}
      timezone={timezone}
      acts={acts}
      opened={opened}
      isNarrowed={isNarrowed}
      hasGroups={(groups?.content.length ?? 0) > 0}
      onReset={() => change(none)}
    />
  )
  return (
    <Page
      title="Automation"
      wide
      onRefresh={refresh}
      status={<OfflineAge updatedAt={[query.dataUpdatedAt]} />}
      actions={<TakeOverLink />}
      toolbar={
        <ContextBar
          account={<MerchantSwitcher />}
          days={{ search, today, onChange: change }}
          filters={{
            fields: filterFields(search, groups?.content ?? [], change),
            onReset: () => change(none),
          }}
        />
      }
    >
      <AutomationTabs />
      <SplitView
        list={list}
        detail={wide ? detail : null}
        label="Decision"
        chosen={opened}
        onClose={() => change({ row: undefined })}
      />
      {!wide && opened !== undefined && (
        <Sheet open title="Decision" onClose={close}>
          {detail}
        </Sheet>
      )}
    </Page>
  )
}

function filterFields(
  search: LogSearch,
  groups: readonly OptimizerGroup[],
  change: (next: Partial<LogSearch>) => void,
): FilterField[] {
  const number = (value: string | undefined): number | undefined => (value ? Number(value) : undefined)
  const campaigns = groups
    .filter(({ id }) => search.group === undefined || id === search.group)
    .flatMap(group => group.campaigns)
  return [
    {
      name: 'group',
      label: 'Group',
      isRare: true,
      value: search.group?.toString(),
      options: groups.map(({ id, name }) => ({ value: String(id), label: name })),
      onChange: value => change({ group: number(value), campaign: undefined }),
    },
    {
      name: 'campaign',
      label: 'Campaign',
      value: search.campaign?.toString(),
      options: [...new Map(campaigns.map(one => [one.id, one])).values()].map(({ id, name }) => ({
        value: String(id),
        label: name,
      })),
      isRare: true,
      onChange: value => change({ campaign: number(value) }),
    },
    {
      name: 'kind',
      label: 'Kind of change',
      isRare: true,
      value: search.kind,
      options: kinds.map(value => ({ value, label: kindWords[value] })),
      onChange: kind => change({ kind }),
    },
    {
      name: 'state',
      label: 'State',
      value: search.state,
      options: logStates.map(value => ({ value, label: stateWords[value].label })),
      onChange: state => change({ state }),
    },
  ]
}
