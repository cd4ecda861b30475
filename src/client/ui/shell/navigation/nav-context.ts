import { createContext, type ReactNode, useContext } from 'react'
import { type NavEntry, visibleEntries } from './nav-entry.ts'

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
