import type { Books } from '../model.ts'

/** The parts of the books that are kept by id. */
export type Shelf = Exclude<keyof Books, 'logins'>

export const shelves: readonly Shelf[] = [
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

export type BooksDump = Partial<Record<Shelf, [string | number, unknown][]>> & { logins: Books['logins'] }

/** The books as plain JSON. */
export const dumpBooks = (books: Books): BooksDump => {
  const entries = shelves.map(shelf => [shelf, [...books[shelf]]])
  return { ...(Object.fromEntries(entries) as Record<Shelf, [string, unknown][]>), logins: books.logins }
}

/** Books from their own dump, which is trusted; a shelf that a program before this one did not have is empty. */
export const booksOf = (dump: BooksDump): Books => {
  const entries = shelves.map(shelf => [shelf, new Map((dump[shelf] ?? []) as [never, never][])])
  return { ...Object.fromEntries(entries), logins: dump.logins } as Books
}
