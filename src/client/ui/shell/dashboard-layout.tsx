import { Outlet } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { NavigationContext } from './navigation/nav-context.ts'
import type { NavEntry } from './navigation/nav-entry.ts'
import { SideMenu } from './navigation/side-menu.tsx'
import { SkipLink } from './navigation/skip-link.tsx'
import { TabBar } from './navigation/tab-bar.tsx'
import { useWide } from './use-wide.ts'

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
