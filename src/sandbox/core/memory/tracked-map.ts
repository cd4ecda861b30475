/** A map that knows what was set or deleted since it was last asked, and can take it back. */
export class TrackedMap<K, V> extends Map<K, V> {
  // Not initialised here: the constructor of Map already calls `set`, before the fields of this class exist.
  private before: Map<K, V | undefined> | undefined

  override set(key: K, value: V): this {
    this.remember(key)
    return super.set(key, value)
  }

  override delete(key: K): boolean {
    this.remember(key)
    return super.delete(key)
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
      if (value === undefined) super.delete(key)
      else super.set(key, value)
    this.before?.clear()
  }

  private remember(key: K): void {
    this.before ??= new Map()
    if (!this.before.has(key)) this.before.set(key, this.get(key))
  }
}
