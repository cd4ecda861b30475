import { AppError } from '#shared/errors.ts'
import { tenancyOf } from '#features/accounts/server/public.ts'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import type { Ctx } from '#server/context.ts'
import type { pushEndpoints } from '../contract.ts'
import { countsOf } from './notification-rows.ts'
import { pushPayload } from './push-payload.ts'
import { deleteSubscriptionById, openKeys } from './subscriptions.ts'

type TestOutcome = EndpointOutput<typeof pushEndpoints.test>

const minuteSeconds = 60

/** Sends a test push to one browser of the user, and says what its push service answered. Throws NOT_FOUND. */
export async function sendTestPush(ctx: Ctx, endpoint: string): Promise<TestOutcome> {
  const { db, vault, integrations, clock, config, log, actor } = ctx
  const browser = await db.system
    .selectFrom('push_subscription')
    .select(['id', 'keys_sealed as keysSealed', 'key_id as keyId'])
    .where('account_id', '=', actor.accountId)
    .where('endpoint', '=', endpoint)
    .executeTakeFirst()
  if (!browser) throw new AppError('NOT_FOUND', 'This browser does not get your notifications. Turn them on again.')
  const { merchantIds } = await tenancyOf(db.system, actor.accountId)
  const { openCount } = await countsOf(db.system, { accountId: actor.accountId, merchantIds }, clock.now())
  const content = {
    title: 'Notifications work',
    body: 'This is the test that you asked for.',
    url: '/settings',
    tag: 'test',
    openCount,
    isLoud: true,
  }
  const result = await integrations.webPush.send(
    { endpoint, keyId: browser.keyId, keys: openKeys(vault, actor.accountId, endpoint, browser.keysSealed) },
    { payload: pushPayload(content, config.publicUrl), ttlSeconds: minuteSeconds, urgency: 'high', topic: content.tag },
  )
  if (result.outcome === 'gone') await deleteSubscriptionById(db.system, browser.id)
  if (result.outcome === 'refused')
    log.error({ reason: result.reason, host: new URL(endpoint).host }, 'a push was rejected')
  return { ...outcomes[result.outcome] }
}

const outcomes = {
  accepted: { outcome: 'ACCEPTED', message: 'Sent. It should arrive within a few seconds.' },
  gone: { outcome: 'GONE', message: 'This browser has ended its subscription. Turn notifications on again.' },
  retry: { outcome: 'LATER', message: 'The browser’s push service cannot be reached. Try again in a minute.' },
  refused: { outcome: 'REFUSED', message: 'The browser’s push service rejected it. Please contact support.' },
} as const
