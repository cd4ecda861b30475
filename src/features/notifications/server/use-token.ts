import { tenancyOf } from '#features/accounts/server/public.ts'
import { isSessionActive } from '#features/auth/server/public.ts'
import type { PublicCtx } from '#server/context.ts'
import { AppError } from '#shared/errors.ts'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { kinds, type NotificationAction, notificationActions, type notificationEndpoints } from '../contract.ts'
import { act, type Acting } from './act.ts'
import { snooze } from './decide.ts'
import { countsOf } from './notification-rows.ts'
import { hashOf } from './push-buttons.ts'

const invalid = (message: string) => new AppError('TOKEN_INVALID', message)
const isAction = (text: string): text is NotificationAction => (notificationActions as readonly string[]).includes(text)

type Used = EndpointOutput<typeof notificationEndpoints.actByToken>

/**
 * Carries out the button that a token stands for, as the user of the session whose browser got it. A second use gets the
 * first answer. Throws TOKEN_INVALID if it is unknown, has expired or the session has ended, FORBIDDEN if the user has lost
 * the merchant or the right, else like `act`.
 */
export async function useToken(ctx: PublicCtx, token: string, acting: Acting): Promise<Used> {
  const { db, clock } = ctx
  const now = clock.now()
  const hash = hashOf(token)
  const row = await db.system
    .selectFrom('notification_token as t')
    .innerJoin('notification as n', 'n.id', 't.notification_id')
    .select(['t.action', 't.session_id as sessionId', 't.expires_at as expiresAt', 't.used_at as usedAt', 't.answer'])
    .select(['n.id', 'n.kind', 'n.account_id as accountId', 'n.merchant_id as merchantId'])
    .select(isSessionActive('t.session_id', now).as('isActive'))
    .where('t.token_hash', '=', hash)
    .executeTakeFirst()
  if (!row || row.expiresAt <= now) throw invalid('This button has expired. Open Tideline to decide.')
  const { merchantIds } = await tenancyOf(db.system, row.accountId)
  const person = { accountId: row.accountId, merchantIds, sessionId: row.sessionId }
  const used = async (message: string): Promise<Used> => ({
    message,
    openCount: row.isActive ? (await countsOf(db.system, person, now)).openCount : null,
  })
  if (row.usedAt && typeof row.answer === 'string') return used(row.answer)
  if (!row.isActive) throw invalid('You are logged out on this device. Log in to decide.')
  if (row.merchantId !== null && !merchantIds.includes(row.merchantId))
    throw new AppError('FORBIDDEN', 'You no longer have access to this account.')
  const message =
    row.action === 'SNOOZE'
      ? await snooze(ctx, person, row.id, 1)
      : isAction(row.action)
        ? await act(ctx, person, acting, { id: row.id, action: row.action, raise: { percent: 20 } })
        : null
  if (message === null) throw new Error(`a token for an unknown action: ${row.action} of ${kinds[row.kind].label}`)
  await db.system
    .updateTable('notification_token')
    .set({ used_at: now, answer: JSON.stringify(message) })
    .where('token_hash', '=', hash)
    .execute()
  return used(message)
}
