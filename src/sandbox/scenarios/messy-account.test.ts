import { expect, test } from 'vitest'
import { dayIn } from '#shared/time.ts'
import { createMarket } from '../market/create-market.ts'
import { drawAccount, type MessyAccount } from './messy-account.ts'

const DAY_MS = 86_400_000
const accounts = Array.from({ length: 16 }, (_, i) => drawAccount(i + 1, 1))
const entries = (account: MessyAccount) => JSON.stringify([...account.store.keywords, ...account.store.campaigns])

test('an account and its mistakes depend on its number, and what the market thinks of it on the second', () => {
  const [first] = accounts as [MessyAccount]
  expect(entries(drawAccount(1, 1))).toBe(entries(first))
  const texts = ({ store }: MessyAccount): string[] => [...store.keywords.values()].map(one => one.keywordText)
  const elsewhere = drawAccount(1, 2)
  expect(texts(elsewhere)).toEqual(texts(first))
  expect(entries(elsewhere)).not.toBe(entries(first))
})

test('bids are scattered around a measure of the seller’s own, and budgets last for a part of the day or for days', () => {
  const types = { BROAD: 'KEYWORD_BROAD_MATCH', PHRASE: 'KEYWORD_PHRASE_MATCH', EXACT: 'KEYWORD_EXACT_MATCH' }
  const medians: number[] = []
  for (const { store, profile, seed, startsAt } of accounts) {
    const market = createMarket(store, { seed, startsAt })
    const ratios = [...store.keywords.values()].flatMap(({ keywordText: value, matchType, bidMicros, adGroupId }) => {
      const asins = [...store.productAds.values()].filter(ad => ad.adGroupId === adGroupId).map(ad => ad.asin)
      const suggested = market.suggestBid(profile.profileId, asins, { type: types[matchType], value })
      return suggested ? [Math.log((bidMicros ?? 0) / suggested.medianMicros)] : []
    })
    const mean = ratios.reduce((sum, one) => sum + one, 0) / ratios.length
    const deviation = Math.sqrt(ratios.reduce((sum, one) => sum + (one - mean) ** 2, 0) / ratios.length)
    expect(deviation).toBeGreaterThan(0.15)
    expect(deviation).toBeLessThan(0.8)
    medians.push(Math.exp(mean))
  }
  expect(Math.min(...medians)).toBeLessThan(0.6)
  expect(Math.max(...medians)).toBeGreaterThan(1.5)
  const factors = accounts.map(one => one.budgetFactor)
  expect(Math.min(...factors)).toBeLessThan(0.6)
  expect(Math.max(...factors)).toBeGreaterThan(2)
})

test('where a budget is small the money runs out, and where it is ample it lasts', () => {
  const isOut = ({ store, seed, takenOverAt, startsAt }: MessyAccount): number => {
    const market = createMarket(store, { seed, startsAt })
    const night = new Date(takenOverAt.getTime() + 0.5 * DAY_MS)
    market.advance(night)
    const ids = [...store.campaigns.keys()]
    return ids.filter(id => market.budgets.outOf(id, night) !== null).length / ids.length
  }
  const sorted = accounts.toSorted((a, b) => a.budgetFactor - b.budgetFactor)
  const share = (some: readonly MessyAccount[]): number => some.reduce((sum, one) => sum + isOut(one), 0) / some.length
  expect(share(sorted.slice(0, 3))).toBeGreaterThan(share(sorted.slice(-3)) + 0.2)
})

test('sellers forget words, repeat themselves and keep good searches out; margins and histories differ', () => {
  const all = accounts.map(({ store }) => store)
  const twice = all.filter(({ keywords }) => {
    const keys = [...keywords.values()].map(one => `${one.keywordText}|${one.matchType}`)
    return new Set(keys).size < keys.length
  })
  expect(twice.length).toBeGreaterThan(8)
  const blocking = all.filter(({ negativeKeywords, keywords }) =>
    [...negativeKeywords.values()].some(negative =>
      [...keywords.values()].some(one => one.keywordText === negative.keywordText),
    ),
  )
  expect(blocking.length).toBeGreaterThan(3)
  expect(
    all.filter(({ keywords }) => [...keywords.values()].some(one => one.state === 'PAUSED')).length,
  ).toBeGreaterThan(5)
  for (const { margin, margins, targetAcos, takenOverAt, startsAt, profile, store } of accounts) {
    expect(margin - targetAcos).toBeGreaterThanOrEqual(0.05)
    for (const one of margins.values()) expect(Math.abs(one - margin)).toBeLessThan(0.05)
    expect(margins.size).toBe(store.products.size)
    const days = (takenOverAt.getTime() - startsAt.getTime()) / DAY_MS
    expect(days).toBeGreaterThanOrEqual(1)
    expect(days).toBeLessThanOrEqual(91)
    expect([...store.campaigns.values()].every(one => one.startDate === dayIn(startsAt, profile.timezone))).toBe(true)
  }
})
