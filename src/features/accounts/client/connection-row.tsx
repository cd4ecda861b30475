import { useMutation } from '@tanstack/react-query'
import { useCanReach } from '#client/ui/shell/navigation/nav-context.ts'
import { Button } from '#client/ui/states/button.tsx'
import type { Connection, ConnectionKind, MerchantDetail } from '../contract.ts'
import { LinkButton } from './link-button.tsx'
import { leaveForConsent } from './mutations.ts'

const kinds: Record<ConnectionKind, { name: string; purpose: string; to: string }> = {
  SELLING_PARTNER: {
    name: 'Seller account',
    purpose: 'Products, stock and all sales come from here.',
    to: '/add-seller-account',
  },
  AMAZON_ADS: {
    name: 'Advertising accounts',
    purpose: 'Campaigns and their figures come from here.',
    to: '/add-ppc-account',
  },
}

/** A connection of a merchant that is missing or lost: why it matters, and the way to connect it again. */
export function ConnectionRow({ kind, merchant }: { kind: ConnectionKind; merchant: MerchantDetail }) {
  const lost = merchant.connections.find(c => c.kind === kind && c.health === 'LOST')
  const { name, purpose, to } = kinds[kind]
  const owner = merchant.role === 'OWNER'
  return (
    <div className="list-row-head connection">
      <div className="list-row-name">
        <strong>{name}</strong>
        <div className="list-row-detail">
          {lost ? 'The marketplace no longer lets Tideline in. Nothing was deleted; connect again to go on.' : purpose}
        </div>
        <span className={lost ? 'tag tag-danger' : 'tag tag-accent'}>{lost ? 'Permission lost' : 'Not connected'}</span>
      </div>
      {owner &&
        (lost ? (
          <ReconnectButton connection={lost} name={name} />
        ) : (
          <LinkButton to={to} search={{ merchantId: merchant.id }} tone="primary">
            Connect
          </LinkButton>
        ))}
    </div>
  )
}

function ReconnectButton({ connection, name }: { connection: Connection; name: string }) {
  const leave = useMutation(leaveForConsent())
  if (!useCanReach('/add-seller-account')) return null
  return (
    <Button
      tone="accent"
      busy={leave.isPending}
      aria-label={`Reconnect: ${name}`}
      onClick={() => leave.mutate({ connectionId: connection.id })}
    >
      Reconnect
    </Button>
  )
}
