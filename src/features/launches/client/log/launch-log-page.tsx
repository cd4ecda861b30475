import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import { useEvents } from '#client/api/use-events.ts'
import { useOnline } from '#client/api/online.ts'
import { Page } from '#client/ui/ionic/page.tsx'
import { Pager } from '#client/ui/lists/pager.tsx'
import { Skeleton } from '#client/ui/states/skeleton.tsx'
import { EmptyState, FailedState, OfflineState } from '#client/ui/states/state-views.tsx'
import { useShop } from '#features/accounts/client/public.ts'
import type { LaunchLogRow } from '../../contract.ts'
import { launchQueries } from '../queries.ts'
import { LaunchRow } from './launch-row.tsx'
import '../launches.css'

const route = getRouteApi('/dashboard/create-campaign-logs')
const smallestSize = 10
const sizes = [smallestSize, 20, 50]

/** Every launch of the current advertising account: how far it came, what failed, retry and undo. */
export const LaunchLogPage = () => {
  const shop = useShop()
  const { page = 0, size = 20 } = route.useSearch()
  const navigate = route.useNavigate()
  const online = useOnline()
  const query = useQuery(launchQueries.log(shop, page, size))
  const refetch = () => void query.refetch()
  useEvents('/events', event => event.event === 'launch' && refetch(), { poll: refetch, onReconnect: refetch })
  return (
    <Page title="Launches" back="/campaigns" onRefresh={() => query.refetch()}>
      {query.data ? (
        <LogList data={query.data} />
      ) : !online ? (
        <OfflineState />
      ) : query.error ? (
        <FailedState error={query.error} onRetry={refetch} />
      ) : (
        <Skeleton rows={5} label="Loading launches" />
      )}
      {query.data && query.data.page.totalElements > smallestSize && (
        <Pager
          page={query.data.page}
          sizes={sizes}
          onPage={next => void navigate({ search: { page: next, size } })}
          onSize={next => void navigate({ search: { page: 0, size: next } })}
        />
      )}
    </Page>
  )
}

const wizard: string = '/create-campaign'

const LogList = ({ data }: { data: { content: LaunchLogRow[] } }) =>
  data.content.length ? (
    <ul className="plain-list">
      {data.content.map(launch => (
        <li key={launch.id}>
          <LaunchRow launch={launch} />
        </li>
      ))}
    </ul>
  ) : (
    <EmptyState
      title="Nothing was launched yet"
      hint="Each launch is listed here with its steps and what failed."
      action={
        <Link to={wizard} className="button button-primary">
          Create a campaign
        </Link>
      }
    />
  )
