import { type AnchorHTMLAttributes, createContext, useContext } from 'react'

/**
 * Stands in for the router and the stores in the program that draws the first screen (see markup.ts): what the frame and the
 * screen use of them while they are drawn for the first time.
 */

/** What the layout around draws in its place. */
export const OutletContent = createContext<React.ReactNode>(null)
export const Outlet = () => useContext(OutletContent)

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  to: string
  /** Not needed: nothing else on this page has an address below another's. */
  activeOptions?: unknown
  preload?: unknown
}
export function Link({ to, className, children, ...props }: LinkProps) {
  const { activeOptions: _of, preload: _ahead, ...others } = props
  const active = to === location.pathname && { 'data-status': 'active', 'aria-current': 'page' as const }
  return (
    <a {...others} {...active} className={active ? `${className} active` : className} href={to}>
      {children}
    </a>
  )
}

interface Here {
  state: { __TSR_key?: string }
  href: string
  pathname: string
}
export const useLocation = <T,>({ select }: { select: (here: Here) => T }): T =>
  select({ state: {}, href: location.href, pathname: location.pathname })
export const useRouter = () => undefined
export const useCanGoBack = () => false

interface Atom<T> {
  get: () => T
  set: (value: T) => void
}
export function createAtom<T>(value: T): Atom<T> {
  let current = value
  return { get: () => current, set: next => (current = next) }
}
export const useSelector = <T,>(atom: Atom<T>): T => atom.get()

export const onlineManager = { isOnline: () => navigator.onLine, subscribe: () => () => undefined }
