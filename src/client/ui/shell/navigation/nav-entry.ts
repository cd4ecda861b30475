/** A destination of the app, as a feature names it and main/router.tsx lists it. */
export interface NavEntry {
  /** Address; it may carry no parameters. */
  to: string
  label: string
  /** From ionicons/icons. */
  icon: string
  /** In the bottom bar of a phone; at most three, the rest is found under More. */
  tab?: boolean
  /** Heading under which More and the side menu list it; "Main" for tabs. */
  group?: string
  /** Shown only to users with one of these authorities. */
  authorities?: readonly string[]
}

/** True when someone with these authorities may use an entry, or while they are not known: the server has the last word. */
export function maySee(
  { authorities: wanted }: Pick<NavEntry, 'authorities'>,
  authorities: readonly string[] | undefined,
): boolean {
  return !wanted || !authorities || wanted.some(one => authorities.includes(one))
}

/** The entries that a user with these authorities may see. */
export function visibleEntries(entries: readonly NavEntry[], authorities: readonly string[] | undefined): NavEntry[] {
  return entries.filter(entry => maySee(entry, authorities))
}

/** The places of the bottom bar. Who can reach none of them, as without a subscription, gets those that are left. */
export function tabEntries(entries: readonly NavEntry[]): NavEntry[] {
  const tabs = entries.filter(entry => entry.tab)
  return tabs.length > 0 ? tabs : entries.slice(0, 4)
}

/** Entries by their group, in the order of first appearance. */
export function byGroup(entries: readonly NavEntry[]): [group: string, entries: NavEntry[]][] {
  return [...Map.groupBy(entries, entry => entry.group ?? 'Main')]
}
