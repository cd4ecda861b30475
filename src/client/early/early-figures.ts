import type { PersistedQuery } from '@tanstack/query-persist-client-core'
import { createStore, promisifyRequest } from 'idb-keyval'
import { figuresDatabase, figuresPrefix, figuresStore } from '../api/storage-keys.ts'

/**
 * Kept figures that the early script read while the app's own code was on its way; later the same reading would wait behind
 * the first drawing. On the window, because the two are separate programs.
 */
declare global {
  var tidelineEarlyFigures: Promise<Map<string, PersistedQuery>> | undefined
}

/** Reads the kept records of all queries whose key begins with `key`. */
export function readFiguresEarly(key: readonly string[]): void {
  if (typeof indexedDB === 'undefined') return
  // The hash of a key is its JSON; without the last bracket it begins that of every longer key.
  const from = `${figuresPrefix}-${JSON.stringify(key).slice(0, -1)},`
  const range = IDBKeyRange.bound(from, `${from}\uffff`)
  globalThis.tidelineEarlyFigures = createStore(figuresDatabase, figuresStore)('readonly', store =>
    promisifyRequest<PersistedQuery[]>(store.getAll(range)),
  ).then(
    kept => new Map(kept.map(query => [`${figuresPrefix}-${query.queryHash}`, query])),
    () => new Map(),
  )
}

/** Takes one record of those, once; undefined when it is not among them. */
export async function takeEarlyFigure(key: string): Promise<PersistedQuery | undefined> {
  const early = await globalThis.tidelineEarlyFigures
  const found = early?.get(key)
  early?.delete(key)
  return found
}

/** Forgets what was read and not taken: it belongs to the user who leaves, or a newer record has been written. */
export function dropEarlyFigures(): void {
  globalThis.tidelineEarlyFigures = undefined
}
