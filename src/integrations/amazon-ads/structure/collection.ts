import { z } from 'zod'
import type { AdsCall } from '../client.ts'
import { inBatches } from './batches.ts'
import { type ItemOutcome, toOutcomes } from './outcome.ts'
import { type ListFilter, listPages } from './pages.ts'
import type { Resource } from './resource.ts'
import { batchResultWire } from './wire.ts'

/** One kind of entity of one profile. */
export interface Collection<E, New, Change> {
  /** Creates in batches of 1000; outcomes in the order of `items`. Throws only while nothing has been accepted yet. */
  create(items: readonly New[]): Promise<ItemOutcome<E>[]>
  /**
   * Changes what the change names and nothing else; outcomes in the order of `changes`. Throws like create. A change
   * names the wished end, so one of unknown outcome may simply be sent again.
   */
  update(changes: readonly Change[]): Promise<ItemOutcome<E>[]>
  /** Archives, which cannot be undone; outcomes in the order of `ids`. Throws like create. */
  archive(ids: readonly string[]): Promise<ItemOutcome<E>[]>
  /** Every page of what matches, as the pages come. Name the states: what comes without is the marketplace's choice. */
  pages(filter?: ListFilter): AsyncGenerator<E[], void, undefined>
  /** All of it in one list. */
  all(filter?: ListFilter): Promise<E[]>
}

export const createCollection = <E, New, Change>(
  call: AdsCall,
  resource: Resource<E, New, Change>,
): Collection<E, New, Change> => {
  const { path, mediaType, listKey } = resource

  const readSuccess = (item: Record<string, unknown>): { id: string; entity: E | null } | null => {
    // Some answers name the id of a neighbouring resource, so any id will do when ours is missing.
    const id = item[resource.successId] ?? Object.entries(item).find(([name]) => name.endsWith('Id'))?.[1]
    if (typeof id !== 'string' && typeof id !== 'number') return null
    // A representation that cannot be read does not undo the success.
    const parsed = resource.schema.safeParse(item[resource.successEntity])
    return { id: String(id), entity: parsed.success ? resource.fromWire(parsed.data) : null }
  }

  const sendBatch = async (operation: string, method: 'POST' | 'PUT', at: string, body: object, count: number) => {
    const reply = await call({
      operation: `${operation} ${listKey}`,
      method,
      path: at,
      mediaType,
      headers: { prefer: 'return=representation' },
      body,
      effect: 'write',
      schema: repliesUnder(listKey),
    })
    return toOutcomes<E>(count, reply, readSuccess)
  }

  const pages = (filter: ListFilter = {}) => listPages(call, resource, filter)

  return {
    create: items =>
      inBatches(
        items,
        batch => sendBatch('create', 'POST', path, { [listKey]: batch.map(resource.toNew) }, batch.length),
        resource.batch,
      ),
    update: changes =>
      inBatches(
        changes,
        batch => sendBatch('update', 'PUT', path, { [listKey]: batch.map(resource.toChange) }, batch.length),
        resource.batch,
      ),
    archive: ids =>
      inBatches(
        ids,
        batch =>
          sendBatch('archive', 'POST', `${path}/delete`, { [resource.idFilter]: { include: batch } }, batch.length),
        resource.batch,
      ),
    pages,
    all: async filter => {
      const rows: E[] = []
      for await (const page of pages(filter)) rows.push(...page)
      return rows
    },
  }
}

// The published answer to one of the updates comes under another resource's name; there is only ever one name.
const repliesUnder = (listKey: string) =>
  z
    .record(z.string(), z.unknown())
    .transform(reply => reply[listKey] ?? Object.values(reply)[0])
    .pipe(batchResultWire)
