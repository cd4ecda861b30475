import { TZDate } from '@date-fns/tz'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { regionOf, signingKey } from '#features/auth/server/public.ts'
import type { Ctx, PublicCtx, Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { AppError } from '#shared/errors.ts'
import { type NotificationKind, notificationKinds } from '../contract.ts'
import { type KindPreference, type NotificationPreferences, ruleOf } from '../preferences-contract.ts'

function defaultOf(kind: NotificationKind): KindPreference {
  const { push, mail } = ruleOf(kind)
  const email = ({ never: 'NEVER', instead: 'INSTEAD', always: 'ALWAYS' } as const)[mail]
  return { kind, inApp: true, push, email, threshold: null, ringsInQuietHours: false }
}

const columns = [
  'kind',
  'in_app as inApp',
  'push',
  'email',
  'threshold',
  'rings_in_quiet_hours as ringsInQuietHours',
] as const

/** How a user wants a kind: as chosen, or as it is by default. */
export async function preferenceOf(db: Db, accountId: number, kind: NotificationKind): Promise<KindPreference> {
  const row = await db
    .selectFrom('notification_preference')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return row ? { ...row, kind } : defaultOf(kind)
}

const rhythmOf = (db: Db, accountId: number) =>
  db.selectFrom('notification_rhythm').selectAll().where('account_id', '=', accountId).executeTakeFirst()

/** The caller's preferences, a row for every kind. */
export async function readPreferences({ db, actor }: Pick<Ctx, 'db' | 'actor'>): Promise<NotificationPreferences> {
  const { accountId } = actor
  const chosen = await db.system
    .selectFrom('notification_preference')
    .select(columns)
    .where('account_id', '=', accountId)
    .execute()
  const rhythm = await rhythmOf(db.system, accountId)
  const { quiet_from: from = null, quiet_to: to = null } = rhythm ?? {}
  return {
    kinds: notificationKinds.map(kind => {
      const row = chosen.find(one => one.kind === kind)
      return row ? { ...row, kind } : defaultOf(kind)
    }),
    quietHours: from !== null && to !== null ? { from, to } : null,
    digest: {
      frequency: rhythm?.digest ?? 'OFF',
      hour: rhythm?.digest_hour ?? 8,
      weekday: rhythm?.digest_weekday ?? 1,
    },
  }
}

/** Changes the caller's preferences; they count for what is raised from now on. Other devices read them again. */
export async function savePreferences(ctx: Ctx, input: NotificationPreferences): Promise<NotificationPreferences> {
  const { accountId } = ctx.actor
  const { quietHours, digest } = input
  const rhythm = {
    quiet_from: quietHours?.from ?? null,
    quiet_to: quietHours?.to ?? null,
    digest: digest.frequency,
    digest_hour: digest.hour,
    digest_weekday: digest.weekday,
  }
  await ctx.db.transaction(async tx => {
    for (const { kind, inApp, push, email, threshold, ringsInQuietHours } of input.kinds) {
      const values = { in_app: inApp, push, email, threshold, rings_in_quiet_hours: ringsInQuietHours }
      await tx
        .insertInto('notification_preference')
        .values({ account_id: accountId, kind, ...values })
        .onConflict(conflict => conflict.columns(['account_id', 'kind']).doUpdateSet(values))
        .execute()
    }
    await tx
      .insertInto('notification_rhythm')
      .values({ account_id: accountId, ...rhythm })
      .onConflict(conflict => conflict.column('account_id').doUpdateSet(rhythm))
      .execute()
    await ctx.events.publish(tx, [accountId], 'notifications', {})
  })
  return readPreferences(ctx)
}

/** When the quiet hours of a user end that it is in now; null while this kind may ring. */
export async function quietFor(
  db: Db,
  accountId: number,
  { ringsInQuietHours }: KindPreference,
  now: Date,
): Promise<Date | null> {
  if (ringsInQuietHours) return null
  const rhythm = await rhythmOf(db, accountId)
  if (!rhythm || rhythm.quiet_from === null || rhythm.quiet_to === null) return null
  const { timeZone } = await regionOf(db, accountId)
  return endOfQuiet(now, { from: rhythm.quiet_from, to: rhythm.quiet_to }, timeZone)
}

/** When the quiet hours `from` to `to` (22:00 to 07:00) end that a moment is in; null outside of them. */
export function endOfQuiet(now: Date, { from, to }: { from: string; to: string }, timeZone: string): Date | null {
  const local = new TZDate(now.getTime(), timeZone)
  const time = `${String(local.getHours()).padStart(2, '0')}:${String(local.getMinutes()).padStart(2, '0')}`
  const isPastMidnight = from > to
  const isQuiet = isPastMidnight ? time >= from || time < to : time >= from && time < to
  if (!isQuiet) return null
  const [hours = 0, minutes = 0] = to.split(':').map(Number)
  const day = local.getDate() + (isPastMidnight && time >= from ? 1 : 0)
  return new Date(new TZDate(local.getFullYear(), local.getMonth(), day, hours, minutes, timeZone).getTime())
}

const signature = (services: Pick<Services, 'config'>, accountId: number): string =>
  createHmac('sha256', signingKey(services.config)).update(`end-digest ${accountId}`).digest('base64url')

/** The token by which a mail of this account ends its digest without a log-in; it does nothing else. */
export const unsubscribeToken = (services: Pick<Services, 'config'>, accountId: number): string =>
  `${accountId}.${signature(services, accountId)}`

/** Ends the digest of the account that the token was made for, and returns its address. Throws TOKEN_INVALID. */
export async function unsubscribe(ctx: PublicCtx, token: string): Promise<{ email: string }> {
  const [id = '', sent = ''] = token.split('.')
  const [actual, expected] = [Buffer.from(sent), Buffer.from(signature(ctx, Number(id)))]
  const invalid = new AppError('TOKEN_INVALID', 'This link is not valid. Log in to change your emails in the settings.')
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) throw invalid
  const { system } = ctx.db
  const account = await system.selectFrom('account').select('email').where('id', '=', Number(id)).executeTakeFirst()
  if (!account) throw invalid
  await system.updateTable('notification_rhythm').set({ digest: 'OFF' }).where('account_id', '=', Number(id)).execute()
  return account
}
