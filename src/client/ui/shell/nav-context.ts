import { createContext, useContext } from 'react'
import { type NavEntry, visibleEntries } from './nav-entry.ts'

interface Navigation {
  entries: readonly NavEntry[]
  authorities: readonly string[]
}

/** The destinations of the app and the authorities of who is looking. */
export const NavigationContext = createContext<Navigation>({ entries: [], authorities: [] })

/** The destinations that the present user may see. */
export const useNavEntries = (): NavEntry[] => {
  const { entries, authorities } = useContext(NavigationContext)
  return visibleEntries(entries, authorities)
}
