import type { Db } from '#server/db/tables.ts'
import { sql } from 'kysely'
import { kinds, type NotificationKind } from '../contract.ts'
import { isOpen } from './notification-rows.ts'

const windowMs = 60_000
const urgencies = ['low', 'normal', 'high'] as const

interface Member {
  id: number
  kind: NotificationKind
  title: string
  cause: string
  campaignId: number | null
  until: Date
  /** Under which a browser has it already. */
  topic: string | null
  isPending: boolean
}

/**
 * One push for everything that was raised for a user within a minute, or waits since their quiet hours, or null if that is one notification only. It takes the
 * place of the first, silently where the browser has that already: a phone shows one notification, and rings once.
 */
export async function bundleOf(
  db: Db,
  { accountId, notificationId, subscriptionId }: { accountId: number; notificationId: number; subscriptionId: number },
  now: Date,
) {
  const { rows: members } = await sql<Member>`
    select n.id, n.kind, n.title, n.cause, n.campaign_id as "campaignId", n.push_until as until,
      d.topic, d.state = 'PENDING' as "isPending"
    from push_delivery d join notification n on n.id = d.notification_id
    where d.subscription_id = ${subscriptionId} and n.account_id = ${accountId} and n.push_until > ${now} and ${isOpen('n', now)}
      and (d.state = 'PENDING' or d.state = 'ACCEPTED' and d.settled_at > ${new Date(now.getTime() - windowMs)}
        and n.created_at > ${new Date(now.getTime() - windowMs)})
    order by d.settled_at nulls last, n.id`.execute(db)
  const [first] = members
  if (!first || members.length < 2 || !members.some(({ id }) => id === notificationId)) return null
  const campaigns = new Set(members.map(({ campaignId }) => campaignId))
  const isOfCampaigns = campaigns.size === members.length && !campaigns.has(null)
  const sent = members.find(({ isPending }) => !isPending)
  return {
    content: {
      title: `${members.length} ${isOfCampaigns ? 'campaigns need' : 'decisions need'} you`,
      body: members.map(({ title }) => title).join(' · '),
      url: '/notifications',
      tag: sent?.topic ?? first.cause,
      isLoud: sent === undefined,
    },
    until: new Date(Math.max(...members.map(({ until }) => until.getTime()))),
    urgency: urgencies.findLast(urgency => members.some(({ kind }) => kinds[kind].urgency === urgency)) ?? 'normal',
    notificationIds: members.filter(({ isPending }) => isPending).map(({ id }) => id),
  }
}
