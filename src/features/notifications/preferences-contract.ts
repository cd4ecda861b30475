import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { type KindRule, kinds, notificationKinds } from './contract.ts'

/** When a notification is mailed: INSTEAD of a push that reaches no device. */
export const emailChoices = ['NEVER', 'INSTEAD', 'ALWAYS'] as const
export const digestChoices = ['OFF', 'DAILY', 'WEEKLY'] as const

/** What a threshold counts, where a kind has one; the rules never raise anything below `least`. */
export const thresholdUnits = {
  BUDGET_PACING: { label: 'Used of the budget', unit: 'percent', least: 50, most: 100 },
  SPEND_SPIKE: { label: 'Above the usual ad spend', unit: 'percent', least: 50, most: 1000 },
  NO_SALES: { label: 'Clicks without an order', unit: 'count', least: 1, most: 10_000 },
} as const satisfies Partial<Record<(typeof notificationKinds)[number], object>>
type Thresholded = keyof typeof thresholdUnits
export const hasThreshold = (kind: string): kind is Thresholded => Object.hasOwn(thresholdUnits, kind)

/** The rule of a kind as its type, without the literals. */
export const ruleOf = (kind: (typeof notificationKinds)[number]): KindRule => kinds[kind]

const row = v.strictObject({
  kind: v.picklist(notificationKinds),
  /** In the list and the badge. */
  inApp: v.boolean(),
  push: v.boolean(),
  email: v.picklist(emailChoices),
  /** Null: as soon as the rules raise it. Percent or a count, as the kind has it. */
  threshold: v.nullable(v.pipe(v.number(), v.finite())),
  /** Only of urgent kinds: its push comes in the quiet hours too. */
  ringsInQuietHours: v.boolean(),
})
export type KindPreference = v.InferOutput<typeof row>

const fits = ({ kind, threshold }: KindPreference): boolean => {
  if (threshold === null) return true
  if (!hasThreshold(kind)) return false
  const { least, most } = thresholdUnits[kind]
  return threshold >= least && threshold <= most
}
const isAllowedToRing = ({ kind, ringsInQuietHours }: KindPreference): boolean =>
  !ringsInQuietHours || ruleOf(kind).urgency === 'high'

const timeOfDay = v.pipe(v.string(), v.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be a time of day, such as 22:00'))
const hour = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(23))
const weekday = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(7))

const preferences = v.strictObject({
  /** A row a kind; a kind that is left out keeps what it has. */
  kinds: v.pipe(
    v.array(
      v.pipe(
        row,
        v.check(fits, 'The threshold is out of range'),
        v.check(isAllowedToRing, 'Only an urgent kind may ring in the quiet hours'),
      ),
    ),
    v.maxLength(notificationKinds.length),
  ),
  /** In the user's time zone; may go past midnight. Null: none. */
  quietHours: v.nullable(
    v.pipe(
      v.strictObject({ from: timeOfDay, to: timeOfDay }),
      v.check(({ from, to }) => from !== to, 'Choose two different times'),
    ),
  ),
  /** A mail with what is unread, only when there is something. `hour` 0 to 23 in the user's time zone, `weekday` 1 (Monday) to 7. */
  digest: v.strictObject({ frequency: v.picklist(digestChoices), hour, weekday }),
})
export type NotificationPreferences = v.InferOutput<typeof preferences>

export const preferenceEndpoints = {
  get: defineEndpoint({
    method: 'GET',
    path: '/notifications/preferences',
    access: 'account',
    summary: 'How the user is notified: a row a kind, the quiet hours and the digest',
    response: preferences,
  }),
  save: defineEndpoint({
    method: 'PUT',
    path: '/notifications/preferences',
    access: 'account',
    authority: 'MEMBER',
    summary: 'Change how the user is notified',
    body: preferences,
    response: preferences,
  }),
  /** Public: the token of the mail is the permission. Safe to send twice. Mail programs send a form, of which nothing is read. */
  unsubscribe: defineEndpoint({
    method: 'POST',
    path: '/notifications/unsubscribe/:token',
    access: 'public',
    ignoresBody: true,
    summary: 'End the digest of the mail that the token is from',
    params: v.object({ token: v.pipe(v.string(), v.regex(/^\d{1,15}\.[\w-]{20,100}$/, 'Must be a token')) }),
    response: v.object({ email: v.string() }),
    errors: ['TOKEN_INVALID'],
  }),
}
