import { useQuery } from '@tanstack/react-query'
import { type ComponentType, Fragment, lazy, Suspense, useSyncExternalStore } from 'react'
import { getManaged, subscribeManaged } from '#client/api/session/managing.ts'
import { authoritiesOfUser, userQueries } from '#features/auth/client/public.ts'

const AdminBar = lazy(() => import('./admin-bar.tsx').then(m => ({ default: m.AdminBar })))

interface ManagingContextProps {
  /** Drawn from scratch when managing begins or ends, so that nothing in it is of the other context. */
  children: ComponentType
}

/** The screens of a signed-in user, with the admin bar above them for campaign managers. */
export function ManagingContext({ children: Screens }: ManagingContextProps) {
  const managed = useSyncExternalStore(subscribeManaged, getManaged)
  return (
    <Fragment key={managed?.id ?? 'own'}>
      <Bar managed={managed} />
      <Screens />
    </Fragment>
  )
}

function Bar({ managed }: { managed: ReturnType<typeof getManaged> }) {
  const { data: user } = useQuery(userQueries.user())
  const manages = user && authoritiesOfUser(user).includes('CAMPAIGN_MANAGER')
  if (!managed && !manages) return null
  return (
    <Suspense>
      <AdminBar managed={managed} />
    </Suspense>
  )
}
