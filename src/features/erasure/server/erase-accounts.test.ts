import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { goodPassword, startAuthScene } from '../../../../tests/support/auth-scene.ts'
import { addTestCampaign } from '../../../../tests/support/campaign-account.ts'
import { accountColumns, eraseAccount, eraseAccounts } from './erase-accounts.job.ts'

let scene: Awaited<ReturnType<typeof startAuthScene>>
beforeAll(async () => {
  scene = await startAuthScene()
})
afterAll(() => scene.close())

const DAY_MS = 86_400_000
const job = { id: 'job', attempt: 0, lastAttempt: false, signal: new AbortController().signal }
const run = <T = unknown>(statement: ReturnType<typeof sql<T>>) => statement.execute(scene.services.db.system)
const rowsOf = async <T>(statement: ReturnType<typeof sql<T>>): Promise<T[]> => (await run(statement)).rows

/** A registered user with a merchant, a campaign and something in most tables that name an account. */
async function person(firstName = 'Zebulon') {
  const email = await scene.newcomer({ firstName, lastName: 'Quillfeather' })
  const { accessToken: token, refreshToken } = await scene.login(email)
  const [account] = await rowsOf<{ id: number }>(sql`select id from account where email = ${email}`)
  const accountId = account?.id ?? 0
  const merchantId = await addMerchant(accountId)
  await run(sql`insert into notification (account_id, merchant_id, kind, cause, occasion, title, body, url, created_at, push_until)
    values (${accountId}, ${merchantId}, 'REPORT_READY', 'r', 'r', 'Report', ${`For ${email}`}, '/', now(), now())`)
  await run(sql`insert into notification_rhythm (account_id) values (${accountId})`)
  await run(sql`insert into affiliate (account_id, code, created_at) values (${accountId}, ${`C${accountId}`}, now())`)
  await run(sql`insert into affiliate_referral (referred_account_id, affiliate_account_id, label, registered_at)
    values (${accountId}, ${accountId + 1_000_000}, ${email.slice(0, 5)}, now())`)
  await run(sql`insert into invoice (id, account_id, status, kind, currency, total, amount_due, amount_paid, attempt_count, issued_at, read_at, lines)
    values (${`in_${accountId}`}, ${accountId}, 'paid', 'PLAN', 'USD', 9900, 9900, 9900, 1, now(), now(), '[]')`)
  await run(sql`insert into subscription (account_id, plan_id, status, trial_started_at, trial_ends_at)
    select ${accountId}, min(id), 'trialing', now(), now() + interval '14 days' from plan`)
  await run(sql`insert into branding_profile (account_id, name, primary_color, accent_color, footer, logo_file, logo, created_at)
    values (${accountId}, 'Brand', '#000000', '#ffffff', ${`By ${email}`}, ${`logo${accountId}`}, 'png', now())`)
  const files = await addReports(accountId, merchantId)
  await invite(accountId, `for-${email}`, [merchantId])
  return { email, token, refreshToken, accountId, merchantId, files }
}

/** A schedule, and a report with its file in two parts, that an account has in a merchant; counts the parts that are left. */
async function addReports(accountId: number, merchantId: number, managerId: number | null = null) {
  await run(sql`insert into report_schedule (merchant_id, profile_id, marketplace_id, account_id, kind, format, frequency, next_at, created_at)
    values (${merchantId}, 1, 1, ${accountId}, 'PERFORMANCE', 'PDF', 'WEEKLY', now(), now())`)
  const [report] = await rowsOf<{
    id: number
  }>(sql`insert into performance_report (merchant_id, profile_id, marketplace_id, account_id, kind, format,
      date_from, date_to, status, run_id, file_name, created_at, manager_id)
    values (${merchantId}, 1, 1, ${accountId}, 'PERFORMANCE', 'PDF', '2026-01-01', '2026-01-31', 'READY', gen_random_uuid(), 'r.pdf', now(),
      ${managerId})
    returning id`)
  await run(sql`insert into performance_report_part (merchant_id, report_id, run_id, part, bytes)
    select merchant_id, id, run_id, n, 'bytes' from performance_report, generate_series(0, 1) n
    where merchant_id = ${merchantId} and id = ${report?.id}`)
  return async () =>
    (
      await rowsOf<{ n: number }>(sql`select count(*)::int as n from performance_report_part
        where merchant_id = ${merchantId} and report_id = ${report?.id}`)
    )[0]?.n
}
/** An invitation whose mail, which names the inviter, has not left yet. */
async function invite(accountId: number, email: string, merchantIds: number[]): Promise<void> {
  const [invitation] = await rowsOf<{
    id: number
  }>(sql`insert into invitation (invited_by, email, token_hash, merchant_ids, created_at, sent_at, expires_at)
    values (${accountId}, ${email}, ${`hash-${email}-${accountId}`}, ${merchantIds}, now(), now(), now() + interval '30 days') returning id`)
  await run(sql`insert into mail_outbox (to_address, subject, text, html, dedupe_key, created_at)
    select ${email}, first_name || ' invited you', '', '', ${`invitation:${invitation?.id}:hash`}, now() from account where id = ${accountId}`)
}
let sellers = 0
async function addMerchant(accountId: number): Promise<number> {
  const [row] = await rowsOf<{ id: number }>(sql`insert into merchant (name, account_type, region, selling_partner_id)
    values ('Shop', 'SELLER', 'NA', ${`ERASE${++sellers}`}) returning merchant_id as id`)
  const merchantId = row?.id ?? 0
  await join(accountId, merchantId)
  const [connection] = await rowsOf<{
    id: number
  }>(sql`insert into connection (merchant_id, kind, region, granted_by, refresh_token_sealed)
    values (${merchantId}, 'AMAZON_ADS', 'NA', ${accountId}, 'sealed') returning id`)
  const [profile] = await rowsOf<{
    id: number
  }>(sql`insert into ads_profile (merchant_id, connection_id, amazon_profile_id, region,
      marketplace_id, country_code, currency, timezone, account_name, account_type, valid_payment_method, is_managed)
    values (${merchantId}, ${connection?.id}, ${`77${merchantId}`}, 'NA', 1, 'US', 'USD', 'America/Los_Angeles', 'Shop', 'SELLER', true, true)
    returning id`)
  const owner = { accountId, merchantId, profileId: profile?.id ?? 0 }
  const { campaignId } = await addTestCampaign(scene.services, owner, { name: 'Mugs' })
  await run(sql`insert into entity_change (merchant_id, profile_id, group_id, entity, entity_id, campaign_id, field, before, after, origin, account_id, at)
    values (${merchantId}, ${owner.profileId}, gen_random_uuid(), 'campaign', ${campaignId}, ${campaignId}, 'budget', '1', '2', 'USER', ${accountId}, now())`)
  await run(sql`insert into launch (merchant_id, profile_id, account_id, idempotency_key, body_hash, campaign_name, template, payload, created_at)
    values (${merchantId}, ${owner.profileId}, ${accountId}, 'k', 'h', 'Mugs', 'SINGLE_PRODUCT_KEYWORD_CAMPAIGN', '{}', now())`)
  return merchantId
}
const join = (accountId: number, merchantId: number) =>
  run(sql`insert into membership (account_id, merchant_id, role) values (${accountId}, ${merchantId}, 'OWNER')`)
const erase = (token: string, password = goodPassword) => scene.call('/user', { password }, { token, method: 'DELETE' })
const work = () => eraseAccounts.run(scene.services, {}, job)
const merchantsLeft = async (...ids: number[]) =>
  (
    await rowsOf<{ id: number }>(
      sql`select merchant_id as id from merchant where merchant_id = any(${ids}::bigint[]) order by 1`,
    )
  ).map(({ id }) => id)

/** The tables, with how many rows, in which a text stands anywhere. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await rowsOf<{
    name: string
  }>(sql`select quote_ident(schemaname) || '.' || quote_ident(tablename) as name
    from pg_tables where schemaname in ('public', 'jobs')`)
  const found: string[] = []
  for (const { name } of tables) {
    const [row] = await rowsOf<{ n: number }>(
      sql`select count(*)::int as n from ${sql.raw(name)} t where t::text ilike ${`%${text}%`}`,
    )
    if (row?.n) found.push(name)
  }
  return found
}
async function tablesOf(accountId: number): Promise<string[]> {
  const found = new Set<string>()
  for (const { table, column } of await accountColumns(scene.services.db.system)) {
    const [row] = await rowsOf<{ n: number }>(
      sql`select count(*)::int as n from ${sql.table(table)} where ${sql.ref(column)} = ${accountId}`,
    )
    if (row?.n) found.add(table)
  }
  return [...found].toSorted()
}

test('an account is erased after seven days, and nothing of the person remains', async () => {
  const { email, token, accountId, merchantId, files } = await person()
  const other = await person('Ottoline')
  const sharedId = await addMerchant(accountId)
  await join(other.accountId, sharedId)
  const sharedFiles = await addReports(accountId, sharedId)
  const otherFiles = await addReports(other.accountId, sharedId)
  const managersFiles = await addReports(other.accountId, other.merchantId, accountId)
  await invite(other.accountId, email, [sharedId])
  // Somebody acts for the user when the days are over.
  await run(
    sql`update session set managed_account_id = ${accountId}, managed_until = now() where account_id = ${other.accountId}`,
  )
  expect(await tablesOf(accountId)).toEqual(
    expect.arrayContaining(['branding_profile', 'invitation', 'performance_report', 'report_schedule', 'session']),
  )
  expect((await erase(token, 'wrong')).statusCode).toBe(400)
  const answer = await erase(token)
  expect(answer.statusCode).toBe(202)
  const { erasedAt } = answer.json() as { erasedAt: string }
  expect((Date.parse(erasedAt) - scene.services.clock.now().getTime()) / DAY_MS).toBeCloseTo(7, 2)
  expect((await scene.letter(email, 1)).subject).toBe('Your account will be erased')
  expect((await tablesWith(email)).length).toBeGreaterThan(2)
  scene.passTime(7 * DAY_MS - 60_000)
  await work()
  expect(await merchantsLeft(merchantId)).toEqual([merchantId])
  scene.passTime(120_000)
  await work()
  await work()
  expect(await tablesWith(email)).toEqual([])
  expect(await tablesWith('Zebulon')).toEqual([])
  // What the law wants, by a number that no longer leads to anybody.
  expect(await tablesOf(accountId)).toEqual(['affiliate_referral', 'invoice'])
  const left = [files, sharedFiles, managersFiles, otherFiles, other.files].map(count => count())
  expect(await Promise.all(left)).toEqual([0, 0, 0, 2, 2])
  expect(await tablesOf(other.accountId)).toEqual(
    expect.arrayContaining(['branding_profile', 'invitation', 'performance_report', 'report_schedule', 'session']),
  )
  expect(await merchantsLeft(merchantId, sharedId, other.merchantId)).toEqual(
    [sharedId, other.merchantId].toSorted((a, b) => a - b),
  )
  expect(
    await rowsOf(
      sql`select granted_by as "by", refresh_token_sealed as token from connection where merchant_id = ${sharedId}`,
    ),
  ).toEqual([{ by: other.accountId, token: 'sealed' }])
  expect(await rowsOf(sql`select account_id as id from entity_change where merchant_id = ${sharedId}`)).toEqual([
    { id: null },
  ])
  expect(await tablesWith(other.email)).not.toEqual([])
  expect((await scene.call('/auth/login', { email, password: goodPassword })).statusCode).toBe(401)
})

test('who changes their mind keeps everything, by the link of the mail or by a log-in', async () => {
  const { email, token, accountId, merchantId } = await person()
  await erase(token)
  const login = (await scene.call('/auth/login', { email, password: goodPassword })).json() as { erasedAt?: string }
  expect(login.erasedAt).toBeDefined()
  const link = scene.tokenIn(await scene.letter(email, 1))
  expect((await scene.call('/auth/keep-account', { token: link })).json()).toEqual({ email })
  expect((await scene.call('/auth/keep-account', { token: link })).statusCode).toBe(400)
  await erase(token)
  expect((await scene.call('/user/keep', undefined, { token })).statusCode).toBe(204)
  scene.passTime(8 * DAY_MS)
  await work()
  expect(await merchantsLeft(merchantId)).toEqual([merchantId])
  expect(await rowsOf(sql`select status, erase_at as at from account where id = ${accountId}`)).toEqual([
    { status: 'ACTIVE', at: null },
  ])
})

test('an erasure that was killed half way cannot be undone, and is finished by the next run', async () => {
  const { email, token, accountId, merchantId } = await person()
  await erase(token)
  const link = scene.tokenIn(await scene.letter(email, 1))
  // The links of mails and this account's erasure end at the same time.
  scene.passTime(7 * DAY_MS + 1000)
  const killed = new AbortController()
  killed.abort(new Error('killed'))
  await expect(eraseAccount(scene.services, accountId, killed.signal)).rejects.toThrow('killed')
  expect(await merchantsLeft(merchantId)).toEqual([merchantId])
  expect((await scene.call('/auth/keep-account', { token: link })).statusCode).toBe(400)
  await Promise.allSettled([work(), work()])
  await work()
  expect(await tablesWith(email)).toEqual([])
  expect(await merchantsLeft(merchantId)).toEqual([])
})
