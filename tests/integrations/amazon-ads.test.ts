import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { GrantRevoked } from '#integrations/login-with-amazon/index.ts'
import type { NewCampaign, ProfileAds } from '#integrations/amazon-ads/index.ts'
import { AmbiguousOutcome, UpstreamThrottled } from '#server/http-client/upstream-errors.ts'
import { openSandboxAccounts, type SandboxAccounts } from '../support/sandbox-accounts.ts'

const SELLER_US = '4100000000000011'
let world: SandboxAccounts
let profile: ProfileAds

beforeAll(async () => {
  world = await openSandboxAccounts({ scenario: 'new-seller', login: 'seller@sandbox.test' })
  profile = world.ads.forProfile({ connectionId: world.connectionId, region: 'NA', profileId: SELLER_US })
})
afterAll(() => world.close())
afterEach(() => world.sandbox.world.faults.clear())

function campaign(name: string, rest: Partial<NewCampaign> = {}): NewCampaign {
  return {
    name,
    state: 'PAUSED',
    targetingType: 'MANUAL',
    dailyBudgetMicros: 12_500_000,
    bidding: {
      strategy: 'SALES_UP_AND_DOWN',
      placements: [{ placement: 'TOP_OF_SEARCH', percentage: 25 }],
      audiences: [],
    },
    ...rest,
  }
}
function idOf(outcome: { ok: boolean; id?: string } | undefined): string {
  if (!outcome?.ok || !outcome.id) throw new Error(`not accepted: ${JSON.stringify(outcome)}`)
  return outcome.id
}

describe('profiles', () => {
  it('are those of their own region only', async () => {
    const [na, eu] = await Promise.all([
      world.ads.listProfiles(world.connectionId, 'NA'),
      world.ads.listProfiles(world.connectionId, 'EU'),
    ])
    expect(na.map(p => [p.countryCode, p.currency, p.accountType])).toEqual([
      ['US', 'USD', 'SELLER'],
      ['MX', 'MXN', 'SELLER'],
    ])
    expect(na[0]?.profileId).toBe(SELLER_US)
    expect(eu).toEqual([])
  })
})

describe('a campaign with all that belongs to it', () => {
  it('is created, read back equal, changed and archived', async () => {
    const input = campaign('Harbour soap – Größe ✓')
    const [made] = await profile.campaigns.create([input])
    const campaignId = idOf(made)
    expect(made).toMatchObject({
      entity: { name: input.name, dailyBudgetMicros: 12_500_000, bidding: input.bidding },
    })

    const [group] = await profile.adGroups.create([
      { campaignId, name: 'Group', state: 'ENABLED', defaultBidMicros: 770_000 },
    ])
    const adGroupId = idOf(group)
    const parents = { campaignId, adGroupId, state: 'ENABLED' } as const
    const keywords = await profile.keywords.create([
      { ...parents, text: 'soap', matchType: 'EXACT', bidMicros: 1_230_000 },
      { ...parents, text: 'soap', matchType: 'PHRASE' },
      { ...parents, text: 'dear soap', matchType: 'BROAD', bidMicros: 1_000 },
    ])
    expect(keywords.map(k => k.ok)).toEqual([true, true, false])
    expect(keywords[2]).toMatchObject({
      selector: expect.stringMatching(/Error$/),
      reason: expect.any(String),
      location: expect.stringContaining('[2]'),
    })

    const negatives = await profile.negativeKeywords.create([{ ...parents, text: 'free', matchType: 'NEGATIVE_EXACT' }])
    const wide = await profile.campaignNegativeKeywords.create([
      { campaignId, state: 'ENABLED', text: 'cheap', matchType: 'NEGATIVE_PHRASE' },
    ])
    const products = await profile.campaignNegativeTargets.create([
      { campaignId, state: 'ENABLED', expression: [{ type: 'ASIN_SAME_AS', value: 'B07R7V6KS8' }] },
    ])
    for (const outcome of [...negatives, ...wide, ...products]) idOf(outcome)

    const [first] = await profile.keywords.update([
      { keywordId: idOf(keywords[0]), bidMicros: 1_500_000, state: 'PAUSED' },
    ])
    expect(first).toMatchObject({ ok: true, entity: { bidMicros: 1_500_000, state: 'PAUSED', text: 'soap' } })

    const read = await profile.keywords.all({ campaignIds: [campaignId] })
    expect(new Set(read.map(k => `${k.text} ${k.matchType} ${k.bidMicros} ${k.state}`))).toEqual(
      new Set(['soap EXACT 1500000 PAUSED', 'soap PHRASE null ENABLED']),
    )
    expect((await profile.negativeKeywords.all({ campaignIds: [campaignId] })).map(n => [n.text, n.matchType])).toEqual(
      [['free', 'NEGATIVE_EXACT']],
    )

    idOf((await profile.campaignNegativeKeywords.archive([idOf(wide[0])]))[0])
    idOf((await profile.campaigns.archive([campaignId]))[0])
    expect(await profile.findCampaigns(input.name)).toMatchObject([{ campaignId, state: 'ARCHIVED' }])
  })

  it('keeps its placements when only its budget changes', async () => {
    const campaignId = idOf((await profile.campaigns.create([campaign('Budget only')]))[0])
    await profile.campaigns.update([{ campaignId, dailyBudgetMicros: 20_000_000 }])
    const [read] = await profile.campaigns.all({ ids: [campaignId], extended: true })
    expect(read).toMatchObject({
      dailyBudgetMicros: 20_000_000,
      bidding: campaign('').bidding,
      servingStatus: expect.any(String),
    })
    expect(read?.createdAt).toBeInstanceOf(Date)
  })

  it('of automatic targeting brings its four targets along', async () => {
    const campaignId = idOf((await profile.campaigns.create([campaign('Auto', { targetingType: 'AUTO' })]))[0])
    await profile.adGroups.create([{ campaignId, name: 'G', state: 'ENABLED', defaultBidMicros: 500_000 }])
    const targets = await profile.targets.all({ campaignIds: [campaignId] })
    expect(targets.flatMap(t => t.expression.map(e => e.type)).toSorted()).toEqual([
      'CLOSE_MATCH',
      'COMPLEMENTS',
      'LOOSE_MATCH',
      'SUBSTITUTES',
    ])
    expect(targets.every(t => t.expressionType === 'AUTO')).toBe(true)
  })
})

describe('when the marketplace fails', () => {
  it('a campaign whose answer is lost is of unknown outcome, and is found by its name', async () => {
    await world.fault({ match: { vendor: 'ads', method: 'POST', path: '/sp/campaigns' }, kind: 'drop-after', times: 1 })
    await expect(profile.campaigns.create([campaign('Lost answer')])).rejects.toBeInstanceOf(AmbiguousOutcome)
    expect(await profile.findCampaigns('Lost answer')).toHaveLength(1)
  })

  it('a campaign lost before it arrived is of unknown outcome too, and is not found', async () => {
    await world.fault({
      match: { vendor: 'ads', method: 'POST', path: '/sp/campaigns' },
      kind: 'drop-before',
      times: 1,
    })
    await expect(profile.campaigns.create([campaign('Never came')])).rejects.toBeInstanceOf(AmbiguousOutcome)
    expect(await profile.findCampaigns('Never came')).toEqual([])
  })

  it('a throttled write is made once it is let through, once', async () => {
    await world.fault({ match: { vendor: 'ads', method: 'POST', path: '/sp/campaigns' }, kind: 'throttle', times: 2 })
    idOf((await profile.campaigns.create([campaign('Throttled')]))[0])
    expect(await profile.findCampaigns('Throttled')).toHaveLength(1)
  })

  it('patience beyond a call is handed back', async () => {
    await world.fault({
      match: { vendor: 'ads', path: '/sp/campaigns/list' },
      kind: 'throttle',
      retryAfterSeconds: 90,
      times: 1,
    })
    const busy = world.ads.forProfile({ connectionId: world.connectionId, region: 'NA', profileId: '4100000000000012' })
    await expect(busy.campaigns.all()).rejects.toBeInstanceOf(UpstreamThrottled)
  })

  it('failed items are reported one by one', async () => {
    await world.fault({
      match: { vendor: 'ads', method: 'POST', path: '/sp/campaigns' },
      kind: 'partial',
      items: [1],
      times: 1,
    })
    const outcomes = await profile.campaigns.create([campaign('P 0'), campaign('P 1'), campaign('P 2')])
    expect(outcomes.map(o => o.ok)).toEqual([true, false, true])
  })

  it('an expired token is replaced without anybody noticing', async () => {
    await world.fault({ match: { vendor: 'ads', path: '/sp/campaigns/list' }, kind: 'expired-token', times: 1 })
    expect((await profile.campaigns.all()).length).toBeGreaterThan(0)
  })

  it('a revoked permission is reported as revoked', async () => {
    const lost = await world.connectAds('seller@sandbox.test')
    world.sandbox.world.lwa.revoke(world.grants.get(lost) ?? '')
    await expect(world.ads.listProfiles(lost, 'NA')).rejects.toBeInstanceOf(GrantRevoked)
  })
})
