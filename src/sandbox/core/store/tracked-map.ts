/** The fields by which entries may be asked for together. */
export const parentFields = ['profileId', 'campaignId', 'adGroupId'] as const
export type ParentField = (typeof parentFields)[number]

type Parts<K, V> = Map<unknown, Map<K, V>>

const parentOf = (value: unknown, field: ParentField): unknown => (value as Record<ParentField, unknown>)[field]

/**
 * A map that knows what was set or deleted since it was last asked, and can take it back, once `startTracking` was called. Entries of one parent are
 * found without looking at the others; they keep the order in which they came.
 */
export class TrackedMap<K, V> extends Map<K, V> {
  private tracking = false
  private before: Map<K, V | undefined> | undefined
  private parts: Map<ParentField, Parts<K, V>> | undefined

  /** From now on changes are noted; what was set before counts as unchanged. */
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

  /** The entries whose field has this value; not to be written to. Sorted by parent when first asked, and kept so. */
  part(field: ParentField, value: unknown): ReadonlyMap<K, V> {
    this.parts ??= new Map()
    let parts = this.parts.get(field)
    if (!parts) {
      this.parts.set(field, (parts = new Map()))
      for (const [key, entry] of this) partFor(parts, parentOf(entry, field)).set(key, entry)
    }
    return parts.get(value) ?? new Map<K, V>()
  }

  /** The keys touched since the last call, with their present values (undefined when deleted) and those of then. */
  takeChanges(): [key: K, now: V | undefined, before: V | undefined][] {
    const touched = [...(this.before ?? [])]
    this.before?.clear()
    return touched.map(([key, before]) => [key, this.get(key), before])
  }

  /** Puts back what was there before the changes that nobody has taken yet. */
  takeBack(): void {
    for (const [key, value] of this.before ?? [])
      if (value === undefined) this.remove(key)
      else this.place(key, value)
    this.before?.clear()
  }

  private place(key: K, value: V): this {
    if (!this.parts) return super.set(key, value)
    const old = this.get(key)
    for (const [field, parts] of this.parts) {
      const parent = parentOf(value, field)
      if (old !== undefined && parentOf(old, field) !== parent) parts.get(parentOf(old, field))?.delete(key)
      partFor(parts, parent).set(key, value)
    }
    return super.set(key, value)
  }

  private remove(key: K): boolean {
    const old = this.parts ? this.get(key) : undefined
    if (old !== undefined) for (const [field, parts] of this.parts ?? []) parts.get(parentOf(old, field))?.delete(key)
    return super.delete(key)
  }

  private remember(key: K): void {
    this.before ??= new Map()
    if (!this.before.has(key)) this.before.set(key, this.get(key))
  }
}

const partFor = <K, V>(parts: Parts<K, V>, parent: unknown): Map<K, V> => {
  let part = parts.get(parent)
  if (!part) parts.set(parent, (part = new Map()))
  return part
}
