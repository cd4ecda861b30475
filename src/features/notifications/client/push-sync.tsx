import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { usePushAbility } from '#client/pwa/push-subscription.ts'
import { subscriptionChanges } from '#client/pwa/start-pwa.ts'
import { pushQueries } from './push.ts'

/** Syncs the browser's subscription with the server at each start, on every screen. Renders nothing. */
export function PushSync() {
  const client = useQueryClient()
  const ability = usePushAbility()
  const { data: isNeeded } = useQuery({ ...pushQueries.isNeeded(), enabled: ability === 'able' })
  const { data: publicKey } = useQuery({ ...pushQueries.publicKey(), enabled: isNeeded === true })
  useQuery({ ...pushQueries.browser(publicKey ?? ''), enabled: isNeeded === true && Boolean(publicKey) })
  useEffect(() => {
    const refresh = () => void client.invalidateQueries({ queryKey: [...pushQueries.all, 'browser'] })
    return subscriptionChanges.subscribe(refresh).unsubscribe
  }, [client])
  return null
}
