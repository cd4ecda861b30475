import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'

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
    access: 'account',
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
    summary: 'Stop sending pushes to this browser',
    body: v.object({ endpoint }),
    response: v.null(),
    status: 204,
  }),
}
