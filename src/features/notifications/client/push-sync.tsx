import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onWipe } from '#client/api/wipe-client-data.ts'
import { unsubscribeFromPush, usePushAbility } from '#client/pwa/push-subscription.ts'
import { subscriptionChanges } from '#client/pwa/start-pwa.ts'
import { pushQueries } from './queries.ts'
import { forgetPushWishes } from './push-wishes.ts'

// A device that was somebody's must not tell the next one what was theirs.
onWipe(async () => {
  forgetPushWishes()
  await unsubscribeFromPush()
})

/** Keeps server and browser of one opinion at each start, wherever the user is. Shows nothing. */
export function PushSync() {
  const client = useQueryClient()
  const ability = usePushAbility()
  const { data: concerned } = useQuery({ ...pushQueries.concerned(), enabled: ability === 'able' })
  const { data: publicKey } = useQuery({ ...pushQueries.publicKey(), enabled: concerned === true })
  useQuery({ ...pushQueries.browser(publicKey ?? ''), enabled: concerned === true && Boolean(publicKey) })
  useEffect(() => {
    const refresh = () => void client.invalidateQueries({ queryKey: [...pushQueries.all, 'browser'] })
    return subscriptionChanges.subscribe(refresh).unsubscribe
  }, [client])
  return null
}
