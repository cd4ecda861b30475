import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { failureMessage } from '#client/api/api-error.ts'
import { call } from '#client/api/call.ts'
import { discardEdit, pendingEdits, usePendingEdits } from '#client/outbox/outbox.ts'
import { sendOrKeep } from '#client/outbox/send-or-keep.ts'
import { noteWin } from '#client/pwa/install-moment.ts'
import { actionSheet } from '#client/ui/overlays/dialogs.ts'
import { dismissToast, toast } from '#client/ui/shell/toast-store.ts'
import {
  type AppNotification,
  dismissReasons,
  type NotificationAction,
  notificationEndpoints as endpoints,
  snoozeHours,
} from '../contract.ts'
import {
  type Amounts,
  canWait,
  type Decided,
  type Decision,
  decisionEdit,
  isDecision,
  sendDecision,
} from './decision-edit.ts'
import { notificationQueries } from './queries.ts'
import { reasonWords, snoozeWords } from './words.ts'

type Hours = (typeof snoozeHours)[number]

/** Long enough to read what was done before it can be undone from the list alone. */
const TOAST_MS = 8000
/** What a swipe snoozes for; the button asks. */
const USUAL_HOURS: Hours = 4

/**
 * What is decided about notifications in this visit. A card goes at once (`onDecided`), and returns when the server says no or
 * the decision is undone.
 */
export function useDecisions(onDecided: (id: number) => void) {
  const client = useQueryClient()
  const [decided, setDecided] = useState<readonly number[]>([])
  const [returned, setReturned] = useState<number>()
  // A key may come before the answer, which says whether it can be undone.
  const last = useRef<{ one: AppNotification; canUndo: Promise<boolean> } | null>(null)
  /** The toast of each notification, which offers the undo of its last decision. */
  const toastOf = useRef(new Map<number, number>())
  const hasWon = useRef(false)
  // Only then is there time for something else: the rest of the deck comes first.
  useEffect(
    () => () => {
      if (hasWon.current) noteWin()
    },
    [],
  )
  const waiting = usePendingEdits().flatMap(edit => (isDecision(edit) ? [edit.row] : []))
  const refresh = async (): Promise<void> => {
    void client.invalidateQueries({ predicate: query => query.meta?.figures === true })
    await client.invalidateQueries({ queryKey: notificationQueries.all })
  }
  const mark = (id: number, isDecided: boolean): void => {
    setDecided(before => [...before.filter(one => one !== id), ...(isDecided ? [id] : [])])
    setReturned(isDecided ? undefined : id)
  }
  const closeToast = ({ id }: AppNotification): void => {
    const shown = toastOf.current.get(id)
    if (shown !== undefined) dismissToast(shown)
  }
  /** Returns whether it can be undone. */
  const show = (one: AppNotification, title: string, canUndo: boolean, message = one.title): boolean => {
    const action = { label: 'Undo', onSelect: () => void undo(one) }
    closeToast(one)
    const shown = toast({ title, message, tone: 'success', durationMs: TOAST_MS, ...(canUndo && { action }) })
    toastOf.current.set(one.id, shown)
    return canUndo
  }
  const fail = (one: AppNotification, error: unknown, wasDecided: boolean): void => {
    mark(one.id, wasDecided)
    toast({ title: 'Nothing was changed', message: failureMessage(error), tone: 'danger' })
  }
  /** Resolves with whether it can be undone. */
  const carryOut = async (one: AppNotification, decision: Decision): Promise<boolean> => {
    const send = (): Promise<Decided> => sendDecision(one.id, decision)
    try {
      const sent = canWait(decision) ? await sendOrKeep(decisionEdit(one, decision), send) : { answer: await send() }
      if (!sent) return show(one, 'Queued until you are online', true)
      hasWon.current = true
      void refresh()
      return show(one, sent.answer.message, sent.answer.notification.canUndo)
    } catch (error) {
      void refresh()
      fail(one, error, false)
      return false
    }
  }
  const decide = async (one: AppNotification, decision: Decision): Promise<void> => {
    mark(one.id, true)
    onDecided(one.id)
    const canUndo = carryOut(one, decision)
    last.current = { one, canUndo }
    await canUndo
  }
  const undo = async (one: AppNotification): Promise<void> => {
    closeToast(one)
    const decision = last.current?.one.id === one.id ? last.current : null
    if (decision) {
      last.current = null
      // What is being sent now cannot be kept back.
      if (!(await decision.canUndo)) return
    }
    const unsent = pendingEdits().find(edit => isDecision(edit) && edit.row === one.id)
    mark(one.id, false)
    // What never left this device needs no undo there.
    if (unsent && !unsent.tried) return discardEdit(unsent.id)
    try {
      const { message } = await call(endpoints.undo, { params: { id: one.id } })
      show(one, message, false)
    } catch (error) {
      fail(one, error, true)
    }
    await refresh()
  }
  const snooze = (one: AppNotification, hours: Hours = USUAL_HOURS) => decide(one, { verb: 'snooze', hours })
  return {
    /** The ids of what was decided in this visit, or waits to be sent. */
    decided: [...new Set([...waiting, ...decided])],
    /** The card that came back last, which is to be seen. */
    returned,
    undo,
    /** Once the server has answered the last decision. */
    undoLast: () => last.current && void undo(last.current.one),
    snooze,
    act: (one: AppNotification, action: NotificationAction, amounts: Amounts = {}): Promise<void> =>
      decide(one, { verb: 'act', action, ...amounts }),
    /** Both ask first: for how long, and why. */
    askSnooze: async (one: AppNotification): Promise<void> => {
      const hours = await choose('Ask again', snoozeHours, snoozeWords)
      if (hours !== undefined) await snooze(one, hours)
    },
    askDismiss: async (one: AppNotification): Promise<void> => {
      const reason = await choose('Why is nothing to be done?', dismissReasons, reasonWords)
      if (reason !== undefined) await decide(one, { verb: 'dismiss', reason })
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
