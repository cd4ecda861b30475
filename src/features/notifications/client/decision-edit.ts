import * as v from 'valibot'
import { call, type CallOptions } from '#client/api/call.ts'
import type { EditKind } from '#client/outbox/flush-outbox.ts'
import type { NewEdit } from '#client/outbox/outbox.ts'
import {
  type AppNotification,
  dismissReasons,
  notificationActions,
  notificationEndpoints as endpoints,
  snoozeHours,
} from '../contract.ts'
import { actionWords, reasonWords, snoozeWords } from './words.ts'

const decisionSchema = v.variant('verb', [
  v.object({
    verb: v.literal('act'),
    action: v.picklist(notificationActions),
    /** Of a raise, the budget that was shown. */
    budget: v.optional(v.number()),
    /** Of a proposal, the number that was entered in place of the proposed one. */
    after: v.optional(v.number()),
  }),
  v.object({ verb: v.literal('snooze'), hours: v.picklist(snoozeHours) }),
  v.object({ verb: v.literal('dismiss'), reason: v.picklist(dismissReasons) }),
])
export type Decision = v.InferOutput<typeof decisionSchema>
/** What an action is done with. */
export type Amounts = Pick<Extract<Decision, { verb: 'act' }>, 'budget' | 'after'>

/** What became of a decision, as the server says it. */
export interface Decided {
  message: string
  notification: AppNotification
}

export function sendDecision(id: number, decision: Decision, options: CallOptions = {}): Promise<Decided> {
  const params = { id }
  if (decision.verb === 'snooze') return call(endpoints.snooze, { params, body: { hours: decision.hours } }, options)
  if (decision.verb === 'dismiss')
    return call(endpoints.dismiss, { params, body: { reason: decision.reason } }, options)
  const { action, budget, after } = decision
  const body = { action, ...(budget !== undefined && { budget }), ...(after !== undefined && { after }) }
  return call(endpoints.act, { params, body }, options)
}

/** Whether a decision may wait for the network: money for today, and what something newer may be in the way of, may not. */
export const canWait = (decision: Decision): boolean => decision.verb !== 'act' || decision.action === 'PAUSE_CAMPAIGN'

const kind = 'notification'

export function decisionEdit({ id, title }: AppNotification, decision: Decision): NewEdit {
  return {
    kind,
    row: id,
    isAct: true,
    name: title,
    words: wordsOf(decision),
    version: null,
    set: { decision },
    was: {},
    // A notification may be about any account of the user.
    shop: '',
    href: `/notifications?id=${id}`,
  }
}

function wordsOf(decision: Decision): string {
  if (decision.verb === 'act') return actionWords[decision.action]
  if (decision.verb === 'snooze') return `Snooze ${snoozeWords[decision.hours].toLowerCase()}`
  return `Dismiss: ${reasonWords[decision.reason]}`
}

/** A decision in the outbox. It does nothing twice, however often it is sent. */
export const notificationKind: EditKind = {
  send: async ({ row, set, user }) => {
    await sendDecision(row, v.parse(decisionSchema, set['decision']), { onlyAs: user })
  },
}
export const isDecision = (edit: { kind: string }): boolean => edit.kind === kind
