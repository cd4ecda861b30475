/**
 * The value of a key in a cache; made and stored when there is none. The loops over hours spell this out: their caches are
 * read so often that one function for all of them costs a few percent.
 */
export function getOrMake<K, V>(
  cache: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: (key: K) => V,
): V {
  let value = cache.get(key)
  if (value === undefined) cache.set(key, (value = make(key)))
  return value
}
