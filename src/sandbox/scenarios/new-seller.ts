import { languageOf } from '../market/vocabulary/vocabulary.ts'
import { sellers } from './sellers.ts'
import {
  addProfile,
  addSeller,
  finish,
  type MakeScenario,
  openDraft,
  productsOf,
  type ScenarioDraft,
} from './scenario-draft.ts'
import { createCampaignWriter } from './campaigns/campaigns.ts'

const brands = ['Driftwood', 'Saltbox', 'Fernway']

/** A seller in two countries who is about to begin; with a history there are three campaigns. */
export function addNewSeller(draft: ScenarioDraft, withHistory: boolean): void {
  const seller = addSeller(draft, sellers.driftwood)
  const us = addProfile(draft, seller, 'US', 4100000000000011, { brands, categories: 10, perCategory: 6 })
  addProfile(draft, seller, 'MX', 4100000000000012, { brands, categories: 4, perCategory: 5 })
  draft.store.logins.push({ email: 'seller@sandbox.test', name: 'Dana Driftwood', sellerIds: [seller.sellerId] })
  if (!withHistory) return
  const writer = createCampaignWriter(draft.store, us, draft.now, draft.nextId, draft.seed)
  const [, , , bottles, , , , , harnesses] = languageOf(us.marketplaceId).categories
  for (const [category, kind] of [
    [bottles, 'Auto'],
    [bottles, 'Exact'],
    [harnesses, 'Broad'],
  ] as const)
    if (category) writer.addCampaign(category, productsOf(draft, us, category.id).slice(0, 3), kind)
}

/** One seller with a catalogue and not a single campaign. */
export const newSeller: MakeScenario = ({ now, seed }) => {
  const draft = openDraft(now, seed)
  addNewSeller(draft, false)
  return finish(draft)
}
