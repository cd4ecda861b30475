import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onWipe } from '#client/api/wipe-client-data.ts'
import { unsubscribeFromPush, usePushAbility } from '#client/pwa/push-subscription.ts'
import { subscriptionChanges } from '#client/pwa/start-pwa.ts'
import { declinedKey, pushQueries, setPushWanted } from './push.ts'

// The next user of a device must not get the notifications of the last one.
onWipe(async () => {
  setPushWanted(false)
  localStorage.removeItem(declinedKey)
  await unsubscribeFromPush()
  // What the service worker remembers, and what waits to be sent by it.
  const { wipeWorkerStore } = await import('#client/worker/worker-store.ts')
  await wipeWorkerStore()
  await navigator.clearAppBadge?.().catch(() => undefined)
})

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
