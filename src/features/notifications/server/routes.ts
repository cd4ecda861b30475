import { type Route, route } from '#server/http/route.ts'
import { pushEndpoints as push } from '../contract.ts'
import { getPublicKey } from './subscriptions/get-public-key.ts'
import { removeSubscription } from './subscriptions/remove-subscription.ts'
import { saveSubscription } from './subscriptions/save-subscription.ts'

const rateLimit = { max: 60, windowSeconds: 60 }

export const notificationsRoutes: Route[] = [
  route(push.publicKey, ctx => getPublicKey(ctx)),
  route(push.subscribe, (ctx, { body }) => saveSubscription(ctx, body), { rateLimit }),
  route(push.unsubscribe, (ctx, { body }) => removeSubscription(ctx, body.endpoint), { rateLimit }),
]
