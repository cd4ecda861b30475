import { Link } from '@tanstack/react-router'
import { addOutline, ellipsisHorizontalOutline } from 'ionicons/icons'
import { Icon } from '../../ionic/icon.tsx'
import { useAuthorities, useNavEntries } from './nav-context.ts'
import { maySee } from './nav-entry.ts'

const Tab = ({ to, label, icon }: { to: string; label: string; icon: string }) => (
  <Link to={to} className="tab">
    <Icon icon={icon} />
    <span>{label}</span>
  </Link>
)

const newCampaign: string = '/create-campaign'
const makers = { authorities: ['ACCOUNT_MANAGER'] }

/** The main action, in reach of the thumb; not for those who may only look. */
export const NewButton = () =>
  maySee(makers, useAuthorities()) && (
    <Link to={newCampaign} className="new-button">
      <Icon icon={addOutline} />
      <span>New</span>
    </Link>
  )

/** The bar at the bottom of a phone. Links, not tabs: each leads to a page of its own. */
export const TabBar = () => (
  <nav aria-label="Main" className="tab-bar">
    <NewButton />
    {useNavEntries()
      .filter(entry => entry.tab)
      .map(entry => (
        <Tab key={entry.to} {...entry} />
      ))}
    <Tab to="/more" label="More" icon={ellipsisHorizontalOutline} />
  </nav>
)
