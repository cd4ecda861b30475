import { normalTerm } from '../contract.ts'
import type {
  WizardCategory,
  WizardKeyword,
  WizardNegativeKeyword,
  WizardProductTarget,
} from '../draft/wizard-state.ts'

/** What one list of the wizard holds at most: as many as an ad group takes of a kind. */
export const MAX_IN_LIST = 1000
/** Said of what comes after the last that has room. */
export const listFull = `The list holds at most ${MAX_IN_LIST}`

/** Said of what is in the list already: it is merged, and there is nothing to mend. */
export const listedAlready = 'It is in the list already'

/** Two of the same id are one keyword: text and match type agree, however the text is spelt. */
export function keywordId({
  keyword,
  matchType,
}: Pick<WizardKeyword, 'keyword' | 'matchType'> | WizardNegativeKeyword): string {
  return `${matchType} ${normalTerm(keyword)}`
}
/** Categories are told apart by the marketplace's id. */
export const categoryId = ({ id }: Pick<WizardCategory, 'id'>): string => id
/** Product targets are told apart by their ASIN. */
export const targetId = ({ asin }: Pick<WizardProductTarget, 'asin'>): string => asin

/** Something taken out of a list, and where it stood. */
export interface Taken<T> {
  index: number
  item: T
}

type IdOf<T> = (item: T) => string

/** A list with more at its end: each id once, those after the last that has room left out. */
export function withAdded<T>(list: readonly T[] = [], added: readonly T[], idOf: IdOf<T>): T[] {
  const all = new Map(list.map(item => [idOf(item), item]))
  for (const item of added) if (all.size < MAX_IN_LIST && !all.has(idOf(item))) all.set(idOf(item), item)
  return [...all.values()]
}

/** A list without those of the given ids. */
export function withoutIds<T>(list: readonly T[] = [], ids: readonly string[], idOf: IdOf<T>): T[] {
  const gone = new Set(ids)
  return list.filter(item => !gone.has(idOf(item)))
}

/** Those of the given ids with their places, for a later way back. */
export function takenOf<T>(list: readonly T[] = [], ids: readonly string[], idOf: IdOf<T>): Taken<T>[] {
  const wanted = new Set(ids)
  return list.flatMap((item, index) => (wanted.has(idOf(item)) ? [{ index, item }] : []))
}

/** A list with what was taken out at its places again; what has come back by another way stays once. */
export function withPutBack<T>(list: readonly T[] = [], taken: readonly Taken<T>[], idOf: IdOf<T>): T[] {
  const known = new Set(list.map(idOf))
  const all = [...list]
  for (const { index, item } of taken.toSorted((a, b) => a.index - b.index))
    if (!known.has(idOf(item)) && all.length < MAX_IN_LIST) all.splice(index, 0, item)
  return all
}

/** A list with other bids for those of the given ids. */
export function withBids<T extends { bid: number }>(
  list: readonly T[] = [],
  bids: Readonly<Record<string, number>>,
  idOf: IdOf<T>,
): T[] {
  return list.map(item => ({ ...item, bid: bids[idOf(item)] ?? item.bid }))
}
