import type { PersistedQuery } from '@tanstack/query-persist-client-core'
import { createStore, promisifyRequest } from 'idb-keyval'
import { figuresDatabase, figuresPrefix, figuresStore } from '../api/storage-keys.ts'

/**
 * Persisted figures that the early script read while the app's own code was loading; read later, they would wait for the
 * first render. They are on the window because the script and the app are separate programs.
 */
declare global {
  var tidelineEarlyFigures: Promise<Map<string, PersistedQuery>> | undefined
}

/** Reads the persisted records of all queries whose key begins with `key`. */
export function readFiguresEarly(key: readonly string[]): void {
  if (typeof indexedDB === 'undefined') return
  // The hash of a key is its JSON; without the last bracket it begins that of every longer key.
  const from = `${figuresPrefix}-${JSON.stringify(key).slice(0, -1)},`
  const range = IDBKeyRange.bound(from, `${from}\uffff`)
  globalThis.tidelineEarlyFigures = createStore(figuresDatabase, figuresStore)('readonly', store =>
    promisifyRequest<PersistedQuery[]>(store.getAll(range)),
  ).then(
    records => new Map(records.map(query => [`${figuresPrefix}-${query.queryHash}`, query])),
    () => new Map(),
  )
}

/** Takes one of these records, once; undefined when it is not among them. */
export async function takeEarlyFigure(key: string): Promise<PersistedQuery | undefined> {
  const early = await globalThis.tidelineEarlyFigures
  const record = early?.get(key)
  early?.delete(key)
  return record
}

/** Drops the records that nobody took: they belong to the user who leaves, or a newer one has been written. */
export function dropEarlyFigures(): void {
  globalThis.tidelineEarlyFigures = undefined
}
