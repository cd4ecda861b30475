import { Link } from '@tanstack/react-router'
import { addOutline, ellipsisHorizontalOutline } from 'ionicons/icons'
import type { ReactNode } from 'react'
import { Icon } from '../../ionic/icon.tsx'
import { type NavEntry, tabEntries, useNavEntries, useReachable } from './nav-context.ts'

interface TabProps extends Pick<NavEntry, 'to' | 'label' | 'icon'> {
  /** Read out after the label, where the label alone does not say where the link leads. */
  children?: ReactNode
}

function Tab({ to, label, icon, children }: TabProps) {
  return (
    <Link to={to} className="tab">
      <Icon icon={icon} />
      <span>
        {label}
        {children}
      </span>
    </Link>
  )
}

const newCampaign = { to: '/create-campaign', label: 'New', icon: addOutline, authorities: ['ACCOUNT_MANAGER'] }

export function NewButton() {
  return useReachable([newCampaign]).map(({ to, label, icon }) => (
    <Link key={to} to={to} className="new-button">
      <Icon icon={icon} />
      <span>{label}</span>
    </Link>
  ))
}

// The main action stands in the middle, with two destinations on each side.
const beforeNew = 2

/** The bar at the bottom of a phone. Links, not tabs: each leads to a page of its own. */
export function TabBar() {
  const entries = tabEntries(useNavEntries())
  const tabs = entries.map(({ to, label, icon }) => <Tab key={to} to={to} label={label} icon={icon} />)
  return (
    <nav aria-label="Main" className="tab-bar">
      {tabs.slice(0, beforeNew)}
      <NewButton />
      {tabs.slice(beforeNew)}
      <Tab to="/more" label="More" icon={ellipsisHorizontalOutline}>
        <span className="visually-hidden"> screens</span>
      </Tab>
    </nav>
  )
}
