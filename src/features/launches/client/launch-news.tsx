import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import * as v from 'valibot'
import { useEvents } from '#client/api/events.ts'
import { noteWin } from '#client/pwa/install-moment.ts'
import { navigateHref } from '#client/ui/ionic/navigate-href.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { activeLaunch, announcedLaunches } from './active-launch.ts'
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
const endings = {
  COMPLETED: { title: 'Campaign created successfully!', tone: 'success', label: 'See campaigns' },
  PARTIAL: { title: 'Campaign partly created', tone: 'warning', label: 'See what failed' },
  UNDONE: { title: 'Launch undone', tone: 'success', label: 'See launches' },
  UNDONE_IN_PART: { title: 'Launch partly undone', tone: 'warning', label: 'See launches' },
  FAILED: { title: 'Campaign could not be created', tone: 'danger', label: 'See why' },
} as const

/** Announces on any page how a launch from elsewhere ended. LaunchProgress announces the launch that this device follows. */
export function LaunchNews() {
  const client = useQueryClient()
  const router = useRouter()
  useEvents('/events', ({ event, data }) => {
    if (event !== 'launch-finished') return
    void client.invalidateQueries({ queryKey: launchQueries.all })
    void client.invalidateQueries({ predicate: query => query.meta?.figures === true })
    const { success, output } = v.safeParse(finished, data)
    if (!success || activeLaunch()?.id === output.launchId) return
    const isCompleted = output.status === 'COMPLETED'
    if (isCompleted && announcedLaunches.has(output.launchId)) return
    if (isCompleted) noteWin()
    const { title, tone, label } = endings[output.status]
    // The new campaigns have no spend yet: in the whole list they would be the last.
    const to = isCompleted ? '/campaigns?launched=true' : '/create-campaign-logs'
    const isThere = to.startsWith(router.state.location.pathname)
    const action = { label, onSelect: () => void navigateHref(router, to) }
    toast({ title, message: output.name, tone, ...(!isThere && { action }) })
  })
  return null
}
