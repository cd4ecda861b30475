import type { Books } from '../model.ts'
import { type Shelf, shelves } from './dump-books.ts'
import { TrackedMap } from './tracked-map.ts'

/** An entry of the books as it was (undefined: it was not there) and as it is (undefined: it is gone). */
export interface BookChange {
  shelf: Shelf
  before: unknown
  after: unknown
}
/** An entry as the journal has it; null: it is gone. */
export type BookEntry = [Shelf, string | number, unknown]

const trackedMap = (map: Map<string | number, unknown>): TrackedMap<string | number, unknown> => {
  if (map instanceof TrackedMap) return map.startTracking()
  const copy = new TrackedMap<string | number, unknown>()
  for (const [key, value] of map) copy.set(key, value)
  return copy.startTracking()
}

/** The books with every shelf on a map that knows what was changed on it; shelves of `emptyBooks` stay the same maps. */
export const track = (books: Books): Books => {
  const entries = shelves.map(shelf => [shelf, trackedMap(books[shelf] as Map<string | number, unknown>)])
  return { ...Object.fromEntries(entries), logins: books.logins } as Books
}

const tracked = (books: Books, shelf: Shelf): TrackedMap<string | number, unknown> =>
  books[shelf] as unknown as TrackedMap<string | number, unknown>

interface Touched extends BookChange {
  key: string | number
}

/** What changed since the last call, shelf by shelf. */
export const takeChanges = (books: Books): Touched[] =>
  shelves.flatMap(shelf =>
    tracked(books, shelf)
      .takeChanges()
      .map(([key, after, before]) => ({ shelf, key, before, after })),
  )

/** Sets an entry as a journal tells it; null: it is gone. */
export const applyChange = (books: Books, [shelf, key, value]: BookEntry): void => {
  // Written by `takeChanges` of this program, so key and value fit the shelf.
  const map = books[shelf] as Map<string | number, unknown>
  if (value === null) map.delete(key)
  else map.set(key, value)
}

/** Puts back what was there before the changes that nobody has taken yet. */
export const takeBack = (books: Books): void => {
  for (const shelf of shelves) tracked(books, shelf).takeBack()
}

/** The profiles whose entries changed; null stands for what may concern anybody, such as a product. */
export const profilesOf = (changes: readonly BookChange[]): Set<number | null> =>
  new Set(changes.map(({ before, after }) => ((after ?? before) as { profileId?: number }).profileId ?? null))
