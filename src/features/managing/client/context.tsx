import { useQuery } from '@tanstack/react-query'
import { useSelector } from '@tanstack/react-store'
import { type ComponentType, lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react'
import { changingContext, getManaged, subscribeManaged } from '#client/api/session/managing.ts'
import { authoritiesOfUser, userQueries } from '#features/auth/client/public.ts'

const AdminBar = lazy(() => import('./admin-bar.tsx').then(m => ({ default: m.AdminBar })))

interface ManagingContextProps {
  /**
   * Drawn from scratch when managing begins or ends, so that nothing in it is of the other context. It puts the bar above all but the
   * way past it.
   */
  children: ComponentType<{ bar: ReactNode }>
}

/** The screens of a signed-in user, with the admin bar above them for campaign managers. */
export function ManagingContext({ children: Screens }: ManagingContextProps) {
  const managed = useSyncExternalStore(subscribeManaged, getManaged)
  if (useSelector(changingContext)) return null
  return <Screens key={managed?.id ?? 'own'} bar={<Bar managed={managed} />} />
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
