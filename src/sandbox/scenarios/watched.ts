import { roundToUnit } from '#shared/money.ts'
import type { Profile, Seller } from '../core/model/store.ts'
import type { Scenarios } from '../core/world.ts'
import { languageOf } from '../market/vocabulary.ts'
import { CampaignWriter } from './campaigns.ts'
import {
  addEvents,
  addLogin,
  addProfile,
  finish,
  openDraft,
  productsOf,
  type ScenarioDraft,
  type ScenarioEvent,
  sellers,
} from './scenario-draft.ts'

const STOCK = 100_000
/** So much more than a campaign usually spends that no budget runs out by itself. */
const AMPLE = 10

interface Account {
  seller: Seller
  country: string
  profileId: number
  brands: readonly string[]
  /** With three campaigns each: automatic, exact, broad. */
  categories: number
}

const own: readonly Account[] = [
  { seller: sellers.harborlane, country: 'US', profileId: 1100000000000011, brands: ['Harborlane'], categories: 6 },
  { seller: sellers.harborlane, country: 'CA', profileId: 1100000000000012, brands: ['Harborlane'], categories: 2 },
  { seller: sellers.nordhafen, country: 'DE', profileId: 2100000000000011, brands: ['Nordhafen'], categories: 4 },
  { seller: sellers.minato, country: 'JP', profileId: 3100000000000011, brands: ['ミナト'], categories: 3 },
  { seller: sellers.oddfellow, country: 'UK', profileId: 2300000000000011, brands: ['Oddfellow'], categories: 2 },
  { seller: sellers.grandbank, country: 'US', profileId: 1200000000000011, brands: ['Grandbank'], categories: 5 },
]
/** The account of a person who may take their permission back without touching the others. */
const alone: Account = {
  seller: sellers.driftwood,
  country: 'US',
  profileId: 4100000000000011,
  brands: ['Driftwood'],
  categories: 2,
}

function addAccount(draft: ScenarioDraft, { seller, country, profileId, brands, categories }: Account): void {
  const profile = addProfile(draft, seller, country, profileId, { brands, categories, perCategory: 3 })
  const { products, campaigns } = draft.store
  for (const product of productsOf(draft, profile))
    products.set(`${product.sellerId}|${product.marketplaceId}|${product.sku}`, {
      ...product,
      fulfillable: STOCK,
      eligibility: 'ELIGIBLE',
      eligibilityMessage: null,
    })
  const writer = new CampaignWriter(draft, profile)
  for (const category of languageOf(profile.marketplaceId).categories.slice(0, categories)) {
    const listed = productsOf(draft, profile, category.id)
    for (const kind of ['Auto', 'Exact', 'Broad'] as const) {
      const campaign = writer.add(category, kind === 'Exact' ? listed.slice(0, 1) : listed, kind)
      campaigns.set(campaign.campaignId, { ...campaign, budgetMicros: ampleBudget(campaign.budgetMicros, profile) })
    }
  }
}

const ampleBudget = (budgetMicros: number, { currency }: Profile): number => roundToUnit(budgetMicros * AMPLE, currency)

function healthy(now: Date, seed: number | undefined): ScenarioDraft {
  const draft = openDraft(now, seed)
  addLogin(draft, 'agency@sandbox.test', 'Alex Agency', [...new Set(own.map(({ seller }) => seller))])
  addLogin(draft, 'seller@sandbox.test', 'Dana Driftwood', [alone.seller])
  for (const account of [...own, alone]) addAccount(draft, account)
  return draft
}

/**
 * Accounts of several sizes and time zones in which nothing is wrong: budgets last all day, everything is in stock. What goes
 * wrong in them is brought about by control calls, so that the caller knows the truth.
 */
export const watched: Scenarios[string] = ({ now, seed }) => finish(healthy(now, seed))

/** What happens in the two months after now, and already did in the month before it. */
const twoMonths: readonly ScenarioEvent[] = [
  { kind: 'COMPETITOR', day: -25, category: 0 },
  { kind: 'COUPON', day: -12, product: 1 },
  { kind: 'PRICE', day: 5, product: 3, size: 0.15 },
  { kind: 'LISTING_DOWN', day: 9, product: 0 },
  { kind: 'COUPON', day: 14, product: 4, size: 0.2 },
  { kind: 'SALE_DAY', day: 21, lasts: 2 },
  { kind: 'STOCK_OUT', day: 30, product: 2 },
  { kind: 'COMPETITOR', day: 38, category: 1, size: 0.4 },
  { kind: 'SALE_DAY', day: 55, size: 2 },
]

/** The same accounts in months in which much happens: prices, coupons, days of offers, pages that are down, a new rival. */
export const eventful: Scenarios[string] = ({ now, seed }) => {
  const draft = healthy(now, seed)
  for (const profile of draft.store.profiles.values()) addEvents(draft, profile, twoMonths)
  return finish(draft)
}
