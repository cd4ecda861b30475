import { Outlet, Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { byGroup, type NavEntry, NavigationContext, useAccountBlock, useNavEntries } from './navigation/nav-context.ts'
import { TabBar, NewButton } from './navigation/tab-bar.tsx'
import { useWide } from './use-wide.ts'
import { Icon } from '../ionic/icon.tsx'

interface DashboardLayoutProps {
  nav: readonly NavEntry[]
  /** What the user may do; undefined while not known. */
  authorities?: readonly string[] | undefined
  /** False for addresses that the guard would lead away from. */
  canReach: (path: string) => boolean
  /** Who is logged in, and the way to log out; at the end of the side menu and of More. */
  account: ReactNode
  /** Above everything: a bar for those who act for others. */
  banner?: ReactNode
  /** At the bottom right: usually a FloatingCard. */
  floating?: ReactNode
}

/** The area behind the log-in: tab bar on a phone, menu at the side from 768 px. */
export function DashboardLayout({ nav, authorities, canReach, account, banner, floating }: DashboardLayoutProps) {
  const wide = useWide()
  const navigation = useMemo(
    () => ({ entries: nav, authorities, canReach, account }),
    [nav, authorities, canReach, account],
  )
  return (
    <NavigationContext value={navigation}>
      <SkipLink />
      {banner}
      <div className="dashboard">
        {wide && <SideMenu />}
        <div className="outlet">
          <Outlet />
        </div>
      </div>
      {floating}
      {!wide && <TabBar />}
    </NavigationContext>
  )
}

/** The way past the menu for keyboards: the first thing that Tab reaches. */
function SkipLink() {
  return (
    <a className="skip-link" href="#page-title" onClick={toHeading}>
      Skip to content
    </a>
  )
}

// The address keeps its own fragment, so the heading is focused here.
function toHeading(event: React.MouseEvent): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('#page-title')?.focus()
}

/** The menu at the side, from 768 px. */
function SideMenu() {
  return (
    <nav aria-label="Main" className="side-menu">
      <p className="brand">
        <img src="/icon.svg" alt="" width="32" height="32" />
        Tideline
      </p>
      <NewButton />
      {byGroup(useNavEntries()).map(([group, entries]) => (
        <div key={group}>
          {group !== 'Main' && <p className="side-group">{group}</p>}
          <ul aria-label={group}>
            {entries.map(entry => (
              <li key={entry.to}>
                <Link to={entry.to} className="side-link">
                  <Icon icon={entry.icon} />
                  {entry.label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {useAccountBlock()}
    </nav>
  )
}
