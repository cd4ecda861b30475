import './optimizer.css'
import { Link } from '@tanstack/react-router'
import { repeatOutline } from 'ionicons/icons'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { useMayChange, useShop } from '#features/accounts/client/public.ts'
import { useGroupOf } from './queries.ts'

const group: string = '/automation-groups/$groupId'
const takeOver: string = '/take-over'

interface ManagedMarkProps {
  campaignId: number
  /** Of a campaign that is in no group, the way to taking it over. */
  offers?: boolean
}

/** That a campaign is managed by a group, with the way there; nothing for one that is in none, unless it can be taken over. */
export function ManagedMark({ campaignId, offers = false }: ManagedMarkProps) {
  const { group: of, isAnswered } = useGroupOf(useShop(), campaignId)
  const mayChange = useMayChange()
  if (!of)
    return offers && mayChange && isAnswered ? (
      <Link to={takeOver} search={{ campaigns: campaignId } as never} className="managed-mark">
        <Icon icon={repeatOutline} />
        Take over
      </Link>
    ) : null
  return (
    <Link to={group} params={{ groupId: String(of.id) } as never} className="managed-mark">
      <Icon icon={repeatOutline} />
      <span>
        <span className="visually-hidden">Managed by group </span>
        {of.name}
      </span>
    </Link>
  )
}
