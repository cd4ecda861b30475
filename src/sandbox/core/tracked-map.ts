/** A map that remembers which keys were set or deleted since it was last asked. */
export class TrackedMap<K, V> extends Map<K, V> {
  // Not initialised here: the constructor of Map already calls `set`, before the fields of this class exist.
  private touched: Set<K> | undefined

  override set(key: K, value: V): this {
    ;(this.touched ??= new Set()).add(key)
    return super.set(key, value)
  }

  override delete(key: K): boolean {
    ;(this.touched ??= new Set()).add(key)
    return super.delete(key)
  }

  /** The keys touched since the last call, with their present values (undefined when deleted). */
  takeChanges(): [K, V | undefined][] {
    const keys = [...(this.touched ?? [])]
    this.touched?.clear()
    return keys.map(key => [key, this.get(key)])
  }
}
