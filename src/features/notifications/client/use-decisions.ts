import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { failureMessage } from '#client/api/api-error.ts'
import { call } from '#client/api/call.ts'
import { noteWin } from '#client/pwa/install-moment.ts'
import { actionSheet } from '#client/ui/overlays/dialogs.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import {
  type AppNotification,
  dismissReasons,
  type NotificationAction,
  notificationEndpoints as endpoints,
  snoozeHours,
} from '../contract.ts'
import { notificationQueries } from './queries.ts'
import { reasonWords, snoozeWords } from './words.ts'

type Decided = { message: string; notification: AppNotification }
type Reason = (typeof dismissReasons)[number]
type Hours = (typeof snoozeHours)[number]

/** Long enough to read what was done before it can be undone from the list alone. */
const TOAST_MS = 8000
/** What a swipe snoozes for; the button asks. */
const USUAL_HOURS: Hours = 4

/** What is decided about notifications in this visit. A card goes at once, and returns when the server says no. */
export function useDecisions() {
  const client = useQueryClient()
  const [decided, setDecided] = useState<readonly number[]>([])
  const last = useRef<AppNotification | null>(null)
  const refresh = async (): Promise<void> => {
    void client.invalidateQueries({ predicate: query => query.meta?.figures === true })
    await client.invalidateQueries({ queryKey: notificationQueries.all })
  }
  const mark = (id: number, isDecided: boolean): void =>
    setDecided(before => [...before.filter(one => one !== id), ...(isDecided ? [id] : [])])
  const send = async (one: AppNotification, run: () => Promise<Decided>, isUndo = false): Promise<void> => {
    mark(one.id, !isUndo)
    try {
      const { message, notification } = await run()
      last.current = notification.canUndo ? notification : null
      const action = { label: 'Undo', onSelect: () => void undo(notification) }
      toast({
        title: message,
        message: one.title,
        tone: 'success',
        durationMs: TOAST_MS,
        ...(notification.canUndo && { action }),
      })
      if (!isUndo) noteWin()
    } catch (error) {
      mark(one.id, isUndo)
      toast({ title: 'Nothing was changed', message: failureMessage(error), tone: 'danger' })
    }
    await refresh()
  }
  const params = ({ id }: AppNotification) => ({ params: { id } })
  const undo = (one: AppNotification): Promise<void> => send(one, () => call(endpoints.undo, params(one)), true)
  const snooze = (one: AppNotification, hours: Hours = USUAL_HOURS): Promise<void> =>
    send(one, () => call(endpoints.snooze, { ...params(one), body: { hours } }))
  const dismiss = (one: AppNotification, reason: Reason): Promise<void> =>
    send(one, () => call(endpoints.dismiss, { ...params(one), body: { reason } }))
  return {
    /** The ids of what was decided in this visit. */
    decided,
    undo,
    undoLast: () => last.current && void undo(last.current),
    snooze,
    /** `budget`: of a raise, the one that was shown. */
    act: (one: AppNotification, action: NotificationAction, budget?: number): Promise<void> =>
      send(one, () =>
        call(endpoints.act, { ...params(one), body: { action, ...(budget !== undefined && { budget }) } }),
      ),
    /** Both ask first: for how long, and why. */
    askSnooze: async (one: AppNotification): Promise<void> => {
      const hours = await choose('Ask again', snoozeHours, snoozeWords)
      if (hours !== undefined) await snooze(one, hours)
    },
    askDismiss: async (one: AppNotification): Promise<void> => {
      const reason = await choose('Why is nothing to be done?', dismissReasons, reasonWords)
      if (reason !== undefined) await dismiss(one, reason)
    },
  }
}
export type Decisions = ReturnType<typeof useDecisions>

async function choose<T extends string | number>(
  title: string,
  values: readonly T[],
  words: Record<T, string>,
): Promise<T | undefined> {
  const label = await actionSheet({ title, actions: values.map(value => ({ label: words[value] })) })
  return values.find(value => words[value] === label)
}
