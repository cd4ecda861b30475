import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Services } from '#server/context.ts'
import {
  addTestAccount,
  addTestCampaign,
  testCaller,
  type TestAccount,
} from '../../../../tests/support/campaign-account.ts'
import { addAccount } from '../../../../tests/support/people.ts'
import { testServices } from '../../../../tests/support/services.ts'
import { exportData } from './export-data.ts'

let services: Services & { close(): Promise<void> }
let own: TestAccount
let other: TestAccount
const many = 2500

beforeAll(async () => {
  services = await testServices()
  own = await addTestAccount(services)
  other = await addTestAccount(services)
  const mine = await addTestCampaign(services, own, { name: 'Lamps' })
  const theirs = await addTestCampaign(services, other, { name: 'Secret plan' })
  const { system } = services.db
  await sql`insert into target (merchant_id, profile_id, campaign_id, ad_group_id, amazon_id, kind, text, match_type, state, bid_micros)
    select ${own.merchantId}, ${own.profileId}, ${mine.campaignId}, ${mine.adGroupId}, 'm' || n, 'KEYWORD', 'lamp ' || n, 'BROAD', 'ENABLED', 500000
    from generate_series(1, ${many}) n`.execute(system)
  const change = async ({ merchantId, profileId }: TestAccount, accountId: number, campaignId: number, note: string) =>
    sql`insert into entity_change (merchant_id, profile_id, campaign_id, entity, entity_id, group_id, field, before, after, origin, account_id, note, at)
      values (${merchantId}, ${profileId}, ${campaignId}, 'campaign', ${campaignId}, gen_random_uuid(), 'name', '"a"', '"b"', 'USER', ${accountId}, ${note}, now())`.execute(
      system,
    )
  await change(own, own.accountId, mine.campaignId, 'by me')
  await change(own, other.accountId, mine.campaignId, 'by a colleague')
  await change(other, other.accountId, theirs.campaignId, 'by them')
  // May see the other merchant, but does not own it.
  await sql`insert into membership (account_id, merchant_id, role) values (${own.accountId}, ${other.merchantId}, 'VIEWER')`.execute(
    system,
  )
  for (const { merchantId, profileId } of [own, other]) {
    await sql`insert into optimizer_group (merchant_id, profile_id, name, state, settings, asks, taken_over_at, shadow_until)
      values (${merchantId}, ${profileId}, ${`group of ${merchantId}`}, 'RUNNING', '{"targetAcos": 0.3}', '{bid}', now(), now())`.execute(
      system,
    )
    await sql`insert into optimizer_decision (merchant_id, profile_id, group_id, day, at, decision_group, kind, cause, entity, before, after,
        evidence, asks, engine_version, settings_hash, state)
      select merchant_id, profile_id, id, now(), now(), 'b', 'bid', 'WORTH_LESS', 'target', '1200000', '1020000', '{"clicks": 42}', false, 1,
        'h', 'CONFIRMED' from optimizer_group where merchant_id = ${merchantId}`.execute(system)
  }
  for (const { accountId } of [own, other])
    await sql`insert into invoice (id, account_id, number, status, kind, currency, total, amount_due, amount_paid, issued_at, attempt_count, lines, read_at)
      values (${`in_${accountId}`}, ${accountId}, ${`TL-${accountId}`}, 'paid', 'PLAN', 'USD', 9900, 9900, 9900, now(), 1, ${JSON.stringify([{ description: 'Growth', amount: 9900 }])}, now())`.execute(
      system,
    )
  // Each recommended the product to the other.
  for (const [affiliate, referred, label] of [
    [own.accountId, other.accountId, 'o…@people.test'],
    [other.accountId, own.accountId, 'hidden…@people.test'],
  ] as const) {
    await sql`insert into affiliate (account_id, code, created_at) values (${affiliate}, ${`CODE${affiliate}`}, now())`.execute(
      system,
    )
    await sql`insert into affiliate_referral (referred_account_id, affiliate_account_id, label, registered_at)
      values (${referred}, ${affiliate}, ${label}, now())`.execute(system)
    await sql`insert into affiliate_commission (invoice_id, affiliate_account_id, referred_account_id, currency, base_amount, amount,
        invoice_paid_at, payable_at)
      values (${`in_of_${referred}`}, ${affiliate}, ${referred}, 'USD', 9900, 1980, now(), now())`.execute(system)
  }
  await sql`insert into membership (account_id, merchant_id, role) values (${await addAccount(services)}, ${own.merchantId}, 'VIEWER')`.execute(
    system,
  )
  for (const { accountId, merchantId } of [own, other]) await addPersonal(accountId, merchantId)
  await sql`update connection set refresh_token_sealed = 'sealed-secret' where merchant_id = ${own.merchantId}`.execute(
    system,
  )
})
afterAll(() => services.close())

/** A row with the account's own mark in each list of what a person chose, said and made. */
async function addPersonal(accountId: number, merchantId: number): Promise<void> {
  const mark = `mark-of-${accountId}-`
  for (const statement of [
    sql`insert into notification_preference (account_id, kind, in_app, push, email, rings_in_quiet_hours)
      values (${accountId}, 'SPEND_SPIKE', true, false, 'ALWAYS', true)`,
    sql`insert into notification_rhythm (account_id, quiet_from, quiet_to, digest) values (${accountId}, '22:00', '07:00', 'DAILY')`,
    sql`insert into onboarding_survey (account_id, goal, shows_steps, answered_at) values (${accountId}, 'WASTE_LESS', true, now())`,
    sql`insert into session (id, account_id, user_agent, created_at, expires_at)
      values (gen_random_uuid(), ${accountId}, ${`${mark}phone`}, now(), now() + interval '1 day')`,
    sql`insert into branding_profile (account_id, name, primary_color, accent_color, footer, logo_file, logo, created_at)
      values (${accountId}, ${`${mark}brand`}, '#000000', '#ffffff', '', ${`${mark}file`}, 'png', now())`,
    sql`insert into performance_report (merchant_id, profile_id, marketplace_id, account_id, kind, format, date_from, date_to, status, file_name, created_at)
      values (${merchantId}, 1, 1, ${accountId}, 'PERFORMANCE', 'PDF', '2026-01-01', '2026-01-31', 'READY', ${`${mark}report.pdf`}, now())`,
    // What a campaign manager requested for the user is the manager's.
    sql`insert into performance_report (merchant_id, profile_id, marketplace_id, account_id, manager_id, kind, format, date_from, date_to, created_at)
      values (${merchantId}, 1, 1, ${accountId}, 1, 'ASIN', 'PDF', '2026-02-01', '2026-02-28', now())`,
    sql`insert into report_schedule (merchant_id, profile_id, marketplace_id, account_id, kind, format, frequency, next_at, created_at)
      values (${merchantId}, 1, 1, ${accountId}, 'PERFORMANCE', 'PDF', 'WEEKLY', now(), now())`,
    sql`insert into invitation (invited_by, email, token_hash, merchant_ids, created_at, sent_at, expires_at)
      values (${accountId}, ${`${mark}guest@people.test`}, ${`token-hash-${accountId}`}, array[${merchantId}]::bigint[], now(), now(), now())`,
  ])
    await statement.execute(services.db.system)
}

interface Exported {
  account: object[]
  invoices: { id: string }[]
  affiliate: object[]
  referrals: object[]
  commissions: object[]
  memberships: { name: string; role: string }[]
  merchants: (Record<string, object[]> & { targets: { id: number; text: string }[] })[]
}

test('the file has what the user owns, completely, and nothing of others', async () => {
  const parts: string[] = []
  const decoder = new TextDecoder()
  for await (const part of exportData(await testCaller(services, own)).content) parts.push(decoder.decode(part))
  const text = parts.join('')
  const file = JSON.parse(text) as Exported
  expect(file.account).toEqual([expect.objectContaining({ id: own.accountId, firstName: 'Test' })])
  const lines = [{ description: 'Growth', amount: 9900 }]
  expect(file.invoices).toEqual([expect.objectContaining({ id: `in_${own.accountId}`, totalCents: 9900, lines })])
  expect(file.affiliate).toMatchObject([{ code: `CODE${own.accountId}` }])
  expect(file.referrals).toMatchObject([{ id: other.accountId, label: 'o…@people.test' }])
  expect(file.commissions).toMatchObject([{ id: `in_of_${other.accountId}`, amountCents: 1980 }])
  expect(file.memberships.map(({ role }) => role).toSorted()).toEqual(['OWNER', 'VIEWER'])
  const mark = `mark-of-${own.accountId}-`
  expect(file).toMatchObject({
    notificationPreferences: [{ id: 'SPEND_SPIKE', push: false, email: 'ALWAYS', ringsInQuietHours: true }],
    notificationRhythm: [{ quietFrom: '22:00', quietTo: '07:00', digest: 'DAILY' }],
    survey: [{ goal: 'WASTE_LESS', experience: null }],
    logins: [{ device: `${mark}phone`, endedAt: null }],
    brandingProfiles: [{ name: `${mark}brand`, logoPng: Buffer.from('png').toString('base64') }],
    reports: [{ merchantId: own.merchantId, dateFrom: '2026-01-01', fileName: `${mark}report.pdf` }],
    reportSchedules: [{ merchantId: own.merchantId, frequency: 'WEEKLY' }],
    // Of the own merchant alone: the user is a member of the other's too.
    members: [{ merchantId: own.merchantId, role: 'VIEWER' }],
    invitations: [{ email: `${mark}guest@people.test`, merchantIds: [own.merchantId], outcome: null }],
  })
  expect(file.merchants).toHaveLength(1)
  const [merchant] = file.merchants
  expect(merchant).toMatchObject({
    id: own.merchantId,
    connections: [{ kind: 'AMAZON_ADS' }],
    profiles: [{ currency: 'USD' }],
    campaigns: [{ name: 'Lamps', budget: 10 }],
    adGroups: [{ name: 'Lamps group' }],
    ads: [{ sku: 'SKU-1' }],
    optimizerGroups: [{ name: `group of ${own.merchantId}`, settings: { targetAcos: 0.3 }, campaignIds: [] }],
    optimizerDecisions: [{ kind: 'bid', before: 1_200_000, after: 1_020_000, evidence: { clicks: 42 } }],
    changes: [
      { note: 'by me', isByYou: true },
      { note: 'by a colleague', isByYou: false },
    ],
  })
  expect(new Set(merchant?.targets.map(target => target.id)).size).toBe(many + 1)
  expect(merchant?.targets).toHaveLength(many + 1)
  for (const secret of [
    'Secret plan',
    'by them',
    'hidden…',
    `CODE${other.accountId}`,
    `in_${other.accountId}`,
    'sealed-secret',
    'password',
    `mark-of-${other.accountId}-`,
    'token-hash',
    'no log-in',
  ])
    expect([secret, text.includes(secret)]).toEqual([secret, false])
  // Made a part at a time: no part holds more than a thousand rows.
  expect(Math.max(...parts.map(part => part.split('"amazonId"').length - 1))).toBeLessThanOrEqual(1000)
})
