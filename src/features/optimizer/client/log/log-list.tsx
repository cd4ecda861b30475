import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { repeatOutline } from 'ionicons/icons'
import { formatDay, formatMoment, formatMoney } from '#client/ui/figures/format.ts'
import { DataTable, type TableColumn } from '#client/ui/lists/data-table.tsx'
import { RowMenu } from '#client/ui/lists/row-menu.tsx'
import { VirtualList } from '#client/ui/lists/virtual-list.tsx'
import { useWide } from '#client/ui/shell/use-wide.ts'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { useMayChange } from '#features/accounts/client/public.ts'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import type { LogRow, logEndpoints } from '../../contract.ts'
import { decisionText } from '../../decision-text.ts'
import { DecisionCard, useActions } from './decision-card.tsx'
import { DecisionLink, nameOf, placeOf, StateTag } from './decision-parts.tsx'
import { logItems } from './log-items.ts'
import type { LogActs } from './use-log-acts.ts'

interface LogListProps {
  query: UseInfiniteQueryResult<InfiniteData<EndpointOutput<typeof logEndpoints.list>>>
  timezone: string
  acts: LogActs
  /** The decision that is open next to the list. */
  opened: number | undefined
  isNarrowed: boolean
  hasGroups: boolean
  onReset: () => void
}

/** Decisions under their days: cards on a phone, from 768 px a table. */
export function LogList(props: LogListProps) {
  const { query, timezone, acts, opened } = props
  const wide = useWide()
  const more = (): void => {
    if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage()
  }
  return (
    <QueryView
      query={query}
      loading={{ rows: 5, kind: wide ? 'row' : 'card', label: 'Loading the log' }}
      failedTitle="The log could not be loaded"
      staleTitle="The latest decisions could not be loaded"
      empty={({ pages }) => pages[0]?.content.length === 0 && <NothingYet {...props} />}
    >
      {({ pages }) => {
        const rows = pages.flatMap(page => page.content)
        if (wide) return <LogTable rows={rows} timezone={timezone} acts={acts} opened={opened} onEnd={more} />
        return (
          <>
            <VirtualList items={logItems(rows)} itemKey={item => item.key} label="Decisions" onEnd={more}>
              {item =>
                'day' in item ? (
                  <h2 className="log-day">{formatDay(item.day)}</h2>
                ) : (
                  <DecisionCard rows={item.rows} timezone={timezone} acts={acts} />
                )
              }
            </VirtualList>
            {query.isFetchNextPageError && (
              <Button block onClick={() => void query.fetchNextPage()}>
                Load older decisions
              </Button>
            )}
          </>
        )
      }}
    </QueryView>
  )
}

interface LogTableProps extends Pick<LogListProps, 'timezone' | 'acts' | 'opened'> {
  rows: readonly LogRow[]
  onEnd: () => void
}

function LogTable({ rows, timezone, acts, opened, onEnd }: LogTableProps) {
  const isBeside = opened !== undefined
  const columns: TableColumn<LogRow>[] = [
    {
      name: 'what',
      label: 'Decision',
      width: isBeside ? 190 : 228,
      text: true,
      cell: row => (
        <>
          <DecisionLink row={row} />
          <div className="data-table-detail">{placeOf(row)}</div>
        </>
      ),
    },
    { name: 'state', label: 'State', width: 178, text: true, cell: row => <StateTag row={row} /> },
    ...(isBeside ? [] : furtherColumns(timezone, acts)),
  ]
  return (
    <DataTable
      label="Decisions"
      columns={columns}
      items={rows}
      itemKey={row => row.id}
      nameOf={nameOf}
      opened={opened}
      onEnd={onEnd}
    />
  )
}

// Next to what is open there is no room for them.
const furtherColumns = (timezone: string, acts: LogActs): TableColumn<LogRow>[] => [
  {
    name: 'why',
    label: 'Why',
    width: 290,
    text: true,
    cell: row => <span className="decision-reason">{decisionText(row).reason}</span>,
  },
  {
    name: 'stake',
    label: 'At stake',
    width: 84,
    cell: row => (row.atStake === null ? '–' : formatMoney(row.atStake, row.currency)),
  },
  {
    name: 'day',
    label: 'Decided',
    width: 84,
    cell: row => (
      <time dateTime={row.at} title={formatMoment(row.at, timezone)}>
        {formatDay(row.day)}
      </time>
    ),
  },
  {
    name: 'menu',
    label: <span className="visually-hidden">Actions</span>,
    width: 60,
    cell: row => <TableMenu row={row} acts={acts} />,
  },
]

function TableMenu({ row, acts }: { row: LogRow; acts: LogActs }) {
  const actions = useActions([row], acts)
  return actions.length > 0 && <RowMenu name={nameOf(row)} actions={actions} />
}

const takeOver: string = '/take-over'

function NothingYet({ isNarrowed, hasGroups, onReset }: LogListProps) {
  const mayChange = useMayChange()
  if (isNarrowed)
    return (
      <EmptyState
        title="No decision matches"
        hint="Try other filters or other days."
        action={<Button onClick={onReset}>Show all decisions</Button>}
      />
    )
  if (hasGroups)
    return (
      <EmptyState
        icon={repeatOutline}
        title="Nothing was decided in these days"
        hint="A group decides once a day, as soon as the figures of the day before are there. Its first preview appears here after that."
      />
    )
  return (
    <EmptyState
      icon={repeatOutline}
      title="No campaigns are taken over yet"
      hint="Give Tideline campaigns and a target ACOS. It then sets their bids and budgets and adds negatives, says why for each change, and lets you undo it. For the first 48 hours it only shows what it would do."
      action={
        mayChange && (
          <Link to={takeOver} className="button button-primary">
            Take campaigns over
          </Link>
        )
      }
    />
  )
}
