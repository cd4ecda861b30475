import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import * as v from 'valibot'
import { type ServerEvent, useEvents } from '#client/api/events.ts'
import { navigateHref } from '#client/ui/ionic/navigate-href.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { connectionKind } from '../contract.ts'
import { refreshConnections } from './mutations.ts'
import { accountQueries } from './queries.ts'

const lost = v.pipe(v.string(), v.parseJson(), v.object({ merchantId: v.number(), kind: connectionKind }))
const words = {
  AMAZON_ADS: 'its advertising figures and changes are paused until you connect it again.',
  SELLING_PARTNER: 'its products and stock are not updated until you connect it again.',
}

/** Keeps what is known of the connections true, and says wherever the user is when the marketplace closes one. */
export function ConnectionNews() {
  const client = useQueryClient()
  const router = useRouter()
  const refresh = () => void refreshConnections(client)
  const onEvent = ({ event, data }: ServerEvent): void => {
    if (event === 'connections') refresh()
    if (event !== 'connection-lost') return
    refresh()
    const { success, output } = v.safeParse(lost, data)
    if (!success) return
    const merchants = client.getQueryData(accountQueries.merchants().queryKey)
    const name = merchants?.find(({ id }) => id === output.merchantId)?.name ?? 'One of your sellers'
    toast({
      title: 'A connection was lost',
      message: `${name}: ${words[output.kind]}`,
      tone: 'warning',
      // Until it is seen: nothing works for this seller meanwhile.
      durationMs: Number.POSITIVE_INFINITY,
      action: { label: 'Connections', onSelect: () => void navigateHref(router, '/connections') },
    })
  }
  useEvents('/events', onEvent, { onReconnect: refresh })
  return null
}
