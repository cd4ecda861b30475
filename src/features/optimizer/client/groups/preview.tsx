import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import { useOnline } from '#client/api/online.ts'
import { serverNow } from '#client/api/server-clock.ts'
import { formatMoment, formatMoney, formatNumber, formatPercent } from '#client/ui/figures/format.ts'
import { Card } from '#client/ui/lists/card.tsx'
import { VirtualList } from '#client/ui/lists/virtual-list.tsx'
import { confirm } from '#client/ui/overlays/dialogs.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { type Shop, shopText, useMayChange } from '#features/accounts/client/public.ts'
import { type LogRow, type OptimizerGroup, optimizerEndpoints } from '../../contract.ts'
import { DecisionCard } from '../log/decision-card.tsx'
import { logItems } from '../log/log-items.ts'
import type { LogActs } from '../log/use-log-acts.ts'
import { optimizerQueries } from '../queries.ts'

interface PreviewProps {
  group: OptimizerGroup
  shop: Shop
  acts: LogActs
  onSettings: () => void
}

/** A preview adds up what it shows, so it asks for as many rows at once as there may be. */
const summedRows = 200

/** What the group would do: of its last run, change by change, with what all of it comes to. Nothing of it is sent. */
export function Preview({ group, shop, acts, onSettings }: PreviewProps) {
  const day = group.lastRun?.day
  const query = useInfiniteQuery({
    ...optimizerQueries.log(shop, { groupId: group.id, ...(day && { dateFrom: day, dateTo: day }) }, summedRows),
    enabled: day !== undefined,
  })
  return (
    <section aria-label="Preview">
      <Start group={group} shop={shop} onSettings={onSettings} />
      {day === undefined ? (
        <p className="group-note">
          The first preview is made {group.nextRunAt ? `on ${formatMoment(group.nextRunAt, group.timezone)}` : 'soon'}.
        </p>
      ) : (
        <QueryView
          query={query}
          loading={{ rows: 3, kind: 'card', label: 'Loading the preview' }}
          failedTitle="The preview could not be loaded"
        >
          {({ pages }) => {
            const rows = pages.flatMap(page => page.content).filter(row => row.kind !== 'none')
            return (
              <>
                <Effect rows={rows} total={pages[0]?.page.totalElements ?? rows.length} currency={group.currency} />
                <div className="preview-list">
                  <VirtualList
                    items={logItems(rows).filter(item => 'rows' in item)}
                    itemKey={item => item.key}
                    label="What would change"
                    onEnd={() => query.hasNextPage && !query.isFetchingNextPage && void query.fetchNextPage()}
                  >
                    {item => <DecisionCard rows={item.rows} timezone={group.timezone} acts={acts} />}
                  </VirtualList>
                </div>
              </>
            )
          }}
        </QueryView>
      )}
    </section>
  )
}

const hourMs = 3_600_000

/** How long the preview lasts, and what can be done before it ends. */
function Start({ group, shop, onSettings }: Omit<PreviewProps, 'acts'>) {
  const online = useOnline()
  const mayChange = useMayChange()
  const client = useQueryClient()
  const { id, shadowUntil, timezone } = group
  const hours = Math.ceil((Date.parse(shadowUntil) - serverNow()) / hourMs)
  const start = useMutation({
    mutationFn: () => call(optimizerEndpoints.start, { params: { id } }, { shop: shopText(shop) }),
    onSuccess: () =>
      void toast({ title: 'Started', message: 'From the next run on, changes are sent.', tone: 'success' }),
    onSettled: () => client.invalidateQueries({ queryKey: optimizerQueries.all }),
    meta: { errorTitle: 'The group was not started' },
  })
  const askStart = async (): Promise<void> => {
    const isSure = await confirm({
      title: 'Start now?',
      message: 'From the next run on, changes are sent to the marketplace. You can undo each of them.',
      confirmText: 'Start now',
    })
    if (isSure) start.mutate()
  }
  return (
    <Card title="Preview: nothing is sent yet">
      <p>
        {hours > 0
          ? `It starts by itself in ${hours === 1 ? '1 hour' : `${formatNumber(hours)} hours`}, on ${formatMoment(shadowUntil, timezone)}.`
          : 'It starts with the next run.'}
      </p>
      {mayChange && (
        <div className="button-row">
          <Button tone="primary" disabled={!online} busy={start.isPending} onClick={() => void askStart()}>
            Start now
          </Button>
          <Button disabled={!online} onClick={onSettings}>
            Change settings
          </Button>
        </div>
      )}
    </Card>
  )
}

const nouns: Partial<Record<LogRow['kind'], [one: string, many: string]>> = {
  budget: ['budget', 'budgets'],
  negative: ['negative', 'negatives'],
  harvest: ['new target', 'new targets'],
  placement: ['placement', 'placements'],
  strategy: ['bidding strategy', 'bidding strategies'],
}

// The negative that keeps a search term's source from competing with its new target.
const isOfHarvest = ({ kind, cause }: LogRow): boolean => kind === 'negative' && cause === 'TERM_SELLS'

const counted = (count: number, [one, many]: [string, string]): string[] =>
  count === 0 ? [] : [`${formatNumber(count)} ${count === 1 ? one : many}`]

/** What all changes come to: how many of which kind, and what their targets are then expected to cost and bring. */
function Effect({ rows, total, currency }: { rows: readonly LogRow[]; total: number; currency: string }) {
  const bids = rows.filter(({ kind, before, after }) => kind === 'bid' && before !== null && after !== null)
  const up = bids.filter(({ before, after }) => Number(after) > Number(before)).length
  const parts = [
    ...counted(up, ['bid up', 'bids up']),
    ...counted(bids.length - up, ['bid down', 'bids down']),
    ...Object.entries(nouns).flatMap(([kind, noun]) =>
      counted(rows.filter(row => row.kind === kind && !isOfHarvest(row)).length, noun),
    ),
  ]
  const stake = rows.reduce((sum, { atStake }) => sum + (atStake ?? 0), 0)
  const forecasts = rows.flatMap(({ forecast }) => forecast ?? [])
  const cost = forecasts.reduce((sum, one) => sum + one.cost, 0)
  const sales = forecasts.reduce((sum, one) => sum + (one.acos ? (one.cost / one.acos) * 100 : 0), 0)
  if (rows.length === 0) return <p className="group-note">The last run would have changed nothing.</p>
  return (
    <p className="group-note">
      <strong>{parts.join(', ') || `${formatNumber(rows.length)} decisions`}.</strong>
      {stake > 0 && ` At stake: ${formatMoney(stake, currency)} a day.`}
      {cost > 0 &&
        ` The targets with a new bid are then expected to cost ${formatMoney(cost, currency)} a day${sales > 0 ? ` at ${formatPercent((cost / sales) * 100, 1)} ACOS` : ''}.`}
      {total > rows.length &&
        rows.length >= summedRows &&
        ` These are the first ${formatNumber(rows.length)} of ${formatNumber(total)}.`}
    </p>
  )
}
