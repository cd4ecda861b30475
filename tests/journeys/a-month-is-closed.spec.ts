import { readFile } from 'node:fs/promises'
import { consentTo } from '../../src/main/demonstration/outside-world.ts'
import { openAs } from './support/open-as.ts'
import { agency, agencyInEurope } from './support/agency-at-marketplace.ts'
import { enterCard, paymentCards } from './support/payment-page.ts'
import { control } from './support/sandbox-control.ts'
import { connectSeller, verifiedPerson, waitForImport } from './support/seeded-person.ts'
import { expect, patient, test } from './support/watched-test.ts'
import { worldOfFile } from './support/world.ts'

const world = worldOfFile({ scenario: 'small', followsClock: true })
test.beforeEach(({ viewport }) => test.skip((viewport?.width ?? 0) >= 768, 'the same at any size'))

interface Profile {
  amazonProfileId: number
  merchantId: number | null
  countryCode: string
}
interface Invoice {
  total: number
  lines: { amount: number; fee: { currency: string; name: string; countryCode: string } | null }[]
}
const countries = ['US', 'CA', 'DE']
const pass = (advance: string) => control(world.now.sandbox, 'clock', { advance })

test('a month in three currencies is closed: its invoice has a line for each account, and its PDF opens', async ({
  page,
  faults,
}) => {
  // A moved clock ends the page's event stream.
  faults.allow(/ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET/)
  const person = await verifiedPerson(world.now)
  for (const seller of [agency, agencyInEurope]) await connectSeller(person, seller)
  const plans = await person.call<{ id: number; name: string }[]>('GET', '/subscriptions/plans')
  await person.call('POST', '/subscriptions', { planId: plans.find(({ name }) => name === 'Growth')?.id })
  const { url } = await person.call<{ url: string }>('GET', '/amazon/ads/login?regionId=1')
  const { code, state } = Object.fromEntries((await consentTo(url, { login: agency.login })).searchParams)
  const { profiles } = await person.call<{ profiles: Profile[] }>('POST', '/amazon/ads/callback', { code, state })
  const own = profiles.filter(one => one.merchantId !== null && countries.includes(one.countryCode))
  for (const [merchantId, ofMerchant] of Map.groupBy(own, one => one.merchantId))
    await person.call('POST', '/user/amazon/connect', {
      merchantId,
      amazonProfileIds: ofMerchant.map(one => one.amazonProfileId),
    })
  await waitForImport(person)

  await test.step('the plan is paid from the end of the trial', async () => {
    await openAs(page, world.now, person, '/subscription')
    await page.getByRole('button', { name: 'Subscribe to Growth' }).click()
    await enterCard(page, paymentCards.good, /Subscribe|Start trial/)
    await expect(page.getByText('Your card is saved').first()).toBeVisible()
    await pass('P14DT2H')
  })

  await test.step('the month is charged when its figures are complete', async () => {
    await pass('P31D')
    await expect
      .poll(() => person.call('POST', '/subscriptions/trigger-billing'), { ...patient, intervals: [2000] })
      .toHaveProperty('invoiceId')
    await page.goto(`${world.now.product.url}/subscription/billing`)
    await page
      .getByRole('region', { name: 'Ad spend fee by month' })
      .getByRole('link', { name: 'Invoice', exact: true })
      .click()
    const id = /in_\w+$/.exec(page.url())?.[0]
    const { lines, total } = await person.call<Invoice>('GET', `/billing/invoices/${id}`)
    expect(new Set(lines.map(({ fee }) => fee?.currency))).toEqual(new Set(['USD', 'CAD', 'EUR']))
    const cents = lines.map(({ amount }) => Math.round(amount * 100))
    expect(cents.every(amount => amount > 0)).toBe(true)
    expect(cents.reduce((all, amount) => all + amount, 0)).toBe(Math.round(total * 100))
    for (const { fee } of lines) await expect(page.getByText(`${fee?.name} · ${fee?.countryCode}`)).toBeVisible()
  })

  await test.step('its PDF opens', async () => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Open the PDF' }).click(),
    ])
    expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-')
  })
})
