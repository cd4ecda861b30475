import { Link } from '@tanstack/react-router'
import { addOutline, ellipsisHorizontalOutline } from 'ionicons/icons'
import type { ReactNode } from 'react'
import { Icon } from '../../ionic/icon.tsx'
import { maySee, tabEntries, useAuthorities, useCanReach, useNavEntries } from './nav-context.ts'

interface TabProps {
  to: string
  label: string
  icon: string
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

const newCampaign: string = '/create-campaign'
const makers = { authorities: ['ACCOUNT_MANAGER'] }

function useMayCreate(): boolean {
  const canReach = useCanReach(newCampaign)
  return maySee(makers, useAuthorities()) && canReach
}

/** The main action, in reach of the thumb; not for those who may only look. */
export function NewButton() {
  return (
    useMayCreate() && (
      <Link to={newCampaign} className="new-button">
        <Icon icon={addOutline} />
        <span>New</span>
      </Link>
    )
  )
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
