import type { AnyRouter } from '@tanstack/react-router'
import { call } from '#client/api/call.ts'
import { changingContext, getManaged, type Managed, setManaged } from '#client/api/session/managing.ts'
import { wipeClientData } from '#client/api/wipe-client-data.ts'
import { askToLeaveUser } from '#client/outbox/leave-user.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { isPushWanted, setPushWanted } from '#features/notifications/client/public.ts'
import { type ImpersonationStatus, type ManagedUser, managingEndpoints as managing } from '../contract.ts'
import { orNobody } from './queries.ts'
import { fullName } from './user-finder.tsx'

// While this page switches itself, what the server says about it is no news.
let isSwitching = false

async function exclusively(work: () => Promise<void>): Promise<void> {
  if (isSwitching) return
  isSwitching = true
  try {
    await work()
  } finally {
    isSwitching = false
  }
}

/** Shows the data of this user (null: the own) and of nobody else any more. */
async function enter(managed: Managed | null, router: AnyRouter, to: string): Promise<void> {
  const before = getManaged()
  const hadPushes = before?.hadPushes ?? isPushWanted()
  changingContext.set(true)
  try {
    await wipeClientData()
    setManaged(managed && { ...managed, hadPushes })
    // The next start subscribes again.
    if (!managed && hadPushes) setPushWanted(true)
    await router.navigate({ to, replace: true })
    await router.invalidate()
  } finally {
    changingContext.set(false)
  }
}

function managedOf({ managedUser, endsAt }: ImpersonationStatus): Managed | null {
  return managedUser && { ...managedUser, endsAt }
}

// The notification says what to do; which call failed, and why, is in the log.
const wrapped = <T>(failure: string, answer: Promise<T>): Promise<T> =>
  answer.catch((cause: unknown) => Promise.reject(new Error(failure, { cause })))

/** Acts for a user from now on, after asking when a change on this device would be lost. */
export function startManaging(user: ManagedUser, router: AnyRouter): Promise<void> {
  return exclusively(async () => {
    if (!(await askToLeaveUser(`Manage ${fullName(user)}?`, 'Manage', { onlyAtRisk: true }))) return
    try {
      await wrapped('Failed to set managed user', call(managing.manage, { params: { id: user.id } }))
      const status = await readStatus()
      await enter(managedOf(status), router, '/home')
      const message = `Acting on behalf of ${fullName(user)} (${user.email})`
      toast({ title: 'Now managing user', message, tone: 'success' })
    } catch (error) {
      // oxlint-disable-next-line no-console
      console.warn(error)
      const message = 'Unable to start managing the selected user. Please try again.'
      toast({ title: 'Failed to manage user', message, tone: 'danger' })
    }
  })
}

/** Acts for oneself again, after asking when a change on this device would be lost. */
export function stopManaging(router: AnyRouter): Promise<void> {
  return exclusively(async () => {
    if (!(await askToLeaveUser('Stop managing user?', 'Stop managing', { onlyAtRisk: true }))) return
    try {
      await wrapped('Failed to clear managed user', call(managing.clear, {}))
      await enter(null, router, '/admin-user-management')
      notifyStopped()
    } catch (error) {
      // oxlint-disable-next-line no-console
      console.warn(error)
      const message = 'Unable to clear the managed user. Please try again.'
      toast({ title: 'Failed to stop managing user', message, tone: 'danger' })
    }
  })
}

const notifyStopped = () =>
  toast({ title: 'Stopped managing user', message: 'You are now back to your own context.', tone: 'success' })

/** Shows the context that another tab has entered, and stored. */
export const followTab = (router: AnyRouter): Promise<void> => exclusively(() => enter(getManaged(), router, '/home'))

/** Shows the context that the server is in: managing may have ended by itself, or have changed in another tab. */
export function followServer(router: AnyRouter): Promise<void> {
  return exclusively(async () => {
    try {
      const status = await orNobody(readStatus())
      const managed = status && managedOf(status)
      // The answer to a call that was on its way while this page switched.
      if (managed?.id === getManaged()?.id) return
      await enter(managed, router, '/home')
      if (!managed) notifyStopped()
    } catch {
      toast({ title: 'Failed to fetch impersonation status', message: 'Reload the page.', tone: 'danger' })
    }
  })
}

const readStatus = () => call(managing.status, {}, { shapeError: 'Invalid impersonation status response' })
