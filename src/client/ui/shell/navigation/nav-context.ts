import { createContext, type ReactNode, useContext } from 'react'

interface Navigation {
  entries: readonly NavEntry[]
  /** Undefined while not known. */
  authorities: readonly string[] | undefined
  /** False for addresses that the guard would lead away from. */
  canReach: (path: string) => boolean
  /** Who is logged in, and the way to log out. */
  account: ReactNode
}

/** The destinations of the app, and what the guard and the authorities of the present user leave of them. */
export const NavigationContext = createContext<Navigation>({
  entries: [],
  authorities: undefined,
  canReach: () => true,
  account: null,
})

/** The destinations that the present user may see and reach. */
export function useNavEntries(): NavEntry[] {
  const { entries, authorities, canReach } = useContext(NavigationContext)
  return visibleEntries(entries, authorities).filter(entry => canReach(entry.to))
}

/** Whether the guard lets the present user stay at an address. */
export const useCanReach = (path: string): boolean => useContext(NavigationContext).canReach(path)

/** Who is logged in, and the way to log out. */
export const useAccountBlock = (): ReactNode => useContext(NavigationContext).account

/** What the present user may do; undefined while not known. */
export const useAuthorities = (): readonly string[] | undefined => useContext(NavigationContext).authorities

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
  { authorities: required }: Pick<NavEntry, 'authorities'>,
  authorities: readonly string[] | undefined,
): boolean {
  return !required || !authorities || required.some(one => authorities.includes(one))
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
