import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { disconnectMerchant } from '#features/accounts/server/merchants.ts'
import type { Ctx, Services } from '#server/context.ts'
import { addTestAccount, addTestCampaign, type TestAccount } from '../../../../../tests/support/campaign-account.ts'
import { PaymentStandIn } from '../../../../../tests/support/payment-stand-in.ts'
import { addAccount, callerOf } from '../../../../../tests/support/people.ts'
import { testServices } from '../../../../../tests/support/services.ts'
import { adSpendSummary } from './ad-spend-summary.ts'
import { triggerBilling } from './bill-account.job.ts'
import { feeSoFar } from './fee-so-far.ts'
import { itemsOfRun } from './invoice-items.ts'
import { noteProfiles } from './read-month.ts'

const clock = { at: '', now: () => new Date(clock.at) }
const payments = new PaymentStandIn()
let services: Services & { close(): Promise<void> }
beforeAll(async () => {
  services = await testServices({ clock, integrations: { payments } })
})
afterAll(() => services.close())

let account: TestAccount
let ctx: Ctx
const october = { fromDate: '2026-10-01', toDate: '2026-10-31' }

/** An account on Starter (1,000 dollars included, 3 %) since August, whose figures are as old as a moment. */
async function addPayer(figuresAt: string): Promise<TestAccount> {
  const added = await addTestAccount(services)
  const { accountId, merchantId, profileId } = added
  await sql`insert into subscription_phase (account_id, starts_at, plan_id, is_paid) values (${accountId}, '2026-09-30T12:00Z', 1, true)`.execute(
    services.db.system,
  )
  await sql`update account set stripe_customer_id = ${`cus_${accountId}`} where id = ${accountId}`.execute(
    services.db.system,
  )
  await sql`update ads_profile set managed_at = '2026-09-01' where merchant_id = ${merchantId}`.execute(
    services.db.system,
  )
  await sql`insert into metrics_state (merchant_id, profile_id, data_version) values (${merchantId}, ${profileId}, 1)
    on conflict do nothing`.execute(services.db.system)
  await setFiguresAt(added, figuresAt)
  return added
}
const setFiguresAt = ({ merchantId, profileId }: TestAccount, at: string) =>
  sql`update metrics_state set daily_as_of = ${at}, daily_to = ${at}::timestamptz::date where merchant_id = ${merchantId}
    and profile_id = ${profileId}`.execute(services.db.system)
const spend = (amount: number, ...days: string[]) =>
  addTestCampaign(services, account, { name: crypto.randomUUID(), day: [1, 1, amount, 0, 0], days })
const invoicesOf = ({ accountId }: TestAccount) => payments.invoices.get(`cus_${accountId}`) ?? []

beforeEach(async () => {
  clock.at = '2026-11-06T12:00:00Z'
  account = await addPayer('2026-11-06T10:00:00Z')
  ctx = await callerOf(services, account.accountId)
})

describe('triggering the billing', () => {
  test('charges a closed month once, for the spend of all ad types', async () => {
    for (const adType of ['SPONSORED_PRODUCTS', 'SPONSORED_BRANDS', 'SPONSORED_DISPLAY']) {
      const { campaignId } = await spend(600, '2026-10-10')
      await sql`update campaign set ad_type = ${adType} where id = ${campaignId} and merchant_id = ${account.merchantId}`.execute(
        services.db.system,
      )
    }
    // Days before the paid plan and after the month are not of this invoice.
    await spend(5000, '2026-09-29', '2026-11-01')
    const first = await triggerBilling(ctx)
    expect(first).toEqual({ invoiceId: expect.stringMatching(/^in_/) })
    expect(await Promise.all([triggerBilling(ctx), triggerBilling(ctx)])).toEqual([first, first])
    const [invoice, ...others] = invoicesOf(account)
    expect(others).toEqual([])
    // 3 % of 800.
    expect([invoice?.total, invoice?.status, invoice?.metadata]).toEqual([
      2400,
      'open',
      expect.objectContaining({ kind: 'AD_SPEND', accountId: String(account.accountId), period: '2026-10-01' }),
    ])
    const { rows } = await sql<{
      id: number
    }>`select id from billing_run where account_id = ${account.accountId}`.execute(services.db.system)
    expect((await itemsOfRun(services.db.system, rows[0]?.id ?? 0)).map(item => item.description)).toEqual([
      'Ad spend fee for October 2026, Test seller (US): 3% of the ad spend above $1,000 a month. Ad spend here: USD 1,800.00.',
    ])
  })

  test('waits for the month to close and for its figures to settle, but not for ever', async () => {
    await spend(2000, '2026-10-10')
    clock.at = '2026-11-05T07:59:00Z'
    expect(await triggerBilling(ctx)).toMatchObject({ skipped: 'NOT_CLOSED', carriedForward: 0 })
    clock.at = '2026-11-05T08:01:00Z'
    await setFiguresAt(account, '2026-11-03T10:00:00Z')
    expect(await triggerBilling(ctx)).toMatchObject({ skipped: 'NOT_SETTLED' })
    clock.at = '2026-11-15T08:01:00Z'
    expect(await triggerBilling(ctx)).toMatchObject({ invoiceId: expect.any(String) })
  })

  test('carries what is too small to the next invoice, and says so', async () => {
    await spend(1010, '2026-10-10')
    expect(await triggerBilling(ctx)).toEqual({
      skipped: 'BELOW_MINIMUM',
      message: 'The fee of the last month is below $0.50. It goes to the next invoice.',
      carriedForward: 0.3,
    })
    expect(invoicesOf(account)).toEqual([])
    await spend(2000, '2026-11-10')
    clock.at = '2026-12-06T12:00:00Z'
    await setFiguresAt(account, '2026-12-06T10:00:00Z')
    expect(await triggerBilling(ctx)).toMatchObject({ invoiceId: expect.any(String) })
    expect(invoicesOf(account)[0]?.items.map(item => item.amount)).toEqual([30, 3000])
  })

  test('has nothing to charge within what the plan includes', async () => {
    await spend(999, '2026-10-10')
    expect(await triggerBilling(ctx)).toMatchObject({ skipped: 'NO_FEE' })
  })

  test('charges nobody but the caller', async () => {
    await spend(2000, '2026-10-10')
    // Another account, and one that may see the merchant without owning it.
    const other = await callerOf(services, (await addPayer('2026-11-06T10:00:00Z')).accountId)
    const member = await addAccount(services)
    await sql`insert into membership (account_id, merchant_id, role) values (${member}, ${account.merchantId}, 'VIEWER')`.execute(
      services.db.system,
    )
    await sql`insert into subscription_phase (account_id, starts_at, plan_id, is_paid) values (${member}, '2026-08-01', 1, true)`.execute(
      services.db.system,
    )
    for (const caller of [other, await callerOf(services, member)]) {
      expect(await triggerBilling(caller)).toMatchObject({ skipped: 'NO_FEE' })
      expect(await adSpendSummary(caller, october)).toMatchObject({ spend: 0, fee: 0 })
    }
    expect(invoicesOf(account)).toEqual([])
  })

  test('does not finalize a draft that does not add up', async () => {
    await spend(2000, '2026-10-10')
    payments.trouble = () => 'down'
    await expect(triggerBilling(ctx)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' })
    payments.trouble = () => (invoicesOf(account).length ? 'down' : 'none')
    await expect(triggerBilling(ctx)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' })
    payments.trouble = () => 'none'
    const [draft] = invoicesOf(account)
    if (!draft) throw new Error('there is no draft')
    draft.items.push({ id: 'ii_of_somebody', amount: 7, metadata: {} })
    draft.total += 7
    await expect(triggerBilling(ctx)).rejects.toThrow('adds up to 3007 instead of 3000')
    expect(draft.status).toBe('draft')
  })
})

test('a seller who disconnects pays for the days until then, and who returns for all', async () => {
  await spend(2000, '2026-10-10', '2026-10-20')
  clock.at = '2026-10-15T12:00:00Z'
  await noteProfiles(services, account.accountId)
  await disconnectMerchant(ctx, account.merchantId)
  clock.at = '2026-11-06T12:00:00Z'
  const { lines } = await adSpendSummary(ctx, october)
  expect(lines.map(({ fromDate, toDate, spend: spent }) => [fromDate, toDate, spent])).toEqual([
    ['2026-10-01', '2026-10-15', 2000],
  ])
  // Back on the next day: the notes go on.
  clock.at = '2026-10-16T12:00:00Z'
  await sql`update membership set ended_at = null where merchant_id = ${account.merchantId}`.execute(services.db.system)
  await sql`update ads_profile set is_managed = true, managed_at = ${clock.now()} where merchant_id = ${account.merchantId}`.execute(
    services.db.system,
  )
  await noteProfiles(services, account.accountId)
  clock.at = '2026-11-06T12:00:00Z'
  expect((await adSpendSummary(ctx, october)).spend).toBe(4000)
  expect(await triggerBilling(ctx)).toMatchObject({ invoiceId: expect.any(String) })
  expect(invoicesOf(account)[0]?.total).toBe(9000)
})

test('the summary shows a charged month as it was charged, and a part of one with that part of what is included', async () => {
  await spend(3100, '2026-10-10')
  const { invoiceId } = (await triggerBilling(ctx)) as { invoiceId: string }
  await spend(500, '2026-10-11')
  const whole = await adSpendSummary(ctx, october)
  expect(whole).toMatchObject({
    spend: 3100,
    includedSpend: 1000,
    taxableSpend: 2100,
    percentage: 3,
    fee: 63,
    isFinal: true,
  })
  expect(whole.months).toMatchObject([{ month: '2026-10', state: 'INVOICED', invoiceId, corrections: 0, fee: 63 }])
  expect(whole.lines).toMatchObject([
    { currency: 'USD', spend: 3100, spendUsd: 3100, fee: 63, formula: '3% of the ad spend above $1,000 a month' },
  ])
  // 10 of 31 days: 322.58 of 1,000 are included.
  const part = await adSpendSummary(ctx, { fromDate: '2026-10-01', toDate: '2026-10-10' })
  expect(part).toMatchObject({ spend: 3100, includedSpend: 322.58, fee: 83.32, isFinal: false })
  // The next invoice corrects what came later.
  clock.at = '2026-12-06T12:00:00Z'
  await setFiguresAt(account, '2026-12-06T10:00:00Z')
  expect(await triggerBilling(ctx)).toMatchObject({ invoiceId: expect.any(String) })
  expect(invoicesOf(account)[1]?.items.map(item => item.amount)).toEqual([1500])
  expect((await adSpendSummary(ctx, october)).months).toMatchObject([{ fee: 63, corrections: 15 }])
})

test('the fee so far says what the month will cost, and which days may still change', async () => {
  const days = Array.from({ length: 18 }, (_, i) => `2026-11-${String(i + 1).padStart(2, '0')}`)
  await spend(100, ...days)
  clock.at = '2026-11-19T20:00:00Z'
  await setFiguresAt(account, '2026-11-19T10:00:00Z')
  await noteProfiles(services, account.accountId)
  expect(await feeSoFar(services, account.accountId)).toMatchObject({
    from: '2026-11-01',
    to: '2026-11-30',
    closesOn: '2026-12-05',
    spend: 1800,
    includedSpend: 1000,
    taxableSpend: 800,
    fee: 24,
    projectedSpend: 3000,
    projectedFee: 60,
    formulas: ['3% of the ad spend above $1,000 a month'],
    figuresTo: '2026-11-19',
    // Of the 19th at 2 in the morning, in Los Angeles: three whole days have passed since the 15th.
    unsettledFrom: '2026-11-16',
    unconverted: [],
    profiles: [{ name: 'Test seller (US)', currency: 'USD', spend: 1800, converted: 1800, percentage: 3, fee: 24 }],
  })
  expect(await feeSoFar(services, await addAccount(services))).toBeNull()
})

test('an invoice with more lines than the provider takes joins the last ones', async () => {
  const { rows } = await sql<{
    id: number
  }>`insert into billing_run (account_id, period, revision, state, included_micro_days,
      fee_cents, invoice_cents, frozen_at)
    values (${account.accountId}, '2026-10-01', 0, 'ISSUING', 0, 45150, 45150, now()) returning id`.execute(
    services.db.system,
  )
  const runId = rows[0]?.id ?? 0
  await sql`insert into billing_line (run_id, position, of_merchant, profile_id, account_name, country_code, currency, from_day,
      to_day, plan_id, minimum_taxable_micros, basis_points, spend_micros, rate_day, own_rate, usd_rate, fee_cents)
    select ${runId}, n, 1, n, 'Seller', 'DE', 'EUR', '2026-10-01', '2026-10-31', 1, 1000000000, 300, 5000000, '2026-11-04', 100000000, 113000000, n
    from generate_series(1, 300) n`.execute(services.db.system)
  const items = await itemsOfRun(services.db.system, runId)
  expect([items.length, items.reduce((all, { cents }) => all + cents, 0), items.at(-1)]).toEqual([
    250,
    45_150,
    expect.objectContaining({
      id: 'others',
      cents: 14_025,
      description: 'Ad spend fee for 51 more lines. The ad spend summary lists each of them.',
      from: '2026-10-01',
      to: '2026-10-31',
    }),
  ])
})
