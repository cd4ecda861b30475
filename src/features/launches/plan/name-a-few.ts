const named = 3

/** The first few by name and the rest by number: “a”, “b”, “c” and 97 more. Each once. */
export const nameAFew = (names: readonly string[]): string => {
  const all = [...new Set(names)].map(name => `“${name}”`)
  const rest = all.length - named
  if (rest > 0) return `${all.slice(0, named).join(', ')} and ${rest} more`
  return all.length > 1 ? `${all.slice(0, -1).join(', ')} and ${all.at(-1)}` : (all[0] ?? '')
}
