import { sql } from 'kysely'
import type { Ctx } from '#server/context.ts'
import { type Route, route } from '#server/http/route.ts'
import { notificationEndpoints as endpoints, pushEndpoints as push } from '../contract.ts'
import { preferenceEndpoints as preferences } from '../preferences-contract.ts'
import { act, undo } from './act.ts'
import { useToken } from './use-token.ts'
import type { ActionActors, ActorOfSession } from './actors.ts'
import { dismiss, markRead, snooze } from './decide.ts'
import { countsOf, isVisible, listNotifications, readNotification } from './notification-rows.ts'
import { announceChange } from './notify.ts'
import { readPreferences, savePreferences, unsubscribe } from './preferences.ts'
import { saveSubscription } from './subscriptions.ts'
import { sendTestPush } from './test-push.ts'

const rateLimit = { max: 60, windowSeconds: 60 }

const counts = (ctx: Ctx) => countsOf(ctx.db.system, ctx.actor, ctx.clock.now())

async function markAllRead(ctx: Ctx): Promise<void> {
  await ctx.db.transaction(async tx => {
    await sql`update notification n set read_at = ${ctx.clock.now()}
      where ${isVisible(ctx.actor)} and n.read_at is null`.execute(tx)
    await announceChange(ctx, tx, [ctx.actor.accountId])
  })
}

/** The endpoints; main hands over what features above and next to this one do. */
export function createNotificationRoutes(actors: ActionActors, actorOf: ActorOfSession): Route[] {
  const acting = { actors, actorOf }
  const offered = new Set(Object.keys(actors))
  /** What became of a decision, with the notification as it is now. */
  const decided = async (ctx: Ctx, id: number, message: string) => ({
    message,
    notification: await readNotification(ctx, id, offered),
  })
  return [
    route(endpoints.list, (ctx, { query }) => listNotifications(ctx, query, offered)),
    route(endpoints.counts, ctx => counts(ctx)),
    route(endpoints.one, (ctx, { params }) => readNotification(ctx, params.id, offered)),
    route(endpoints.read, async (ctx, { params }) => {
      await markRead(ctx, params.id)
      return counts(ctx)
    }),
    route(endpoints.readAll, async ctx => {
      await markAllRead(ctx)
      return counts(ctx)
    }),
    route(endpoints.act, async (ctx, { params: { id }, body }) => {
      const { action, budget, after } = body
      const numbers = { ...(budget !== undefined && { raise: { budget } }), ...(after !== undefined && { after }) }
      return decided(ctx, id, await act(ctx, ctx.actor, acting, { id, action, ...numbers }))
    }),
    route(endpoints.snooze, async (ctx, { params: { id }, body }) =>
      decided(ctx, id, await snooze(ctx, ctx.actor, id, body.hours)),
    ),
    route(endpoints.dismiss, async (ctx, { params: { id }, body }) =>
      decided(ctx, id, await dismiss(ctx, id, body.reason)),
    ),
    route(endpoints.undo, async (ctx, { params: { id } }) => decided(ctx, id, await undo(ctx, acting, id))),
    route(endpoints.actByToken, (ctx, { params }) => useToken(ctx, params.token, acting), {
      rateLimit: { max: 30, windowSeconds: 60 },
    }),
    ...preferenceRoutes,
    ...pushRoutes,
  ]
}

const preferenceRoutes: Route[] = [
  route(preferences.get, readPreferences),
  route(preferences.save, (ctx, { body }) => savePreferences(ctx, body)),
  route(preferences.unsubscribe, (ctx, { params }) => unsubscribe(ctx, params.token), { rateLimit }),
]

const pushRoutes: Route[] = [
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
  route(push.test, (ctx, { body }) => sendTestPush(ctx, body.endpoint), { rateLimit: { max: 10, windowSeconds: 60 } }),
]
