import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPushScene, type PushScene } from '../../../../tests/support/push-scene.ts'
import type { KindPreference, NotificationPreferences } from '../preferences-contract.ts'
import { mailDigests } from './digest.ts'
import { workOnDue } from './due.job.ts'
import { notifyAlert } from './jobs.ts'
import { endOfQuiet } from './preferences.ts'

let scene: PushScene
beforeAll(async () => {
  scene = await openPushScene()
})
afterAll(() => scene.close())

type Person = Awaited<ReturnType<PushScene['subscriber']>>
const path = '/notifications/preferences'
const standard: KindPreference = {
  kind: 'SPEND_SPIKE',
  inApp: true,
  push: true,
  email: 'INSTEAD',
  threshold: null,
  ringsInQuietHours: false,
}
const save = (person: Person, kinds: Partial<KindPreference>[], more: Partial<NotificationPreferences> = {}) =>
  scene.call(person.token, path, {
    method: 'PUT',
    body: {
      kinds: kinds.map(kind => ({ ...standard, ...kind })),
      quietHours: null,
      digest: { frequency: 'OFF', hour: 8, weekday: 1 },
      ...more,
    },
  })
let causes = 0
const raise = ({ merchantId, profileId }: Person, measure: number, cause = `spend-${++causes}`) =>
  notifyAlert.run(
    scene.services,
    {
      merchantId,
      profileId,
      campaignId: null,
      kind: 'SPEND_SPIKE',
      cause,
      occasion: 'today',
      title: ['“Mugs” spends ', { micros: 1_234_560_000, currency: 'EUR' }],
      body: ['By ', { time: '2026-11-20T18:40:00Z', timeZone: 'UTC' }, '.'],
      url: '/campaigns',
      evidence: [],
      stakeMicros: null,
      currency: 'EUR',
      actions: [],
      measure,
    },
    scene.job,
  )
const pushed = async ({ accountId, browser }: Person) => {
  await scene.sendAll(accountId)
  return (await scene.pushesTo(browser)).map(
    ({ payload }) => (JSON.parse(payload ?? '') as { notification: { title: string; body: string } }).notification,
  )
}
const listed = async (person: Person) =>
  (await scene.call(person.token, '/notifications')).json() as { content: { title: string }[]; unreadCount: number }
const mailsTo = async ({ accountId }: Person) => {
  const { rows } = await sql<{ subject: string; text: string; unsubscribeUrl: string | null }>`
    select o.subject, o.text, o.unsubscribe_url as "unsubscribeUrl" from mail_outbox o
    join account a on a.email = o.to_address where a.id = ${accountId} order by o.id`.execute(scene.services.db.system)
  return rows
}
/** Sets the person's time zone so that it is this hour of the day there; tests run at any time. */
async function beAt(person: Person, hour: number, locale = 'en-US'): Promise<void> {
  const ahead = ((hour - scene.services.clock.now().getUTCHours() + 36) % 24) - 12
  const timezone = ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
  await scene.call(person.token, '/user', { method: 'PATCH', body: { timezone, locale } })
}

test('every kind has a row, and what was chosen stays', async () => {
  const person = await scene.subscriber()
  const before = (await scene.call(person.token, path)).json() as NotificationPreferences
  expect(before.kinds).toHaveLength(16)
  expect(before).toMatchObject({ quietHours: null, digest: { frequency: 'OFF', hour: 8, weekday: 1 } })
  const chosen = { quietHours: { from: '22:00', to: '07:00' }, digest: { frequency: 'WEEKLY', hour: 18, weekday: 5 } }
  await save(person, [{ push: false, threshold: 80 }], chosen as Partial<NotificationPreferences>)
  const after = (await scene.call(person.token, path)).json() as NotificationPreferences
  expect(after).toMatchObject(chosen)
  expect(after.kinds.find(({ kind }) => kind === 'SPEND_SPIKE')).toMatchObject({ push: false, threshold: 80 })
  expect(after.kinds.filter(({ kind }) => kind !== 'SPEND_SPIKE')).toEqual(
    before.kinds.filter(({ kind }) => kind !== 'SPEND_SPIKE'),
  )
})

test.each([
  ['a threshold out of range', { threshold: 5 }],
  ['a threshold of a kind that has none', { kind: 'CONNECTION_LOST', threshold: 60 }],
  ['news that rings at night', { kind: 'LAUNCH_FINISHED', ringsInQuietHours: true }],
] as [string, Partial<KindPreference>][])('%s is rejected', async (_name, kind) => {
  expect((await save(await scene.subscriber(), [kind])).status).toBe(400)
})

test('a user hears of an alert in their own format, and from their own threshold on', async () => {
  const person = await scene.subscriber()
  await beAt(person, 12, 'de-DE')
  await save(person, [{ threshold: 80 }])
  await raise(person, 60, 'spend-slow')
  expect(await listed(person)).toMatchObject({ content: [], unreadCount: 0 })
  await raise(person, 85, 'spend-slow')
  const [push] = await pushed(person)
  expect(push?.title).toMatch(/^“Mugs” spends 1\.234,56\s€$/)
  expect(push?.body).toBe('By 18:40.')
  expect((await listed(person)).content).toHaveLength(1)
})

test('a kind that is off in one place still comes by the others', async () => {
  const person = await scene.subscriber()
  await save(person, [{ inApp: false, email: 'NEVER' }])
  await raise(person, 90)
  expect(await pushed(person)).toHaveLength(1)
  expect(await listed(person)).toMatchObject({ content: [], unreadCount: 0 })
  await save(person, [{ push: false, email: 'ALWAYS' }])
  await raise(person, 90)
  await workOnDue.run(scene.services, {}, scene.job)
  expect(await pushed(person)).toHaveLength(1)
  expect(await mailsTo(person)).toHaveLength(1)
  expect((await listed(person)).content).toHaveLength(1)
})

test('in the quiet hours nothing rings but what may, and the rest comes as one push when they end', async () => {
  const person = await scene.subscriber()
  await beAt(person, 23)
  const quietHours = { from: '22:00', to: '07:00' }
  await save(person, [{}], { quietHours })
  await raise(person, 90)
  await raise(person, 90)
  expect(await pushed(person)).toEqual([])
  await save(person, [{ ringsInQuietHours: true }], { quietHours })
  await raise(person, 90, 'spend-urgent')
  expect(await pushed(person)).toHaveLength(1)
  const other = await scene.subscriber()
  await beAt(other, 23)
  await save(other, [{}], { quietHours })
  await raise(other, 90)
  await raise(other, 90)
  scene.advance(9 * 3_600_000)
  expect(await pushed(other)).toMatchObject([{ title: '2 decisions need you' }])
})

test('quiet hours end at the same time of the day when the clocks change', () => {
  const hours = { from: '22:00', to: '07:00' }
  const end = (at: string) => endOfQuiet(new Date(at), hours, 'Europe/Berlin')?.toISOString() ?? null
  expect(end('2026-10-24T21:30:00Z')).toBe('2026-10-25T06:00:00.000Z')
  expect(end('2026-07-01T04:59:00Z')).toBe('2026-07-01T05:00:00.000Z')
  expect(end('2026-07-01T05:00:00Z')).toBeNull()
})

test('a digest goes out once at its hour, only when something is unread, and its link ends it', async () => {
  const person = await scene.subscriber()
  await beAt(person, 12, 'de-DE')
  const digest = { frequency: 'DAILY' as const, hour: 12, weekday: 1 }
  await save(person, [{ email: 'NEVER' }], { digest: { ...digest, hour: 13 } })
  await raise(person, 90)
  await mailDigests(scene.services)
  expect(await mailsTo(person)).toEqual([])
  await save(person, [{ email: 'NEVER' }], { digest })
  await mailDigests(scene.services)
  await mailDigests(scene.services)
  const [mail, ...more] = await mailsTo(person)
  expect(more).toEqual([])
  expect(mail?.subject).toBe('1 unread notification at Tideline')
  expect(mail?.text).toMatch(/ · Test seller: “Mugs” spends 1\.234,56\s€/)
  const token = /unsubscribe\?token=(\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
  expect((await scene.call('nobody', `/notifications/unsubscribe/${token}x`, { method: 'POST' })).status).toBe(400)
  expect((await scene.call('nobody', `/notifications/unsubscribe/${token}`, { method: 'POST' })).status).toBe(200)
  expect((await scene.call(person.token, path)).json()).toMatchObject({ digest: { frequency: 'OFF' } })
  // By one click in the mail program, which sends a form of its own.
  await save(person, [{ email: 'NEVER' }], { digest })
  const oneClick = new URL(mail?.unsubscribeUrl ?? '')
  expect(oneClick.href).toContain('https://tideline.example/api/')
  const form = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  const clicked = await scene.call('nobody', oneClick.pathname.slice('/api'.length), { method: 'POST', body: form })
  expect(clicked.status).toBe(200)
  expect((await scene.call(person.token, path)).json()).toMatchObject({ digest: { frequency: 'OFF' } })
  await save(person, [{ email: 'NEVER' }], { digest })
  await scene.call(person.token, '/notifications/read-all', { method: 'POST' })
  scene.advance(24 * 3_600_000)
  await mailDigests(scene.services)
  expect(await mailsTo(person)).toHaveLength(1)
})
