import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { money, newMoney } from '#shared/money.ts'
import { id, moment, pageOf, paging, queryBoolean, queryId } from '#shared/query-schemas.ts'

const HOUR = 3_600_000

/** What a notification lets a person do with one tap, beside opening what it is about and snoozing it. */
export const notificationActions = [
  'PAUSE_CAMPAIGN',
  'RAISE_BUDGET_TODAY',
  'UNDO_CHANGE',
  'APPROVE_PROPOSAL',
  'REJECT_PROPOSAL',
] as const
export type NotificationAction = (typeof notificationActions)[number]

/** What holds for every notification of a kind. */
export interface KindRule {
  label: string
  /** It waits in the deck for a decision, and counts in the badge. The others are only read. */
  isDecision: boolean
  /** Of its push: `high` wakes a phone that is saving battery. */
  urgency: 'high' | 'normal' | 'low'
  /** From then on nobody needs to be disturbed with it. */
  pushForMs: number
  /** By default; it is in the app in any case. `instead` of a push that reaches no device. */
  push: boolean
  mail: 'never' | 'instead' | 'always'
}
const alert = { isDecision: true, urgency: 'high', pushForMs: 4 * HOUR, push: true, mail: 'instead' } as const
const news = { isDecision: false, urgency: 'normal', pushForMs: 24 * HOUR, push: true, mail: 'instead' } as const

/** The kinds of notifications. */
export const kinds = {
  LAUNCH_FINISHED: { ...news, label: 'Launch finished', mail: 'never' },
  LAUNCH_FAILED: { ...news, label: 'Launch failed', urgency: 'high', isDecision: true },
  BUDGET_PACING: { ...alert, label: 'Budget used up too early', urgency: 'normal' },
  OUT_OF_BUDGET: { ...alert, label: 'Out of budget' },
  SPEND_SPIKE: { ...alert, label: 'Unusual ad spend' },
  NO_SALES: { ...alert, label: 'Ad spend without sales' },
  PAYMENT_PROBLEM: { ...alert, label: 'Payment problem', pushForMs: 24 * HOUR, mail: 'always' },
  CONNECTION_LOST: { ...alert, label: 'Connection lost', pushForMs: 24 * HOUR, mail: 'always' },
  EXTERNAL_CHANGE: { ...alert, label: 'Changed outside Tideline', urgency: 'normal' },
  PRODUCT_INELIGIBLE: { ...alert, label: 'Product cannot be advertised' },
  REPORT_READY: { ...news, label: 'Report ready', urgency: 'low', mail: 'never' },
  INVOICE_READY: { ...news, label: 'Invoice ready', urgency: 'low', push: false, mail: 'always' },
  TRIAL_ENDING: { ...news, label: 'Trial ending', mail: 'always' },
  OPTIMIZER_PROPOSAL: { ...alert, label: 'Change to approve', urgency: 'normal', pushForMs: 24 * HOUR },
  OPTIMIZER_STOPPED: { ...alert, label: 'Optimizer holds back' },
  SEEDING_FINISHED: { ...news, label: 'Figures imported', mail: 'never' },
} as const satisfies Record<string, KindRule>
export type NotificationKind = keyof typeof kinds
export const notificationKinds = Object.keys(kinds) as [NotificationKind, ...NotificationKind[]]

export const evidenceFormats = ['money', 'percent', 'count', 'time', 'text'] as const
/** One line of what speaks for a notification; `money` in units of its currency, `percent` from 0 to 100, `time` as ISO. */
const evidence = v.object({
  label: v.string(),
  format: v.picklist(evidenceFormats),
  value: v.union([v.number(), v.string()]),
})
export type Evidence = v.InferOutput<typeof evidence>

/** The one number of a change that waits for a yes: an amount in decimals, or a raise in percent; `before` is null of what is new. */
export const proposedNumber = v.object({
  unit: v.picklist(['MONEY', 'PERCENT']),
  before: v.nullable(v.number()),
  after: v.number(),
  currency: v.string(),
})

/** Why somebody dismissed a notification. */
export const dismissReasons = ['EXPECTED', 'NOT_IMPORTANT', 'WRONG', 'LATER_MYSELF'] as const
/** For how many hours one can be snoozed. */
export const snoozeHours = [1, 4, 24, 72] as const

const notification = v.object({
  id,
  kind: v.picklist(notificationKinds),
  title: v.string(),
  /** Why, in one or two sentences. */
  body: v.string(),
  /** Where it is solved: a path of the app. */
  url: v.string(),
  createdAt: moment,
  readAt: v.nullable(moment),
  /** What it is about; null where it is about the user's account itself. */
  merchant: v.nullable(v.object({ id, name: v.string(), marketplaceId: v.nullable(id) })),
  campaign: v.nullable(v.object({ id, name: v.string() })),
  evidence: v.array(evidence),
  /** The money at stake until somebody decides, by what its last evidence says; null when it has no price. */
  stake: v.nullable(v.object({ amount: money, currency: v.string() })),
  actions: v.array(v.picklist(notificationActions)),
  /** What APPROVE_PROPOSAL may do with another number; null where there is none, or more than one. */
  proposed: v.nullable(proposedNumber),
  /**
   * OPEN waits for a decision; SNOOZED does so later; DONE and DISMISSED were decided; SETTLED means that its cause is over
   * without one; NEWS has nothing to decide.
   */
  status: v.picklist(['OPEN', 'SNOOZED', 'DONE', 'DISMISSED', 'SETTLED', 'NEWS']),
  snoozedUntil: v.nullable(moment),
  decidedAt: v.nullable(moment),
  /** What the decision was, in words; null without one. */
  decision: v.nullable(v.string()),
  canUndo: v.boolean(),
})
export type AppNotification = v.InferOutput<typeof notification>

/** Unread ones, and those that are open for a decision: the badge. */
const counts = { unreadCount: v.number(), openCount: v.number() }
const one = { params: v.object({ id: queryId }), access: 'account' } as const
/** What became of a decision, as a sentence, with the notification as it is now. */
const decided = v.object({ message: v.string(), notification })

export const notificationEndpoints = {
  list: defineEndpoint({
    method: 'GET',
    path: '/notifications',
    access: 'account',
    summary:
      'The user’s notifications, newest first; with `open`, those that wait for a decision, most money at stake first',
    query: v.object({ ...paging, unread: v.optional(queryBoolean, false), open: v.optional(queryBoolean, false) }),
    response: v.object({ ...pageOf(notification).entries, ...counts }),
  }),
  counts: defineEndpoint({
    method: 'GET',
    path: '/notifications/counts',
    access: 'account',
    summary: 'How many notifications are unread, and how many wait for a decision',
    response: v.object(counts),
  }),
  one: defineEndpoint({
    ...one,
    method: 'GET',
    path: '/notifications/:id',
    summary: 'One notification of the user, whatever became of it',
    response: notification,
    errors: ['NOT_FOUND'],
  }),
  read: defineEndpoint({
    ...one,
    method: 'POST',
    path: '/notifications/:id/read',
    authority: 'MEMBER',
    summary: 'Mark a notification as read, on all devices',
    response: v.object(counts),
  }),
  readAll: defineEndpoint({
    method: 'POST',
    path: '/notifications/read-all',
    access: 'account',
    authority: 'MEMBER',
    summary: 'Mark all notifications as read, on all devices',
    response: v.object(counts),
  }),
  act: defineEndpoint({
    ...one,
    method: 'POST',
    path: '/notifications/:id/act',
    summary: 'Do what a notification offers; once, however often it is sent',
    body: v.strictObject({
      action: v.picklist(notificationActions),
      /** Of RAISE_BUDGET_TODAY the budget that the person saw; without it what is recommended. */
      budget: v.optional(newMoney('Valid budget amount is required')),
      /** Of APPROVE_PROPOSAL another number than `proposed.after`, in its unit; a bad one is rejected with `fields.after`. */
      after: v.optional(v.pipe(v.number('Enter a number'), v.finite('Enter a number'))),
    }),
    response: decided,
    errors: ['CONFLICT', 'FORBIDDEN', 'RULE_VIOLATED', 'VALIDATION_FAILED'],
  }),
  snooze: defineEndpoint({
    ...one,
    method: 'POST',
    path: '/notifications/:id/snooze',
    authority: 'MEMBER',
    summary: 'Ask for a decision again later',
    body: v.strictObject({ hours: v.picklist(snoozeHours) }),
    response: decided,
    errors: ['CONFLICT'],
  }),
  dismiss: defineEndpoint({
    ...one,
    method: 'POST',
    path: '/notifications/:id/dismiss',
    authority: 'MEMBER',
    summary: 'Decide that nothing is to be done, with a reason that thresholds learn from',
    body: v.strictObject({ reason: v.picklist(dismissReasons) }),
    response: decided,
    errors: ['CONFLICT'],
  }),
  undo: defineEndpoint({
    ...one,
    method: 'POST',
    path: '/notifications/:id/undo',
    authority: 'MEMBER',
    summary: 'Take the decision back: the notification is open again, and what was done is undone',
    response: decided,
    errors: ['CONFLICT', 'FORBIDDEN', 'RULE_VIOLATED'],
  }),
  /** Public: the token is the permission. Safe to send twice. */
  actByToken: defineEndpoint({
    method: 'POST',
    path: '/notifications/actions/:token',
    access: 'public',
    summary: 'Carry out the action of a push; its token is for one use within 24 hours',
    params: v.object({ token: v.pipe(v.string(), v.regex(/^[\w-]{20,200}$/, 'Must be a token')) }),
    /** `openCount`: what waits for a decision afterwards, for the badge; null where the session has ended. */
    response: v.object({ message: v.string(), openCount: v.nullable(v.number()) }),
    errors: ['TOKEN_INVALID', 'CONFLICT', 'FORBIDDEN', 'RULE_VIOLATED'],
  }),
}

const path = '/push/subscriptions'
const endpoint = v.pipe(v.string(), v.url(), v.maxLength(2000))
const base64url = (length: number) => v.pipe(v.string(), v.regex(/^[\w-]+={0,2}$/), v.maxLength(length))

/** A browser's PushSubscription (its toJSON), and our key that it was made with. */
export const subscriptionBody = v.object({
  endpoint,
  keys: v.object({ p256dh: base64url(100), auth: base64url(40) }),
  publicKey: base64url(100),
})

export const pushEndpoints = {
  publicKey: defineEndpoint({
    method: 'GET',
    path: '/push/public-key',
    access: 'account',
    summary: 'The key to subscribe to pushes with; null if this server does not send any',
    response: v.object({ publicKey: v.nullable(v.string()) }),
  }),
  subscribe: defineEndpoint({
    method: 'POST',
    path,
    managing: 'blocked',
    access: 'account',
    authority: 'MEMBER',
    summary: 'Send this account’s pushes to this browser until its session ends; called at each start',
    body: subscriptionBody,
    response: v.null(),
    status: 204,
    errors: ['CONFLICT', 'RULE_VIOLATED'],
  }),
  unsubscribe: defineEndpoint({
    method: 'DELETE',
    path,
    access: 'account',
    authority: 'MEMBER',
    summary: 'Stop sending pushes to this browser',
    body: v.object({ endpoint }),
    response: v.null(),
    status: 204,
  }),
  test: defineEndpoint({
    method: 'POST',
    path: '/push/test',
    managing: 'blocked',
    access: 'account',
    authority: 'MEMBER',
    summary: 'Send a test push to this browser only, and say what its push service answered',
    body: v.strictObject({ endpoint }),
    /** GONE: the browser has to subscribe again. LATER: the push service cannot be reached now. */
    response: v.object({ outcome: v.picklist(['ACCEPTED', 'GONE', 'LATER', 'REFUSED']), message: v.string() }),
    errors: ['NOT_FOUND'],
  }),
}
