import { afterAll, beforeAll, expect, test } from 'vitest'
import { currentRates } from '#features/exchange-rates/server/public.ts'
import { exchangeRateJobs } from '#features/exchange-rates/server/refresh-rates.job.ts'
import { getCards } from '#features/home/server/get-cards.ts'
import { onboardingJobs } from '#features/onboarding/server/jobs.ts'
import { noteRefresh } from '#features/onboarding/server/jobs/refresh-profile.job.ts'
import { importDays, importTrade } from '#features/metrics/server/public.ts'
import { importStructure } from '#features/structure/server/public.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { type ConnectedSeller, connectSeller } from '../support/connected-seller.ts'
import { servicesWithOutside } from '../support/outside.ts'
import { waitUntil } from '../support/wait-until.ts'

// The marketplace's clock is moved by its control call; the product follows by itself.

let opened: Awaited<ReturnType<typeof servicesWithOutside>>
let seller: ConnectedSeller
const DAY_MS = 86_400_000
const ageOf = ({ freshness }: { freshness: { asOf: string | null } }) => Date.parse(freshness.asOf ?? '')
const signal = new AbortController().signal
const quiet = { signal, onProgress: async () => undefined }
function profile() {
  const [us] = seller.profiles
  if (!us) throw new Error('no profile')
  return us
}
const today = () => dayIn(opened.services.clock.now(), profile().timezone)

beforeAll(async () => {
  opened = await servicesWithOutside({ followClock: true, jobs: [...onboardingJobs, ...exchangeRateJobs] })
  const { services } = opened
  seller = await connectSeller(services, {
    login: 'seller@sandbox.test',
    sellerId: 'A4DRIFTWOODUSX',
    countries: ['US'],
  })
  await importStructure(services, profile(), quiet)
  const range = { from: addDays(today(), -2), to: today() }
  await importDays(services, profile(), { ...range, ...quiet })
  await importTrade(services, profile(), range.from, range.to, signal)
  const owner = { merchantId: seller.merchantId, profileId: profile().profileId }
  await services.db.tenant(seller.merchantId, tx => noteRefresh(tx, owner, 'WHOLE', services.clock.now()))
  await services.jobs.work(services)
})
afterAll(() => opened.services.close())

async function moveClock(advance: string) {
  const { url, world } = opened.sandbox
  const answer = await fetch(`${url}/control/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${world.config.controlToken}` },
    body: JSON.stringify({ advance }),
  })
  expect(answer.status).toBe(200)
}

test('when the marketplace’s clock moves by a day, the day’s figures come in by themselves', async () => {
  const { services } = opened
  const before = today()
  const cards = () => getCards(seller.ctx, { dateFrom: before, dateTo: before })
  const first = await cards()
  const ratesOf = (await currentRates(services.db.system)).day
  const events: string[] = []
  services.events.subscribe(seller.accountId, event => void events.push(event.type))
  await moveClock('P2D')
  await waitUntil(() => expect(today()).toBe(addDays(before, 2)))
  await waitUntil(async () => expect(ageOf(await cards())).toBeGreaterThan(ageOf(first) + 1.9 * DAY_MS))
  const next = await getCards(seller.ctx, { dateFrom: addDays(before, 1), dateTo: addDays(before, 1) })
  const spend = (answer: typeof next) => answer.cards.find(card => card.metric === 'spend')?.value ?? 0
  expect(spend(next)).toBeGreaterThan(0)
  expect(spend(await cards())).toBeGreaterThanOrEqual(spend(first))
  await waitUntil(() => expect(events).toContain('figures'))
  expect((await currentRates(services.db.system)).day >= ratesOf).toBe(true)
})
