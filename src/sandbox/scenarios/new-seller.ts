import type { Scenarios } from '../core/world.ts'
import { languageOf } from '../market/vocabulary.ts'
import { CampaignWriter } from './campaigns.ts'
import { addLogin, addProfile, finish, openDraft, productsOf, type ScenarioDraft } from './scenario-draft.ts'
import { sellers } from './sellers.ts'

const brands = ['Driftwood', 'Saltbox', 'Fernway']

/** A seller in two countries who is about to begin; with a history there are three campaigns. */
export function addNewSeller(draft: ScenarioDraft, withHistory: boolean): void {
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
export const newSeller: Scenarios[string] = ({ now, seed }) => {
  const draft = openDraft(now, seed)
  addNewSeller(draft, false)
  return finish(draft)
}
