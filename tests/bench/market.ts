import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AdsClient, adsClient } from '../support/ads-world.ts'
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts'
import { createMarket } from '#sandbox/market/create-market.ts'
import { createListing } from '#sandbox/market/queries/listing.ts'
import { createQueryIndex } from '#sandbox/market/queries/queries.ts'
import { productSlotsOf } from '#sandbox/market/simulation/auction.ts'
import { scenarios } from '#sandbox/scenarios/scenarios.ts'
import { type Figure, figureOf } from './figure.ts'

const resets = 5
const pages = 30
const agency = 'agency@sandbox.test'

/** What the emulated marketplace costs: a year of its demonstration, and an account of twenty thousand campaigns. */
export const measureMarket = async (): Promise<Figure[]> => [
  ...(await demonstration()),
  ...driftingYears(),
  priceElasticity(),
  ...(await largeAccount()),
]

const YEAR_DAYS = 365

/** How fast the market alone is, without the emulator around it: as it is by default, and with all that benches can choose. */
function driftingYears(): Figure[] {
  const kinds = [
    ['calm', {}],
    ['drifting, with rare searches', { drift: 'drifting', tail: true }],
  ] as const
  return kinds.map(([name, options]) => {
    const now = new Date('2026-11-21T11:30:00Z')
    const made = scenarios.demo?.({ now })
    if (!made) throw new Error('no demonstration')
    const { store, seed, startsAt } = made
    const market = createMarket(store, { seed, startsAt, cachesStructure: true, ...options })
    market.advance(now)
    const begun = performance.now()
    market.advance(new Date(now.getTime() + YEAR_DAYS * 86_400_000))
    const seconds = (performance.now() - begun) / 1000
    const campaigns = store.campaigns.size + store.brandCampaigns.size + store.displayCampaigns.size
    return figureOf(`market: ${name}`, 'campaign-days/s', [(campaigns * YEAR_DAYS) / seconds], {
      goal: { atLeast: 5000 },
    })
  })
}

/** The power by which prices of clicks follow a bid like the rivals': one for each search of a marketplace. */
function priceElasticity(): Figure {
  const { store } = scenarios.demo?.({ now: new Date() }) ?? {}
  const [campaign, product] = [[...(store?.campaigns.values() ?? [])][0], [...(store?.products.values() ?? [])][0]]
  if (!campaign || !product) throw new Error('no demonstration')
  const listing = createListing(product, 5, product.priceMicros)
  const fixed = { ...campaign, strategy: 'MANUAL' as const, placements: [] }
  const powers = createQueryIndex(product.marketplaceId, [product], 5).queries.map(query => {
    const [low = 0, high = 0] = [0.9, 1.1].map(
      step => productSlotsOf({ query, listing, fit: 1 }, query.rivalBidMicros * step, fixed)[0]?.costMicros ?? 0,
    )
    return Math.log(high / low) / Math.log(1.1 / 0.9)
  })
  return figureOf('market: elasticity of click prices to bids', '', powers)
}

async function timed(act: () => unknown): Promise<number> {
  const begun = performance.now()
  await act()
  return performance.now() - begun
}

async function control(sandbox: Sandbox, call: string, body: object): Promise<void> {
  const response = await sandbox.control('POST', call, body)
  if (!response.ok) throw new Error(`${call}: ${response.status} ${await response.text()}`)
}

async function demonstration(): Promise<Figure[]> {
  const sandbox = await startSandbox({ scenario: 'demo' })
  try {
    const back: number[] = []
    for (let run = 0; run < resets; run++)
      back.push((await timed(() => control(sandbox, 'reset', { scenario: 'demo' }))) / 1000)
    const year = (await timed(() => control(sandbox, 'clock', { advance: 'P365D' }))) / 1000
    const { campaigns, brandCampaigns, displayCampaigns } = sandbox.world.store
    const note = `${campaigns.size + brandCampaigns.size + displayCampaigns.size} campaigns`
    return [
      figureOf('demo: back to the beginning', 's', back, { goal: { atMost: 2 } }),
      figureOf('demo: a year passes', 's', [year], { goal: { atMost: 10 }, note }),
    ]
  } finally {
    await sandbox.close()
  }
}

async function largeAccount(): Promise<Figure[]> {
  const data = mkdtempSync(join(tmpdir(), 'tideline-market-'))
  const options = { scenario: 'large', data }
  let sandbox: Sandbox | null = null
  try {
    let begun = performance.now()
    sandbox = await startSandbox(options)
    const loaded = (performance.now() - begun) / 1000
    const figures = [
      figureOf('large: loaded, written to disk', 's', [loaded], { goal: { atMost: 60 }, note: sizeOf(sandbox) }),
      ...(await listPages(sandbox)),
      await hourAfterChange(sandbox),
      await largeResets(sandbox),
      figureOf('large: memory', 'MB', [process.memoryUsage().rss / 1e6]),
    ]
    await sandbox.close()
    sandbox = null
    begun = performance.now()
    sandbox = await startSandbox(options)
    return [...figures, figureOf('large: taken up from disk', 's', [(performance.now() - begun) / 1000])]
  } finally {
    await sandbox?.close()
    rmSync(data, { recursive: true })
  }
}

async function largeResets(sandbox: Sandbox): Promise<Figure> {
  const back: number[] = []
  for (let run = 0; run < resets; run++)
    back.push((await timed(() => control(sandbox, 'reset', { scenario: 'large' }))) / 1000)
  return figureOf('large: back to the beginning', 's', back, { goal: { atMost: 5 } })
}

const sizeOf = ({ world }: Sandbox): string =>
  `${world.store.campaigns.size} campaigns, ${world.store.keywords.size} keywords`

async function tokenOf(client: AdsClient, path: string, media: string, steps: number): Promise<unknown> {
  let nextToken: unknown
  for (let step = 0; step < steps; step++) {
    const { body } = await client.call('POST', path, media, { maxResults: 500, ...(step > 0 && { nextToken }) })
    nextToken = body.nextToken
  }
  return nextToken
}

async function listPages(sandbox: Sandbox): Promise<Figure[]> {
  const profile = [...sandbox.world.store.profiles.values()].find(({ countryCode }) => countryCode === 'US')
  const group = [...sandbox.world.store.adGroups.values()].find(one => one.profileId === profile?.profileId)
  const client = await adsClient(sandbox, { email: agency, profileId: String(profile?.profileId) })
  const [campaigns, keywords] = ['application/vnd.spCampaign.v3+json', 'application/vnd.spKeyword.v3+json']
  const nextToken = await tokenOf(client, '/sp/keywords/list', keywords, 20)
  const lists: [name: string, path: string, media: string, filter: object][] = [
    ['a page of 10,000 campaigns', '/sp/campaigns/list', campaigns, {}],
    ['those enabled', '/sp/campaigns/list', campaigns, { stateFilter: { include: ['ENABLED'] } }],
    ['a page of 250,000 keywords', '/sp/keywords/list', keywords, {}],
    ['their twenty-first page', '/sp/keywords/list', keywords, { nextToken }],
    ['those enabled', '/sp/keywords/list', keywords, { stateFilter: { include: ['ENABLED'] } }],
    ['keywords of an ad group', '/sp/keywords/list', keywords, { adGroupIdFilter: { include: [group?.adGroupId] } }],
  ]
  const figures: Figure[] = []
  for (const [name, path, media, filter] of lists) {
    const samples: number[] = []
    for (let page = 0; page < pages; page++)
      samples.push(
        await timed(async () => {
          const { status } = await client.call('POST', path, media, { maxResults: 100, ...filter })
          if (status !== 200) throw new Error(`${path} answered ${status}`)
        }),
      )
    figures.push(figureOf(`large: ${name}`, 'ms', samples, { goal: { atMost: 50 } }))
  }
  return figures
}

async function hourAfterChange(sandbox: Sandbox): Promise<Figure> {
  const campaign = [...sandbox.world.store.campaigns.values()].find(({ state }) => state === 'ENABLED')
  await control(sandbox, 'console', { entity: 'campaign', id: campaign?.campaignId, action: 'pause' })
  sandbox.world.clock.advance(3_600_000)
  const taken = await timed(() => sandbox.world.market())
  return figureOf('large: an hour passes after a change', 's', [taken / 1000])
}
