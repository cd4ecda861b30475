import { normalTerm } from '../../contract.ts'
import type {
  WizardCategory,
  WizardKeyword,
  WizardNegativeKeyword,
  WizardProductTarget,
  WizardState,
} from '../../draft/wizard-state.ts'

/** The lists of the wizard: those that each product and the campaign have, and the negatives of the whole launch. */
export interface ListItems {
  keywords: WizardKeyword
  categories: WizardCategory
  productTargets: WizardProductTarget
  negativeKeywords: WizardNegativeKeyword
}
export type ListName = keyof ListItems

/** One list of the wizard holds as many items as an ad group takes of a kind. */
export const MAX_IN_LIST = 1000
export const listFull = `The list holds at most ${MAX_IN_LIST}`

/** Keywords with the same match type and the same text, whatever its case and spaces, are one keyword. */
export function keywordId({
  keyword,
  matchType,
}: Pick<WizardKeyword | WizardNegativeKeyword, 'keyword' | 'matchType'>) {
  return `${matchType} ${normalTerm(keyword)}`
}
export const categoryId = ({ id }: Pick<WizardCategory, 'id'>): string => id
export const targetId = ({ asin }: Pick<WizardProductTarget, 'asin'>): string => asin

interface ListFacts<T> {
  plural: string
  idOf: (item: T) => string
  nameOf: (item: T) => string
}

const facts: { [L in ListName]: ListFacts<ListItems[L]> } = {
  keywords: { plural: 'keywords', idOf: keywordId, nameOf: k => k.keyword },
  categories: { plural: 'categories', idOf: categoryId, nameOf: c => c.name },
  productTargets: { plural: 'product targets', idOf: targetId, nameOf: targetId },
  negativeKeywords: { plural: 'negative keywords', idOf: keywordId, nameOf: n => n.keyword },
}
export const factsOfList = <L extends ListName>(list: L): ListFacts<ListItems[L]> => facts[list]

/** The items of a list; `key` is an ASIN or CAMPAIGN_KEY. */
export function itemsOfList<L extends ListName>(state: WizardState, list: L, key: string): ListItems[L][] {
  const items =
    list === 'negativeKeywords'
      ? state.negativeKeywords
      : (state[list as Exclude<ListName, 'negativeKeywords'>][key] ?? [])
  // TypeScript cannot relate the name of a list to the type of its items.
  return items as ListItems[L][]
}

/** An item that was removed from a list, and its place there. */
export interface TakenItem<T> {
  index: number
  item: T
}

type IdOf<T> = (item: T) => string

/** Adds items at the end of a list: each id once, and no more than the list holds. */
export function withAdded<T>(list: readonly T[] = [], added: readonly T[], idOf: IdOf<T>): T[] {
  const all = new Map(list.map(item => [idOf(item), item]))
  for (const item of added) if (all.size < MAX_IN_LIST && !all.has(idOf(item))) all.set(idOf(item), item)
  return [...all.values()]
}

/** Removes the items with these ids. */
export function withoutIds<T>(list: readonly T[] = [], ids: readonly string[], idOf: IdOf<T>): T[] {
  const removed = new Set(ids)
  return list.filter(item => !removed.has(idOf(item)))
}

/** The items with these ids and their places, for a later `withPutBack`. */
export function takenItems<T>(list: readonly T[] = [], ids: readonly string[], idOf: IdOf<T>): TakenItem<T>[] {
  const requested = new Set(ids)
  return list.flatMap((item, index) => (requested.has(idOf(item)) ? [{ index, item }] : []))
}

/** Puts removed items back at their places, unless they have returned another way. */
export function withPutBack<T>(list: readonly T[] = [], taken: readonly TakenItem<T>[], idOf: IdOf<T>): T[] {
  const existing = new Set(list.map(idOf))
  const all = [...list]
  for (const { index, item } of taken.toSorted((a, b) => a.index - b.index))
    if (!existing.has(idOf(item)) && all.length < MAX_IN_LIST) all.splice(index, 0, item)
  return all
}

/** Sets bids by id. */
export function withBids<T extends object>(
  list: readonly T[],
  bids: Readonly<Record<string, number>>,
  idOf: IdOf<T>,
): T[] {
  return list.map(item => {
    const bid = bids[idOf(item)]
    return bid === undefined ? item : { ...item, bid }
  })
}
