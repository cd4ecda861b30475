import type { Store } from '../model/store.ts'

/** The parts of the books that are kept by id. */
export type CollectionName = Exclude<keyof Store, 'logins'>

export const collectionNames: readonly CollectionName[] = [
  'sellers',
  'profiles',
  'products',
  'campaigns',
  'adGroups',
  'productAds',
  'keywords',
  'targets',
  'negativeKeywords',
  'negativeTargets',
  'portfolios',
  'brandCampaigns',
  'brandAdGroups',
  'brandAds',
  'brandKeywords',
  'brandNegativeKeywords',
  'brandTargets',
  'brandNegativeTargets',
  'displayCampaigns',
  'displayAdGroups',
  'displayAds',
  'displayTargets',
  'displayNegativeTargets',
]

export type StoreDump = Partial<Record<CollectionName, [string | number, unknown][]>> & { logins: Store['logins'] }

/** The books as plain JSON. */
export const dumpStore = (store: Store): StoreDump => {
  const entries = collectionNames.map(shelf => [shelf, [...store[shelf]]])
  return { ...(Object.fromEntries(entries) as Record<CollectionName, [string, unknown][]>), logins: store.logins }
}

/** Books from their own dump, which is trusted; a shelf that a program before this one did not have is empty. */
export const storeOf = (dump: StoreDump): Store => {
  const entries = collectionNames.map(shelf => [shelf, new Map((dump[shelf] ?? []) as [never, never][])])
  return { ...Object.fromEntries(entries), logins: dump.logins } as Store
}
