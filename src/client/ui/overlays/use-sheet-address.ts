import { useRouter, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'

/** The state of a step of the history that opened a sheet: closing the sheet goes back over it. */
export const sheetStep = { isSheet: true } as object

/**
 * Sheets in the address of the page: opening one adds a step, so that Back closes it and a link opens the same. `names` are
 * the search parameters that say which sheet is open and what it is about.
 */
export function useSheetAddress<Name extends string>(...names: Name[]) {
  const router = useRouter()
  const search: Partial<Record<string, unknown>> = useSearch({ strict: false })
  const leaving = useRef<string>(null)
  const hrefWith = (change: Partial<Record<Name, unknown>>): string => {
    const none = Object.fromEntries(names.map(name => [name, undefined]))
    const next = (previous: object) => ({ ...previous, ...none, ...change })
    return router.buildLocation({ to: '.', search: next as never }).href
  }
  const open = (sheet: Partial<Record<Name, unknown>>): void => {
    router.history.push(hrefWith(sheet), sheetStep)
  }
  /** Does nothing when none is open: a sheet says more than once that it was closed. */
  const close = (): void => {
    const { href, search: query, state } = router.history.location
    const address = new URLSearchParams(query)
    if (leaving.current === href || !names.some(name => address.has(name))) return
    leaving.current = href
    if ('isSheet' in state) router.history.back()
    else router.history.replace(hrefWith({}))
    // The same sheet may be opened again.
    setTimeout(() => (leaving.current = null), leavingMs)
  }
  const opened = Object.fromEntries(names.map(name => [name, search[name]])) as Partial<Record<Name, unknown>>
  return { opened, open, close }
}

const leavingMs = 300
