import { createContext, type ReactNode, useContext } from 'react'

/** A destination of the app, as a feature names it and main/router.tsx lists it. */
export interface NavEntry {
  to: string
  /** Where that address redirects, if it does. */
  leadsTo?: string | undefined
  label: string
  icon: string
  /** In the bottom bar of a phone; at most three, the rest is found under More. `only`: and nowhere else. */
  tab?: boolean | 'only'
  /** Heading under which More and the side menu list it; "Main" for tabs. */
  group?: string
  /** Shown only to users with one of these authorities. */
  authorities?: readonly string[]
}

export interface Navigation {
  entries: readonly NavEntry[]
  /** What the present user may do; undefined while not known. */
  authorities: readonly string[] | undefined
  /** False for addresses that the guard would lead away from. */
  canReach: (path: string) => boolean
  /** Who is logged in, and the way to log out; at the end of the side menu and of More. */
  account: ReactNode
  /** The way to the notifications, at the top right of each page. */
  bell?: ReactNode
}

/** The destinations of the app, and what the guard and the authorities of the present user leave of them. */
export const NavigationContext = createContext<Navigation>({
  entries: [],
  authorities: undefined,
  canReach: () => true,
  account: null,
})

/** What nearly everybody holds: assumed until the user's own are known, so that nothing moves then. The server decides. */
const usual: readonly string[] = ['ACCOUNT_MANAGER', 'MERCHANT_MANAGER']

/** Those of the entries that the present user may see and reach. */
export function useReachable(entries: readonly NavEntry[]): NavEntry[] {
  const { authorities, canReach } = useContext(NavigationContext)
  const maySee = (required: NavEntry['authorities']): boolean =>
    !required || required.some(one => (authorities ?? usual).includes(one))
  return entries.filter(entry => maySee(entry.authorities) && canReach(entry.to))
}

export const useNavEntries = (): NavEntry[] => useReachable(useContext(NavigationContext).entries)

/** Whether the guard lets the present user stay at an address. */
export const useCanReach = (path: string): boolean => useContext(NavigationContext).canReach(path)

export const useBell = (): ReactNode => useContext(NavigationContext).bell

export const useAccountBlock = (): ReactNode => useContext(NavigationContext).account

/** Entries by their group, in the order of first appearance. */
export function byGroup(entries: readonly NavEntry[]): [group: string, entries: NavEntry[]][] {
  return [...Map.groupBy(entries, entry => entry.group ?? 'Main')]
}
