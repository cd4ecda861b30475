import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import { Page } from '#client/ui/ionic/page.tsx'
import { Pager } from '#client/ui/lists/pager.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { useShop } from '#features/accounts/client/public.ts'
import { wizardPath } from '../launch-labels.ts'
import { launchQueries, useLaunchEvents } from '../queries.ts'
import { LaunchRow } from './launch-row.tsx'
import '../launches.css'

const route = getRouteApi('/dashboard/create-campaign-logs')

export function LaunchLogPage() {
  const shop = useShop()
  const { page = 0, size = 20 } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery(launchQueries.log(shop, page, size))
  useLaunchEvents(() => void query.refetch())
  return (
    <Page title="Launches" back="/campaigns" onRefresh={() => query.refetch()}>
      <QueryView
        query={query}
        loading={{ rows: 5, label: 'Loading launches' }}
        empty={({ content }) => content.length === 0 && nothingLaunched}
      >
        {({ content }) => (
          <ul className="plain-list">
            {content.map(launch => (
              <li key={launch.id}>
                <LaunchRow launch={launch} />
              </li>
            ))}
          </ul>
        )}
      </QueryView>
      {query.data && query.data.page.totalElements > 10 && (
        <Pager
          page={query.data.page}
          sizes={[10, 20, 50]}
          onPage={next => void navigate({ search: { page: next, size } })}
          onSize={next => void navigate({ search: { page: 0, size: next } })}
        />
      )}
    </Page>
  )
}

const nothingLaunched = (
  <EmptyState
    title="No launches yet"
    hint="Each launch appears here with its steps and failures."
    action={
      <Link to={wizardPath} className="button button-primary">
        Create a campaign
      </Link>
    }
  />
)
