import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import * as v from 'valibot'
import type { ServerEvent } from '#client/api/events/subscribe-events.ts'
import { useEvents } from '#client/api/events/use-events.ts'
import { noteWin } from '#client/pwa/install-moment.ts'
import { navigateHref } from '#client/ui/ionic/navigate-href.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { activeLaunch } from './active-launch.ts'
import { launchQueries } from './queries.ts'

const finished = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    launchId: v.number(),
    name: v.string(),
    status: v.picklist(['COMPLETED', 'PARTIAL', 'FAILED', 'UNDONE', 'UNDONE_IN_PART']),
  }),
)
const words = {
  COMPLETED: { title: 'Campaign created successfully!', tone: 'success', to: '/campaigns', label: 'See campaigns' },
  PARTIAL: {
    title: 'Campaign partly created',
    tone: 'warning',
    to: '/create-campaign-logs',
    label: 'See what failed',
  },
  UNDONE: { title: 'Launch undone', tone: 'success', to: '/create-campaign-logs', label: 'See launches' },
  UNDONE_IN_PART: {
    title: 'Launch partly undone',
    tone: 'warning',
    to: '/create-campaign-logs',
    label: 'See launches',
  },
  FAILED: { title: 'Campaign could not be created', tone: 'danger', to: '/create-campaign-logs', label: 'See why' },
} as const

/** Announces on any page how a launch from elsewhere ended. LaunchProgress announces the launch that this device follows. */
export function LaunchNews() {
  const client = useQueryClient()
  const router = useRouter()
  const onEvent = ({ event, data }: ServerEvent): void => {
    if (event !== 'launch-finished') return
    void client.invalidateQueries({ queryKey: launchQueries.all })
    void client.invalidateQueries({ predicate: query => query.meta?.figures === true })
    const { success, output } = v.safeParse(finished, data)
    if (!success || activeLaunch()?.id === output.launchId) return
    if (output.status === 'COMPLETED') noteWin()
    const { title, tone, to, label } = words[output.status]
    const isThere = router.state.location.pathname === to
    const action = { label, onSelect: () => void navigateHref(router, to) }
    toast({ title, message: output.name, tone, ...(!isThere && { action }) })
  }
  useEvents('/events', onEvent)
  return null
}
