import './team.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { DataAge, MovingNote, OfflineAge } from '#client/ui/figures/data-age.tsx'
import { Change, Money } from '#client/ui/figures/figure.tsx'
import { formatDayRange, formatMoment, formatMoney, formatPercent } from '#client/ui/figures/format.ts'
import { SearchField } from '#client/ui/forms/search-field.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { DataTable, type TableColumn } from '#client/ui/lists/data-table.tsx'
import { useWide } from '#client/ui/shell/use-wide.ts'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { chooseShop } from '#features/accounts/client/public.ts'
import { kinds } from '#features/notifications/contract.ts'
import type { Client, Clients } from '../clients-contract.ts'
import { teamQueries } from './queries.ts'

/** All merchants of an agency side by side, those that need attention first. */
export function ClientsPage() {
  const query = useQuery(teamQueries.clients())
  const [search, setSearch] = useState('')
  return (
    <Page title="Clients" status={<OfflineAge updatedAt={[query.dataUpdatedAt]} />} onRefresh={() => query.refetch()}>
      <QueryView
        query={query}
        loading={{ rows: 4, kind: 'card', label: 'Loading your clients' }}
        failedTitle="Your clients could not be loaded"
        empty={({ clients }) =>
          clients.length === 0 && (
            <EmptyState title="No clients yet" hint="Connect the seller accounts of your clients, or ask for access." />
          )
        }
      >
        {answer => (
          <>
            <SearchField label="Search clients" value={search} onSearch={setSearch} />
            <p className="sentences client-days">
              {formatDayRange(answer.now.from, answer.now.to)}, compared with the 7 days before.{' '}
              <MovingNote movingFrom={answer.movingFrom} to={answer.now.to} />
            </p>
            <ClientList answer={answer} search={search.trim().toLowerCase()} />
          </>
        )}
      </QueryView>
    </Page>
  )
}

const nameOf = ({ merchantName, countryCode }: Client): string => `${merchantName} · ${countryCode}`
const keyOf = ({ merchantId, marketplaceId }: Client): string => `${merchantId}/${marketplaceId}`

function ClientList({ answer: { clients, withoutAccess }, search }: { answer: Clients; search: string }) {
  const isWide = useWide()
  const choose = useMutation(chooseShop(useQueryClient()))
  const navigate = useNavigate()
  const open = (client: Client) =>
    choose.mutate(client, { onSuccess: () => void navigate({ to: '/home', search: {} as never }) })
  const found = clients.filter(client => nameOf(client).toLowerCase().includes(search))
  return (
    <>
      {found.length === 0 && <EmptyState title="No client has this name" hint="Try another part of the name." />}
      {found.length > 0 &&
        (isWide ? (
          <DataTable label="Clients" columns={columnsFor(open)} items={found} itemKey={keyOf} nameOf={nameOf} />
        ) : (
          <ul className="client-deck" aria-busy={choose.isPending}>
            {found.map(client => (
              <ClientCard key={keyOf(client)} client={client} onOpen={() => open(client)} />
            ))}
          </ul>
        ))}
      {withoutAccess > 0 && (
        <p className="sentences">
          {withoutAccess === 1 ? 'One client is' : `${withoutAccess} clients are`} left out: no subscription covers{' '}
          {withoutAccess === 1 ? 'it' : 'them'}.
        </p>
      )}
    </>
  )
}

function ClientCard({ client, onOpen }: { client: Client; onOpen: () => void }) {
  const { currency, now, before, openAlerts, lastChangeAt } = client
  return (
    <li className="card client-card">
      <h2>
        <button type="button" className="client-open" onClick={onOpen}>
          {nameOf(client)}
        </button>
      </h2>
      <p className={client.reason ? 'client-reason' : 'client-calm'}>{reasonOf(client)}</p>
      {now ? (
        <dl className="client-figures">
          <div>
            <dt>Ad spend</dt>
            <dd>
              <Money amount={now.cost} currency={currency} />
              <Change now={now.cost} before={before?.cost ?? null} />
            </dd>
          </div>
          <div>
            <dt>Ad sales</dt>
            <dd>
              <Money amount={now.sales} currency={currency} />
              <Change now={now.sales} before={before?.sales ?? null} good="up" />
            </dd>
          </div>
          <div>
            <dt>ACOS</dt>
            <dd>
              {acosText(now.acos)}
              <Change now={now.acos} before={before?.acos ?? null} good="down" />
            </dd>
          </div>
        </dl>
      ) : (
        <p>Its figures are not imported yet.</p>
      )}
      <p className="client-foot">
        {alertsText(openAlerts)}.{' '}
        {lastChangeAt === null ? 'Never changed.' : <DataAge at={lastChangeAt} prefix="Last change" />}
      </p>
    </li>
  )
}

const acosText = (acos: number | null): string => (acos === null ? 'No sales' : formatPercent(acos))
const alertsText = (count: number): string =>
  count === 0 ? 'No open alerts' : count === 1 ? '1 open alert' : `${count} open alerts`

function columnsFor(open: (client: Client) => void): TableColumn<Client>[] {
  const figure = (name: 'cost' | 'sales', label: string, good: 'up' | 'neither'): TableColumn<Client> => ({
    name,
    label,
    width: 120,
    cell: ({ now, before, currency }) =>
      now ? (
        <span className="client-cell">
          <Money amount={now[name]} currency={currency} />
          <Change now={now[name]} before={before?.[name] ?? null} good={good} />
        </span>
      ) : (
        'Not imported'
      ),
  })
  return [
    {
      name: 'client',
      label: 'Client',
      text: true,
      width: 180,
      cell: client => (
        <button type="button" className="client-open" onClick={() => open(client)}>
          {nameOf(client)}
        </button>
      ),
    },
    { name: 'reason', label: 'Needs attention', text: true, width: 200, cell: reasonOf },
    figure('cost', 'Ad spend', 'neither'),
    figure('sales', 'Ad sales', 'up'),
    {
      name: 'acos',
      label: 'ACOS',
      width: 100,
      cell: ({ now, before }) =>
        now ? (
          <span className="client-cell">
            {acosText(now.acos)}
            <Change now={now.acos} before={before?.acos ?? null} good="down" />
          </span>
        ) : (
          'Not imported'
        ),
    },
    { name: 'alerts', label: 'Alerts', width: 80, cell: ({ openAlerts }) => openAlerts },
    {
      name: 'change',
      label: 'Last change',
      width: 120,
      cell: ({ lastChangeAt }) => (lastChangeAt === null ? 'Never' : formatMoment(lastChangeAt)),
    },
  ]
}

/** Why a client needs attention, in a sentence. */
function reasonOf({ reason, now, before, currency, openAlerts, strongestAlert }: Client): string {
  const spent = now ? formatMoney(now.cost, currency) : ''
  switch (reason) {
    case 'CONNECTION_LOST':
      return 'The connection is lost: connect the account again.'
    case 'SPEND_STOPPED':
      return `The ads stopped: ${before ? formatMoney(before.cost, currency) : ''} was spent the week before.`
    case 'NO_SALES':
      return `${spent} was spent without a sale.`
    case 'ALERTS': {
      const kind = strongestAlert === null ? '' : kinds[strongestAlert].label
      return openAlerts === 1 ? `An alert is open: ${kind}.` : `${openAlerts} alerts are open, the strongest: ${kind}.`
    }
    case 'ACOS_UP':
      return `ACOS rose from ${percent(before?.acos)} to ${percent(now?.acos)}.`
    case 'SALES_DOWN':
      return `Ad sales fell from ${before ? formatMoney(before.sales, currency) : ''} to ${now ? formatMoney(now.sales, currency) : ''}.`
    case 'SPEND_UP':
      return `Ad spend rose from ${before ? formatMoney(before.cost, currency) : ''} to ${spent}.`
    default:
      return now ? 'Nothing unusual.' : 'Not imported yet.'
  }
}

const percent = (value: number | null | undefined): string =>
  value === null || value === undefined ? 'unknown' : formatPercent(value, 1)
