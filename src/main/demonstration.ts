import { z } from 'zod'
import { consentTo, control, readMail } from './demonstration/outside-world.ts'
import { demoAccount as account, productCalls } from './demonstration/product-calls.ts'

/**
 * Makes the demonstration's account as a person would: registers, follows the link in the mail, grants access on the
 * marketplace's own pages, takes the accounts into management and starts the trial. Run again it only checks the log-in.
 * Usage: SANDBOX_CONTROL_TOKEN=… node src/main/demonstration.ts PRODUCT_URL SANDBOX_URL
 */
const [product = '', sandbox = ''] = process.argv.slice(2)
const emulator = { url: sandbox, controlToken: process.env['SANDBOX_CONTROL_TOKEN'] ?? '' }
const { send, must } = productCalls(product)
const agencyLogin = 'agency@sandbox.test'
const regionIds = { NA: 1, EU: 2, FE: 3 } as const
const sellers = [
  { region: 'NA', sellerId: 'A1HARBORLANEUS' },
  { region: 'EU', sellerId: 'A2NORDHAFENDE1' },
  { region: 'FE', sellerId: 'A3MINATOSHOJI1' },
] as const

const session = z.object({ accessToken: z.string() })
const address = z.object({ url: z.string() })
const profiles = z.array(
  z.object({ amazonProfileId: z.number(), merchantId: z.number().nullable(), countryCode: z.string() }),
)

async function main() {
  const existing = await send('POST', '/auth/login', { body: account })
  if (existing.ok) return
  await register()
  const { accessToken } = session.parse(await must('POST', '/auth/login', { body: account }))
  for (const { region, sellerId } of sellers) await grantSeller(accessToken, region, sellerId)
  const granted = await grantAds(accessToken)
  const merchants = Map.groupBy(granted, profile => profile.merchantId)
  const first = granted.find(profile => profile.countryCode === 'US') ?? granted[0]
  // As if hourly figures had been collected for four whole weeks; the product takes them off the queue as any.
  await control(emulator, 'stream', { daysBefore: 29 })
  // Sales by product are a report for each day. At the usual rate, one a minute, they would take an hour and a half.
  await control(emulator, 'usage-plans', { rate: 2 })
  for (const [merchantId, own] of merchants) {
    if (merchantId === null) continue
    const amazonProfileIds = own.map(profile => profile.amazonProfileId)
    await must('POST', '/user/amazon/connect', { body: { merchantId, amazonProfileIds }, token: accessToken })
  }
  if (first)
    await must('POST', '/user/amazon/select', { body: { amazonProfileId: first.amazonProfileId }, token: accessToken })
  const plans = z.array(z.object({ id: z.number(), name: z.string() })).parse(await must('GET', '/subscriptions/plans'))
  const plan = plans.find(p => p.name === 'Agency') ?? plans[0]
  if (plan) await must('POST', '/subscriptions', { body: { planId: plan.id }, token: accessToken })
}

async function register() {
  await must('POST', '/auth/register', {
    body: { ...account, firstName: 'Demo', lastName: 'Agency', accountType: 'AGENCY', timezone: 'America/Los_Angeles' },
  })
  const link = await readMail(emulator, account.email, '/verify-email')
  await must('POST', '/auth/verify-email', { body: { token: new URL(link).searchParams.get('token') } })
}

async function grantSeller(token: string, region: keyof typeof regionIds, sellerId: string) {
  const { url } = address.parse(await must('GET', `/amazon/sp/login?regionId=${regionIds[region]}`, { token }))
  const back = await consentTo(url, { account: `${agencyLogin}|${sellerId}` })
  await must('POST', '/amazon/sp/callback', { body: Object.fromEntries(back.searchParams), token })
}

async function grantAds(token: string) {
  const { url } = address.parse(await must('GET', '/amazon/ads/login?regionId=1', { token }))
  const back = await consentTo(url, { login: agencyLogin })
  const { code, state } = Object.fromEntries(back.searchParams)
  return z.object({ profiles }).parse(await must('POST', '/amazon/ads/callback', { body: { code, state }, token }))
    .profiles
}

try {
  await main()
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
}
