import { addPendingAction, type PendingAction, pendingActions, removePendingAction } from './worker-store.ts'
import type { WorkerScope } from './worker-scope.ts'

/** The tag under which the browser wakes the worker once there is a network again, where it can. */
export const actionsSync = 'notification-actions'

const maxAgeMs = 12 * 3_600_000
const patienceMs = 20_000

const doneTitles: Record<string, string> = {
  PAUSE_CAMPAIGN: 'Paused',
  RAISE_BUDGET_TODAY: 'Budget raised for today',
  UNDO_CHANGE: 'Undone',
  APPROVE_PROPOSAL: 'Approved',
  REJECT_PROPOSAL: 'Rejected',
  SNOOZE: 'Snoozed',
}

interface Settled {
  isDone: boolean
  message: string
  /** What waits for a decision afterwards; null where the server does not say. */
  openCount: number | null
}
type Outcome = Settled | 'later'

// The token is the permission: the worker has no log-in. Sent twice it is done once.
async function send({ token }: PendingAction): Promise<Outcome> {
  try {
    const signal = AbortSignal.timeout(patienceMs)
    const address = `/api/notifications/actions/${encodeURIComponent(token)}`
    const answer = await fetch(address, { method: 'POST', credentials: 'omit', signal })
    if (answer.status >= 500 || answer.status === 429 || answer.status === 408) return 'later'
    const { message, openCount } = (await answer.json()) as { message?: unknown; openCount?: unknown }
    return {
      isDone: answer.ok,
      message: typeof message === 'string' ? message : 'Open Tideline to decide.',
      openCount: typeof openCount === 'number' ? openCount : null,
    }
  } catch {
    return 'later'
  }
}

/** Shows the badge: 0 removes it. */
export async function showBadge({ navigator }: WorkerScope, count: number): Promise<void> {
  await (count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.())?.catch(() => undefined)
}

const show = (worker: WorkerScope, { tag, url }: PendingAction, title: string, body: string) =>
  worker.registration.showNotification(title, {
    body,
    tag,
    data: { url },
    silent: true,
    icon: '/icon-192.png',
    badge: '/badge-96.png',
  })

async function showOutcome(worker: WorkerScope, action: PendingAction, outcome: Settled): Promise<void> {
  const title = outcome.isDone ? (doneTitles[action.button] ?? 'Done') : 'Not done'
  await show(worker, action, title, outcome.message)
  if (!outcome.isDone) return
  if (outcome.openCount !== null) await showBadge(worker, outcome.openCount)
  for (const client of await worker.clients.matchAll({ type: 'window' })) client.postMessage({ type: 'push' })
}

/**
 * Carries out a button of a notification, and shows under the same tag what became of it. Without a network it is kept,
 * and sent by Background Sync or when the app is opened.
 */
export async function pressButton(worker: WorkerScope, action: PendingAction): Promise<void> {
  // Before it is sent, so that it is not lost if the browser ends the worker meanwhile.
  await addPendingAction(action)
  const outcome = await send(action)
  if (outcome !== 'later') {
    await removePendingAction(action.token)
    return showOutcome(worker, action, outcome)
  }
  await show(worker, action, 'Queued until you are online', 'Tideline does it then, for the next 12 hours.')
  const { sync } = worker.registration as { sync?: { register: (tag: string) => Promise<void> } }
  await sync?.register(actionsSync).catch(() => undefined)
}

/**
 * Sends the buttons that are still waiting, in their order. Those of more than 12 hours ago are given up, and said so: what
 * they were about has changed. False if some could not be sent.
 */
export async function sendPendingActions(worker: WorkerScope): Promise<boolean> {
  for (const action of await pendingActions()) {
    const isStale = Date.now() - action.pressedAt > maxAgeMs
    const stale = { isDone: false, message: 'It was queued for 12 hours. Open Tideline to decide.', openCount: null }
    const outcome = isStale ? stale : await send(action)
    if (outcome === 'later') return false
    await removePendingAction(action.token)
    await showOutcome(worker, action, outcome)
  }
  return true
}
