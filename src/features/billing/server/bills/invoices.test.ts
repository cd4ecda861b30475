import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#server/context.ts'
import { type BillingScene, billingScene, type Subscriber } from '../../../../../tests/support/billing-scene.ts'
import { addFeeAccount, addRates, chanceOf } from '../../../../../tests/support/fee-world.ts'
import { callerOf } from '../../../../../tests/support/people.ts'
import { settleInvoice } from '../events/settle-invoice.ts'
import { noteProfiles } from '../fee/read-month.ts'
import { setDefaultCard } from './cards.ts'
import { getDashboard } from './dashboard.ts'
import { getInvoice, listInvoices, payInvoice, paymentUrl, pdfUrl } from './invoices.ts'

const scene = billingScene()
const stripe: BillingScene['stripe'] = call => scene.stripe(call)

describe('invoices', () => {
  const pay = (ctx: Ctx, id: string, card: string) =>
    payInvoice({ ...ctx, idempotencyKey: crypto.randomUUID() }, id, card)

  test('are listed and shown with their lines to their owner only', async () => {
    const { ctx } = await scene.addSubscriber()
    const { content, page } = await listInvoices(ctx, { page: 0, size: 20 })
    expect(page.totalElements).toBe(1)
    const [invoice] = content
    expect(invoice).toMatchObject({ status: 'paid', kind: 'PLAN', currency: 'USD', total: 99, amountRemaining: 0 })
    const id = invoice?.id ?? ''
    expect((await getInvoice(ctx, id)).lines).toMatchObject([{ amount: 99, quantity: 1, fee: null }])
    const stranger = (await scene.addSubscriber()).ctx
    expect((await listInvoices(stranger, { page: 0, size: 20 })).content.map(one => one.id)).not.toContain(id)
    for (const look of [getInvoice, paymentUrl, pdfUrl])
      await expect(look(stranger, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(pay(stranger, id, 'pm_card_visa')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('that are open lead to their page, and are paid once with a new default card', async () => {
    const payer = await scene.addSubscriber('pm_card_chargeCustomerFail')
    const { ctx, customer } = payer
    const { openInvoices } = await getDashboard(ctx)
    expect(openInvoices).toMatchObject([{ status: 'open', amountRemaining: 99, attemptCount: 1 }])
    const id = openInvoices[0]?.id ?? ''
    const { url } = await paymentUrl(ctx, id)
    expect(await (await fetch(url)).text()).toContain('$99.00 due')
    await expect(pay(ctx, id, payer.card)).rejects.toMatchObject({
      code: 'RULE_VIOLATED',
      message: expect.stringContaining('The card was declined.'),
    })
    const strangers = await scene.addSubscriber()
    await expect(pay(ctx, id, strangers.card)).rejects.toMatchObject({ code: 'NOT_FOUND' })

    const good = await scene.addMethod(customer, 'pm_card_mastercard')
    expect((await setDefaultCard(ctx, good)).openInvoices.map(one => one.id)).toEqual([id])
    expect(await pay(ctx, id, good)).toMatchObject({ status: 'paid', amountRemaining: 0 })
    const alreadyPaid = { code: 'CONFLICT', message: 'This invoice is already paid.' }
    await expect(pay(ctx, id, good)).rejects.toMatchObject(alreadyPaid)
    await expect(paymentUrl(ctx, id)).rejects.toMatchObject({ code: 'CONFLICT' })
    const charges = await stripe(client => client.charges.list({ customer }))
    expect(charges.data.filter(charge => charge.paid)).toHaveLength(1)
    const pdf = await fetch((await pdfUrl(ctx, id)).url)
    expect(pdf.headers.get('content-type')).toBe('application/pdf')
  })

  test('whose payment got no answer are read again, and not paid twice', async () => {
    const { ctx, customer } = await scene.addSubscriber('pm_card_chargeCustomerFail')
    const good = await scene.addMethod(customer, 'pm_card_visa')
    const id = (await getDashboard(ctx)).openInvoices[0]?.id ?? ''
    scene.sandbox.world.faults.add({
      match: { vendor: 'stripe', method: 'POST', path: '*/pay' },
      kind: 'drop-after',
      times: 3,
    } as never)
    expect(await pay(ctx, id, good)).toMatchObject({ status: 'paid' })
    const charges = await stripe(client => client.charges.list({ customer }))
    expect(charges.data.filter(charge => charge.paid)).toHaveLength(1)
  })

  test('that are drafts have neither a payment page nor a PDF', async () => {
    const { ctx, customer } = await scene.addSubscriber()
    const draft = await stripe(client => client.invoices.create({ customer, auto_advance: false }))
    await settleInvoice(scene.services, draft.id)
    const notYet = { code: 'CONFLICT', message: expect.stringContaining('still being prepared') }
    await expect(paymentUrl(ctx, draft.id)).rejects.toMatchObject(notYet)
    await expect(pdfUrl(ctx, draft.id)).rejects.toMatchObject(notYet)
  })

  test('that may still change are read again before they are shown, unless the provider is down', async () => {
    const { ctx, customer } = await scene.addSubscriber('pm_card_chargeCustomerFail')
    const id = (await getDashboard(ctx)).openInvoices[0]?.id ?? ''
    const good = await scene.addMethod(customer, 'pm_card_visa')
    await stripe(client => client.invoices.pay(id, { payment_method: good }))
    expect(await getInvoice(ctx, id)).toMatchObject({ status: 'open' })
    scene.providerIsDown()
    expect(await getInvoice(scene.later(ctx, 2), id)).toMatchObject({ status: 'open' })
    scene.sandbox.world.faults.clear()
    expect(await getInvoice(scene.later(ctx, 2), id)).toMatchObject({ status: 'paid' })
  })
})

describe('the fee on ad spend', () => {
  test('of the month so far has a line for each advertising account, which add up to it', async () => {
    const month = scene.services.clock.now().toISOString().slice(0, 7)
    const chance = chanceOf(7)
    await addRates(scene.services, chance, [month])
    const { accountId, profiles } = await addFeeAccount(scene.services, chance, [month], null)
    const { system } = scene.services.db
    await system.deleteFrom('subscription_phase').where('account_id', '=', accountId).execute()
    await system
      .insertInto('subscription_phase')
      .values({ account_id: accountId, starts_at: new Date(`${month}-01`), plan_id: 1, is_paid: true })
      .execute()
    await noteProfiles(scene.services, accountId)
    const { fee } = await getDashboard(await callerOf(scene.services, accountId))
    expect(fee).toMatchObject({ from: `${month}-01`, currency: 'USD' })
    expect(fee?.formulas[0]).toMatch(/^[\d.]+% of the ad spend above \$1,000 a month$/)
    expect(fee?.profiles.map(one => one.currency).sort()).toEqual(profiles.map(one => one.currency).sort())
    const cents = (amount: number | undefined) => Math.round((amount ?? 0) * 100)
    const sum = fee?.profiles.reduce((all, one) => all + cents(one.fee), 0)
    expect([sum, cents(fee?.fee) > 0]).toEqual([cents(fee?.fee), true])
  })

  test('on an invoice shows what it was worked out from, to its owner only', async () => {
    const [payer, stranger] = [await scene.addSubscriber(), await scene.addSubscriber()]
    const { rows } = await sql<{ id: number }>`insert into billing_run (account_id, period, revision, state,
        included_micro_days, fee_cents, frozen_at)
      values (${payer.ctx.actor.accountId}, '2026-10-01', 0, 'CARRIED', 0, 13125, now()) returning id`.execute(
      scene.services.db.system,
    )
    const run = rows[0]?.id ?? 0
    await sql`insert into billing_line (run_id, position, of_merchant, profile_id, account_name, country_code, currency,
        from_day, to_day, plan_id, minimum_taxable_micros, basis_points, spend_micros, rate_day, own_rate, usd_rate, fee_cents)
      values (${run}, 1, 1, 1, 'Harbour', 'DE', 'EUR', '2026-10-01', '2026-10-31', 2, 0, 250, 4500000000, '2026-11-04',
        100000000, 116670000, 13125)`.execute(scene.services.db.system)
    const feeLinesOf = async ({ ctx, customer }: Subscriber) => {
      const metadata = { kind: 'AD_SPEND', item: `${run}-1` }
      const invoice = await stripe(client => client.invoices.create({ customer, auto_advance: false, metadata }))
      await stripe(client =>
        client.invoiceItems.create({ customer, invoice: invoice.id, amount: 13125, currency: 'usd', metadata }),
      )
      await settleInvoice(scene.services, invoice.id)
      return (await getInvoice(ctx, invoice.id)).lines.map(line => [line.amount, line.fee])
    }
    expect(await feeLinesOf(payer)).toEqual([
      [131.25, { name: 'Harbour', countryCode: 'DE', currency: 'EUR', spend: 4500, percentage: 2.5, rate: 1.1667 }],
    ])
    expect(await feeLinesOf(stranger)).toEqual([[131.25, null]])
  })
})
