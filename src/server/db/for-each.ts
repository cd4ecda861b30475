import type { Database } from './open-database.ts'

const AT_ONCE = 4

/**
 * Runs something for each item, a few at a time on a server and one after the other in the embedded database, which has one
 * connection. Rejects with the first error, when those that have begun are done.
 */
export async function forEachAtOnce<T>(
  { kind }: Pick<Database, 'kind'>,
  items: Iterable<T>,
  run: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = [...items]
  const runNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await run(next)
  }
  const ends = await Promise.allSettled(Array.from({ length: kind === 'server' ? AT_ONCE : 1 }, runNext))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}
