import '../bulk/bulk.css'
import { getRouteApi } from '@tanstack/react-router'
import { useQueryClient } from '@tanstack/react-query'
import { useEvents } from '#client/api/events.ts'
import { useToday } from '#client/api/server-clock.ts'
import { ContextBar } from '#client/ui/filters/context-bar.tsx'
import { resolveRange } from '#client/ui/forms/date-range.ts'
import { Page } from '#client/ui/ionic/page.tsx'
import { useSheetAddress } from '#client/ui/overlays/use-sheet-address.ts'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { MerchantSwitcher, useShop } from '#features/accounts/client/public.ts'
import type { EntityName } from '#features/structure/contract.ts'
import { timezoneOfMarketplace } from '#shared/marketplace-timezones.ts'
import { dayIn } from '#shared/time.ts'
import { campaignQueries } from '../queries.ts'
import { ChangeList, entityLabels } from './change-list.tsx'
import { GroupView } from './group-view.tsx'
import type { HistorySearch } from './history-search.ts'

const route = getRouteApi('/dashboard/changes')

const originOptions = [
  { value: 'USER', label: 'People' },
  { value: 'MARKETPLACE', label: 'Marketplace' },
  { value: 'LAUNCH', label: 'Launches' },
  { value: 'RULE', label: 'Rules' },
] as const
const entityOptions = (Object.keys(entityLabels) as EntityName[]).map(value => ({ value, label: entityLabels[value] }))

/** Every change of the account's campaigns and what is in them: by whom, before and after, with its undo. */
export function HistoryPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const shop = useShop()
  const today = useToday(at => dayIn(at, timezoneOfMarketplace(shop.marketplaceId)))
  const { from, to } = resolveRange(search, today)
  const refresh = () => client.invalidateQueries({ queryKey: [...campaignQueries.all, 'changes'] })
  useEvents('/events', ({ event }) => event === 'campaigns' && void refresh(), { onReconnect: () => void refresh() })
  const change = (next: Partial<HistorySearch>): void =>
    void navigate({ search: previous => ({ ...previous, ...next }), replace: true })
  const { close } = useSheetAddress('group')
  const { origin, entity, group } = search
  return (
    <Page
      title="History"
      onRefresh={refresh}
      toolbar={
        <ContextBar
          account={<MerchantSwitcher />}
          days={{ search, today, onChange: change }}
          filters={{
            fields: [
              {
                name: 'origin',
                label: 'Changed by',
                value: origin,
                options: originOptions,
                onChange: value => change({ origin: originOptions.find(one => one.value === value)?.value }),
              },
              {
                name: 'entity',
                label: 'What',
                value: entity,
                options: entityOptions,
                onChange: value => change({ entity: entityOptions.find(one => one.value === value)?.value }),
              },
            ],
            onReset: () => change({ origin: undefined, entity: undefined }),
          }}
        />
      }
    >
      <ChangeList
        shop={shop}
        limit={50}
        dateFrom={from}
        dateTo={to}
        collapsed
        {...(origin && { origin })}
        {...(entity && { entity })}
      />
      {group && (
        <Sheet open title="Changes made together" onClose={close}>
          <GroupView shop={shop} groupId={group} />
        </Sheet>
      )}
    </Page>
  )
}
