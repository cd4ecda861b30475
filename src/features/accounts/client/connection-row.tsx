import { useMutation } from '@tanstack/react-query'
import { Button } from '#client/ui/states/button.tsx'
import type { Connection, ConnectionKind, MerchantDetail } from '../contract.ts'
import { LinkButton } from './link-button.tsx'
import { leaveForConsent } from './mutations.ts'

const words: Record<ConnectionKind, { name: string; why: string; to: string }> = {
  SELLING_PARTNER: {
    name: 'Seller account',
    why: 'Products, stock and all sales come from here.',
    to: '/add-seller-account',
  },
  AMAZON_ADS: {
    name: 'Advertising accounts',
    why: 'Campaigns and their figures come from here.',
    to: '/add-ppc-account',
  },
}
const healthWords: Record<Connection['health'], { text: string; tag: string }> = {
  CONNECTED: { text: 'Connected', tag: 'tag tag-good' },
  LOST: { text: 'Permission lost', tag: 'tag tag-danger' },
  DISCONNECTED: { text: 'Disconnected', tag: 'tag' },
}

/** One of a merchant's two connections: its health in words, and the way to connect it (anew). */
export const ConnectionRow = ({ kind, merchant }: { kind: ConnectionKind; merchant: MerchantDetail }) => {
  const connection = merchant.connections.find(c => c.kind === kind && c.health !== 'DISCONNECTED')
  const { name, why, to } = words[kind]
  const { text, tag } = connection ? healthWords[connection.health] : { text: 'Not connected', tag: 'tag tag-accent' }
  const owner = merchant.role === 'OWNER'
  return (
    <div className="list-row-head connection">
      <div className="list-row-name">
        <strong>{name}</strong>
        <div className="list-row-detail">
          {connection?.health === 'LOST'
            ? 'The marketplace no longer lets Tideline in. Nothing was deleted; connect again to go on.'
            : why}
        </div>
        <span className={tag}>{text}</span>
      </div>
      {owner &&
        (connection ? (
          <ReconnectButton connection={connection} name={name} />
        ) : (
          <LinkButton to={to} search={{ merchantId: merchant.id }} tone="primary">
            Connect
          </LinkButton>
        ))}
    </div>
  )
}

const ReconnectButton = ({ connection, name }: { connection: Connection; name: string }) => {
  const leave = useMutation(leaveForConsent())
  return (
    <Button
      tone={connection.health === 'LOST' ? 'accent' : 'quiet'}
      busy={leave.isPending}
      aria-label={`Reconnect: ${name}`}
      onClick={() => leave.mutate({ connectionId: connection.id })}
    >
      Reconnect
    </Button>
  )
}
