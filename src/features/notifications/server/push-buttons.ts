import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '#server/db/tables.ts'
import type { NotificationAction } from '../contract.ts'

/** The buttons of a push, with what they say. */
export const pushButtons = {
  PAUSE_CAMPAIGN: 'Pause',
  RAISE_BUDGET_TODAY: '+20 % today',
  UNDO_CHANGE: 'Undo',
  APPROVE_PROPOSAL: 'Approve',
  REJECT_PROPOSAL: 'Reject',
  SNOOZE: 'Snooze 1 h',
} as const satisfies Record<NotificationAction | 'SNOOZE', string>
export type PushButton = keyof typeof pushButtons

const lifeMs = 24 * 3_600_000
/** The hash by which a token is stored. */
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Makes a token for each button of one push to one browser; only their hashes are stored. */
export async function createTokens(
  db: Db,
  push: { notificationId: number; sessionId: string },
  buttons: readonly PushButton[],
  now: Date,
): Promise<Partial<Record<PushButton, string>>> {
  const made = buttons.map(button => [button, randomBytes(24).toString('base64url')] as const)
  if (made.length)
    await db
      .insertInto('notification_token')
      .values(
        made.map(([action, token]) => ({
          token_hash: hashOf(token),
          notification_id: push.notificationId,
          session_id: push.sessionId,
          action,
          expires_at: new Date(now.getTime() + lifeMs),
          used_at: null,
          answer: null,
        })),
      )
      .execute()
  return Object.fromEntries(made)
}
