const parentFields = ['profileId', 'campaignId', 'adGroupId'] as const
export type ParentField = (typeof parentFields)[number]

type Index<K, V> = Map<unknown, Map<K, V>>

const parentOf = (value: unknown, field: ParentField): unknown => (value as Record<ParentField, unknown>)[field]

/**
 * A map that records its changes once `startTracking` was called, and can revert them. It finds the entries of a parent
 * without looking at the others, in order of creation.
 */
export class TrackedMap<K, V> extends Map<K, V> {
  private tracking = false
  private before: Map<K, V | undefined> | undefined
  private indexes: Map<ParentField, Index<K, V>> | undefined

  startTracking(): this {
    this.tracking = true
    return this
  }

  override set(key: K, value: V): this {
    if (this.tracking) this.remember(key)
    return this.place(key, value)
  }

  override delete(key: K): boolean {
    if (this.tracking) this.remember(key)
    return this.remove(key)
  }

  /** The entries whose field has this value; read-only. The first call for a field builds its index. */
  entriesBy(field: ParentField, value: unknown): ReadonlyMap<K, V> {
    this.indexes ??= new Map()
    let index = this.indexes.get(field)
    if (!index) {
      this.indexes.set(field, (index = new Map()))
      for (const [key, entry] of this) indexed(index, parentOf(entry, field)).set(key, entry)
    }
    return index.get(value) ?? new Map<K, V>()
  }

  /** The keys that changed since the last call, with their present values (undefined when deleted) and the ones before. */
  takeChanges(): [key: K, now: V | undefined, before: V | undefined][] {
    const changed = [...(this.before ?? [])]
    this.before?.clear()
    return changed.map(([key, before]) => [key, this.get(key), before])
  }

  pendingKeys(): Iterable<K> {
    return this.before?.keys() ?? []
  }

  /** Reverts the changes since the last `takeChanges`. */
  revert(): void {
    for (const [key, value] of this.before ?? [])
      if (value === undefined) this.remove(key)
      else this.place(key, value)
    this.before?.clear()
  }

  private place(key: K, value: V): this {
    if (!this.indexes) return super.set(key, value)
    const old = this.get(key)
    for (const [field, index] of this.indexes) {
      const parent = parentOf(value, field)
      if (old !== undefined && parentOf(old, field) !== parent) index.get(parentOf(old, field))?.delete(key)
      indexed(index, parent).set(key, value)
    }
    return super.set(key, value)
  }

  private remove(key: K): boolean {
    const old = this.indexes ? this.get(key) : undefined
    if (old !== undefined) for (const [field, index] of this.indexes ?? []) index.get(parentOf(old, field))?.delete(key)
    return super.delete(key)
  }

  private remember(key: K): void {
    this.before ??= new Map()
    if (!this.before.has(key)) this.before.set(key, this.get(key))
  }
}

function indexed<K, V>(index: Index<K, V>, parent: unknown): Map<K, V> {
  let entries = index.get(parent)
  if (!entries) index.set(parent, (entries = new Map()))
  return entries
}
