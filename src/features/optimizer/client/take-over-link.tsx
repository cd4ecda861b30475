import { Link } from '@tanstack/react-router'
import { addOutline } from 'ionicons/icons'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { useWide } from '#client/ui/shell/use-wide.ts'
import { useMayChange } from '#features/accounts/client/public.ts'

const address: string = '/take-over'

/** The way to taking campaigns over; a sign alone in the header of a phone. */
export function TakeOverLink() {
  const wide = useWide()
  if (!useMayChange()) return null
  return wide ? (
    <Link to={address} className="button button-primary">
      Take over
    </Link>
  ) : (
    <Link to={address} className="icon-button" aria-label="Take campaigns over">
      <Icon icon={addOutline} />
    </Link>
  )
}
