import { type Route, route } from '#server/http/route.ts'
import { pushEndpoints as push } from '../contract.ts'
import { saveSubscription } from './subscriptions.ts'

const rateLimit = { max: 60, windowSeconds: 60 }

export const notificationsRoutes: Route[] = [
  route(push.publicKey, async ({ integrations }) => ({ publicKey: integrations.webPush.current?.publicKey ?? null })),
  route(push.subscribe, (ctx, { body }) => saveSubscription(ctx, body), { rateLimit }),
  route(
    push.unsubscribe,
    async ({ db, actor }, { body }) => {
      await db.system
        .deleteFrom('push_subscription')
        .where('account_id', '=', actor.accountId)
        .where('endpoint', '=', body.endpoint)
        .execute()
      return null
    },
    { rateLimit },
  ),
]
