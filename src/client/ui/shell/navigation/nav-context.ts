import { createContext, useContext } from 'react'
import { type NavEntry, visibleEntries } from './nav-entry.ts'

interface Navigation {
  entries: readonly NavEntry[]
  /** Undefined while not known. */
  authorities: readonly string[] | undefined
}

/** The destinations of the app and the authorities of who is looking. */
export const NavigationContext = createContext<Navigation>({ entries: [], authorities: undefined })

/** The destinations that the present user may see. */
export const useNavEntries = (): NavEntry[] => {
  const { entries, authorities } = useContext(NavigationContext)
  return visibleEntries(entries, authorities)
}

/** What the present user may do; undefined while not known. */
export const useAuthorities = (): readonly string[] | undefined => useContext(NavigationContext).authorities
