import type { Scenarios } from '../core/world.ts'
import { hostile } from './hostile.ts'
import { large } from './large.ts'
import type { Profile } from '../core/model/store.ts'
import { type CategoryWords, languageOf } from '../market/vocabulary.ts'
import { CampaignWriter } from './campaigns.ts'
import { addPublishedAccount } from './published-account.ts'
import { addLogin, addProfile, finish, openDraft, productsOf, type ScenarioDraft } from './scenario-draft.ts'
import { sellers } from './sellers.ts'

const brands = ['Driftwood', 'Saltbox', 'Fernway']

/** A seller in two countries who is about to begin; with a history there are three campaigns. */
function addNewSeller(draft: ScenarioDraft, withHistory: boolean): void {
  const seller = sellers.driftwood
  addLogin(draft, 'seller@sandbox.test', 'Dana Driftwood', [seller])
  const us = addProfile(draft, seller, 'US', 4100000000000011, { brands, categories: 10, perCategory: 6 })
  addProfile(draft, seller, 'MX', 4100000000000012, { brands, categories: 4, perCategory: 5 })
  if (!withHistory) return
  const writer = new CampaignWriter(draft, us)
  const [, , , bottles, , , , , harnesses] = languageOf(us.marketplaceId).categories
  for (const [category, kind] of [
    [bottles, 'Auto'],
    [bottles, 'Exact'],
    [harnesses, 'Broad'],
  ] as const)
    if (category) writer.add(category, productsOf(draft, us, category.id).slice(0, 3), kind)
}

/** One seller with a catalogue and not a single campaign. */
const newSeller: Scenarios[string] = ({ now, seed }) => {
  const draft = openDraft(now, seed)
  addNewSeller(draft, false)
  return finish(draft)
}

const categoriesOf = (profile: Profile, count: number): CategoryWords[] =>
  languageOf(profile.marketplaceId).categories.slice(0, count)

/**
 * Three campaigns a category (automatic, exact, broad), some of them paused, archived or young; with `withSingles` one for
 * each single product as well, and one on rivals' pages for each category. Banners and displays for the first two categories.
 */
function addCampaigns(draft: ScenarioDraft, profile: Profile, categories: number, withSingles: boolean): void {
  const writer = new CampaignWriter(draft, profile)
  categoriesOf(profile, categories).forEach((category, i) => {
    const products = productsOf(draft, profile, category.id)
    writer.add(category, products, 'Auto', i === 4 ? { state: 'PAUSED', changedDaysAgo: 20 } : {})
    writer.add(category, products.slice(0, 2), 'Exact', i === 2 ? { madeDaysAgo: 40 } : {})
    writer.add(category, products, 'Broad', i === 5 ? { state: 'ARCHIVED', changedDaysAgo: 45 } : {})
    if (i === 1) writer.add(category, products.slice(0, 1), 'Products', { state: 'PAUSED', changedDaysAgo: 6 })
  })
  if (withSingles)
    categoriesOf(profile, categories).forEach((category, i) => {
      const products = productsOf(draft, profile, category.id)
      if (i !== 1) writer.add(category, products.slice(0, 2), 'Products', { madeDaysAgo: 60 + i })
      products.forEach((product, n) =>
        writer.add(category, [product], 'Exact', {
          suffix: product.sku,
          madeDaysAgo: 30 + i * 9 + n,
          ...(n === 3 && { state: 'PAUSED' as const, changedDaysAgo: 12 }),
        }),
      )
    })
  for (const category of categoriesOf(profile, 2)) {
    const products = productsOf(draft, profile, category.id).filter(product => product.eligibility === 'ELIGIBLE')
    writer.addBrand(category, products)
    writer.addDisplay(category, products)
  }
}

function agency(withSingles: boolean): Scenarios[string] {
  return ({ now, seed }) => {
    const draft = openDraft(now, seed)
    const { harborlane, nordhafen, minato, idle } = sellers
    addLogin(draft, 'agency@sandbox.test', 'Alex Agency', [harborlane, nordhafen, minato])
    const sizes = { categories: 8, perCategory: 4 }
    const home = { brands: ['Harborlane', 'Pinecrest'], ...sizes }
    const german = { brands: ['Nordhafen', 'Lindholz'], ...sizes }
    const japanese = { brands: ['ミナト', '波音'], ...sizes }
    const small = { ...home, perCategory: 2 }
    addCampaigns(draft, addProfile(draft, harborlane, 'US', 1100000000000011, home), 7, withSingles)
    addCampaigns(draft, addProfile(draft, harborlane, 'CA', 1100000000000012, small), 2, withSingles)
    addCampaigns(draft, addProfile(draft, nordhafen, 'DE', 2100000000000011, german), 7, withSingles)
    addCampaigns(draft, addProfile(draft, minato, 'JP', 3100000000000011, japanese), 7, withSingles)
    addNewSeller(draft, true)
    addLogin(draft, 'empty@sandbox.test', 'Emil Empty', [idle])
    addPublishedAccount(draft)
    return finish(draft)
  }
}

/** An agency with three sellers on three continents, a seller about to begin, and one without any profile: 200 campaigns. */
const demo = agency(true)
/** The same accounts and products with funnels only, for tests that must not wait for a long import. */
const small = agency(false)

/** The worlds that the emulator can be reset to, by name. Each call makes a new store. */
export const scenarios: Scenarios = { demo, small, 'new-seller': newSeller, large, hostile }
