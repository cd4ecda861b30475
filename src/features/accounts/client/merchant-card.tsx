import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { confirm } from '#client/ui/overlays/confirm.ts'
import { Card } from '#client/ui/lists/card.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { Skeleton } from '#client/ui/states/skeleton.tsx'
import { FailedState } from '#client/ui/states/state-views.tsx'
import type { Merchant, MerchantDetail } from '../contract.ts'
import { ConnectionRow } from './connection-row.tsx'
import { LinkButton } from './link-button.tsx'
import { MarketplacePicker } from './shop/marketplace-picker.tsx'
import { chooseMerchant, disconnectMerchant } from './mutations.ts'
import { accountQueries } from './queries.ts'
import './accounts.css'

/** One merchant: its connections with their health, its advertising accounts, and what can be done about them. */
export const MerchantCard = ({ merchant, current }: { merchant: Merchant; current: boolean }) => {
  const { data: detail, error, refetch } = useQuery(accountQueries.merchant(merchant.id))
  return (
    <Card
      title={merchant.name}
      aside={
        <span className={current ? 'tag tag-good' : 'tag'}>{current ? 'Working with this' : merchant.regionName}</span>
      }
    >
      {detail ? (
        <MerchantBody merchant={detail} current={current} />
      ) : error ? (
        <FailedState error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton kind="line" rows={3} label="Loading the connections" />
      )}
    </Card>
  )
}

const MerchantBody = ({ merchant, current }: { merchant: MerchantDetail; current: boolean }) => {
  const managed = merchant.profiles.filter(profile => profile.isManaged)
  const unmanaged = merchant.profiles.length - managed.length
  return (
    <>
      <ConnectionRow kind="SELLING_PARTNER" merchant={merchant} />
      <ConnectionRow kind="AMAZON_ADS" merchant={merchant} />
      {managed.length > 0 && (
        <p className="list-row-detail connections-note">
          Managed: {managed.map(p => `${p.countryCode} (${p.currencyCode})`).join(', ')}
          {unmanaged > 0 && `; ${unmanaged} more not managed`}
        </p>
      )}
      {current && <MarketplacePicker merchantId={merchant.id} />}
      <MerchantActions merchant={merchant} current={current} />
    </>
  )
}

const MerchantActions = ({ merchant, current }: { merchant: MerchantDetail; current: boolean }) => {
  const client = useQueryClient()
  const choose = useMutation(chooseMerchant(client))
  const disconnect = useMutation({
    ...disconnectMerchant(client),
    onSuccess: async () => {
      await client.invalidateQueries()
      toast({ title: `${merchant.name} is disconnected`, message: 'Its data is kept for 30 days.', tone: 'success' })
    },
  })
  const askAndDisconnect = async () => {
    const sure = await confirm({
      title: `Disconnect ${merchant.name}?`,
      message:
        'Tideline forgets its permissions at once and stops managing its campaigns, which go on as they are. The data is kept for 30 days, in case you connect it again.',
      confirmText: 'Disconnect',
      tone: 'danger',
    })
    if (sure) disconnect.mutate(merchant.id)
  }
  const owner = merchant.role === 'OWNER'
  const ready = merchant.profiles.some(profile => profile.isManaged)
  return (
    <div className="button-row connections-note">
      {!current && (
        <Button tone={ready ? 'primary' : 'quiet'} busy={choose.isPending} onClick={() => choose.mutate(merchant.id)}>
          Work with this merchant
        </Button>
      )}
      {owner && merchant.profiles.length > 0 && (
        <LinkButton to="/connections/profiles">Choose advertising accounts</LinkButton>
      )}
      {owner && (
        <Button tone="danger" busy={disconnect.isPending} onClick={() => void askAndDisconnect()}>
          Disconnect
        </Button>
      )}
    </div>
  )
}
