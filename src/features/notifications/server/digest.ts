import { TZDate } from '@date-fns/tz'
import { sql } from 'kysely'
import { merchantNames } from '#features/accounts/server/public.ts'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { queueMail } from '#server/mail/outbox.ts'
import { renderMail } from '#server/mail/render-mail.ts'
import { dateText } from '#shared/region-format.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { unsubscribeToken } from './preferences.ts'

interface Due {
  accountId: number
  email: string
  firstName: string
  locale: string
  timeZone: string
  digest: 'DAILY' | 'WEEKLY'
  hour: number
  weekday: number
  lastDay: string | null
}

const mostLines = 20

/** Mails the digests that are due: to each user at their own hour, once for its day, and only when something is unread. */
export async function mailDigests(services: Services): Promise<void> {
  const now = services.clock.now()
  const { rows } = await sql<Due>`
    select a.id as "accountId", a.email, a.first_name as "firstName", a.locale, a.timezone as "timeZone", r.digest,
      r.digest_hour as hour, r.digest_weekday as weekday, r.digest_day::text as "lastDay"
    from notification_rhythm r join account a on a.id = r.account_id
    where r.digest <> 'OFF' and a.status = 'ACTIVE'`.execute(services.db.system)
  for (const due of rows) if (isDue(due, now)) await services.db.transaction(tx => mailDigest(services, tx, due, now))
}

function isDue({ digest, hour, weekday, timeZone, lastDay }: Due, now: Date): boolean {
  const local = new TZDate(now.getTime(), timeZone)
  const today = dayIn(now, timeZone)
  const isDay = digest === 'DAILY' || (local.getDay() || 7) === weekday
  return isDay && local.getHours() >= hour && lastDay !== today
}

async function mailDigest(services: Services, tx: Db, due: Due, now: Date): Promise<void> {
  const { accountId, timeZone, locale, digest } = due
  const today = dayIn(now, timeZone)
  // Of two workers one writes the day.
  const taken = await sql`update notification_rhythm set digest_day = ${today}::date where account_id = ${accountId}
    and digest = ${digest} and digest_day is distinct from ${today}::date`.execute(tx)
  if (!taken.numAffectedRows) return
  const since = new Date(now.getTime() - (digest === 'DAILY' ? 1 : 7) * 86_400_000)
  const { rows } = await sql<{ title: string; merchantId: number | null; at: Date; total: number }>`
    select n.title, n.merchant_id as "merchantId", n.created_at as at, count(*) over ()::int as total
    from notification n
    where n.account_id = ${accountId} and n.is_listed and n.read_at is null and n.settled_at is null and n.decision is null
      and n.created_at >= ${since}
      and (n.merchant_id is null or exists (select 1 from membership s where s.account_id = n.account_id
        and s.merchant_id = n.merchant_id and s.ended_at is null))
    order by n.created_at desc limit ${mostLines}`.execute(tx)
  const [first] = rows
  if (!first) return
  const names = await merchantNames(
    tx,
    rows.map(row => row.merchantId),
  )
  const { publicUrl } = services.config
  const line = ({ title, merchantId, at }: (typeof rows)[number]) => {
    const name = names.get(merchantId)
    return `${dateText(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone }, at)} · ${name === undefined ? '' : `${name}: `}${title}`
  }
  const rest = first.total - rows.length
  const stop = new URL('/unsubscribe', publicUrl)
  const token = unsubscribeToken(services, accountId)
  stop.searchParams.set('token', token)
  await queueMail(services, tx, {
    to: due.email,
    dedupeKey: `digest:${accountId}:${today}`,
    unsubscribeUrl: new URL(`/api/notifications/unsubscribe/${token}`, publicUrl).href,
    ...renderMail({
      subject: `${first.total === 1 ? '1 unread notification' : `${first.total} unread notifications`} at Tideline`,
      greeting: `Hello ${due.firstName},`,
      paragraphs: [
        digest === 'DAILY'
          ? 'Since yesterday:'
          : `Since ${dateText(locale, { dateStyle: 'medium', timeZone: 'UTC' }, new Date(`${addDays(today, -7)}T12:00:00Z`))}:`,
        ...rows.map(line),
        ...(rest > 0 ? [`And ${rest} more.`] : []),
      ],
      action: { label: 'Open notifications', url: new URL('/notifications', publicUrl).href },
      closing: [
        `You chose this ${digest === 'DAILY' ? 'daily' : 'weekly'} email in the settings. To end it: ${stop.href}`,
      ],
    }),
  })
}
