import { sql } from 'kysely'
import { merchantNames } from '#features/accounts/server/public.ts'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { queueMail } from '#server/mail/outbox.ts'
import { renderMail } from '#server/mail/render-mail.ts'
import { moneyText, numberText, shareText, toMicros } from '#shared/money.ts'
import { type Evidence, kinds, type NotificationKind } from '../contract.ts'
import { dateText, type Region } from '#shared/region-format.ts'

interface DueRow {
  id: number
  kind: NotificationKind
  title: string
  body: string
  url: string
  evidence: Evidence[]
  currency: string | null
  merchantId: number | null
  isWanted: boolean
  /** Mailed because no push arrived. */
  isInstead: boolean
}

const mostAtOnce = 200

/**
 * Mails what is due, to each user in one mail: what its kind always mails, and what no device took in time. What was read,
 * decided or settled meanwhile, or is of a merchant that the user has left, is not mailed.
 */
export async function mailDue(services: Services): Promise<void> {
  const { db, clock } = services
  const now = clock.now()
  const due = await db.system
    .selectFrom('notification')
    .select('account_id as accountId')
    .distinct()
    .where('mail_at', '<=', now)
    .limit(mostAtOnce)
    .execute()
  for (const { accountId } of due) await db.transaction(tx => mailAccount(services, tx, accountId, now))
}

async function mailAccount(services: Services, tx: Db, accountId: number, now: Date): Promise<void> {
  const account = await tx
    .selectFrom('account')
    .select(['email', 'first_name as firstName', 'timezone', 'locale', 'status'])
    .where('id', '=', accountId)
    .executeTakeFirst()
  const rows = (await takeDueMails(tx, accountId, now)).filter(row => row.isWanted)
  const [first] = rows
  if (!first || account?.status !== 'ACTIVE') return
  const names = await merchantNames(
    tx,
    rows.map(row => row.merchantId),
  )
  const { publicUrl } = services.config
  const path =
    rows.length > 1 ? '/notifications' : kinds[first.kind].isDecision ? `/notifications?id=${first.id}` : first.url
  await queueMail(services, tx, {
    to: account.email,
    dedupeKey: `notifications:${accountId}:${now.toISOString()}`,
    ...renderMail({
      subject: rows.length > 1 ? `${rows.length} things need a look at Tideline` : first.title,
      greeting: `Hello ${account.firstName},`,
      paragraphs: rows.flatMap(row =>
        paragraphsOf(row, names.get(row.merchantId), { locale: account.locale, timeZone: account.timezone }),
      ),
      action: { label: 'Open Tideline', url: new URL(path, publicUrl).href },
      closing: rows.every(row => !row.isInstead)
        ? []
        : [
            'You get this by email because none of your devices took it as a push. Turn on notifications in the settings to get it at once.',
          ],
    }),
  })
}

/** Takes what is due of an account, whether it is still wanted or not: it is looked at once. */
async function takeDueMails(tx: Db, accountId: number, now: Date): Promise<DueRow[]> {
  const undecided = Object.entries(kinds).flatMap(([kind, rule]) => (rule.isDecision ? [kind] : []))
  const insteadOfPush = Object.entries(kinds).flatMap(([kind, rule]) => (rule.mail === 'instead' ? [kind] : []))
  const isInstead = sql<boolean>`coalesce(p.email = 'INSTEAD', n.kind = any(${insteadOfPush}::text[]))`
  const { rows } = await sql<DueRow>`
    with taken as (
      update notification set mail_at = null where account_id = ${accountId} and mail_at <= ${now} returning *
    )
    select n.id, n.kind, n.title, n.body, n.url, n.evidence, n.currency, n.merchant_id as "merchantId",
      n.read_at is null
        and (n.kind <> all(${undecided}::text[]) or n.decision is null and n.settled_at is null)
        and (n.merchant_id is null or exists (select from membership s where s.account_id = n.account_id
          and s.merchant_id = n.merchant_id and s.ended_at is null))
        and (not ${isInstead} or not exists (select from push_delivery d
          where d.notification_id = n.id and d.state = 'ACCEPTED')) as "isWanted", ${isInstead} as "isInstead"
    from taken n
      left join notification_preference p on p.account_id = n.account_id and p.kind = n.kind
    order by n.id`.execute(tx)
  return rows
}

const paragraphsOf = (
  { title, body, evidence, currency }: DueRow,
  merchantName: string | undefined,
  region: Region,
): string[] => [
  merchantName === undefined ? title : `${merchantName}: ${title}`,
  body,
  ...(evidence.length
    ? [evidence.map(line => `${line.label}: ${evidenceText(line, currency, region)}`).join(' · ')]
    : []),
]

function evidenceText({ format, value }: Evidence, currency: string | null, region: Region): string {
  if (typeof value === 'number') {
    if (format === 'percent') return shareText(value / 100, region)
    if (format === 'money' && currency) return moneyText(toMicros(value), currency, region)
    return numberText(value, 0, region)
  }
  const at = new Date(value)
  if (format !== 'time' || Number.isNaN(at.getTime())) return value
  return dateText(region.locale, { timeZone: region.timeZone, dateStyle: 'medium', timeStyle: 'short' }, at)
}
