import { useQuery, useSuspenseQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { linkOutline } from 'ionicons/icons'
import { OfflineAge } from '#client/ui/figures/data-age.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { useCanReach } from '#client/ui/shell/navigation/nav-context.ts'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { LinkButton } from './link-button.tsx'
import { accountQueries } from './queries.ts'
import { useRouter } from '@tanstack/react-router'
import { navigateHref } from '#client/ui/ionic/navigate-href.ts'
import { type RowAction, RowMenu } from '#client/ui/lists/row-menu.tsx'
import { confirm } from '#client/ui/overlays/dialogs.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { authoritiesOfUser, userQueries } from '#features/auth/client/public.ts'
import type { Connection, ConnectionKind, Merchant, MerchantDetail } from '../contract.ts'
import { MarketplacePicker } from './shop/merchant-sheet.tsx'
import { chooseMerchant, disconnectMerchant, leaveForConsent } from './mutations.ts'
import './accounts.css'

export function ConnectionsPage() {
  const { data: merchants, refetch, dataUpdatedAt } = useSuspenseQuery(accountQueries.merchants())
  const { data: current } = useQuery(accountQueries.currentMerchant())
  const canConnect = useCanReach('/add-seller-account')
  const { data: user } = useQuery(userQueries.user())
  // Until that is known, all is offered: the server checks.
  const isManager = !user || authoritiesOfUser(user).includes('ACCOUNT_MANAGER')
  return (
    <Page title="Connections" status={<OfflineAge updatedAt={[dataUpdatedAt]} />} onRefresh={refetch}>
      {merchants.length === 0 && !isManager ? (
        <EmptyState
          icon={linkOutline}
          title="You have no access to a seller"
          hint="Ask the person who invited you for a new invitation."
        />
      ) : merchants.length === 0 ? (
        <EmptyState
          icon={linkOutline}
          title="Connect your seller account first"
          hint="Tideline needs your permission twice: for the seller account with its products, and for the advertising accounts with their campaigns. Both are given on the marketplace’s own pages and can be revoked at any time."
          action={<AddAccounts tone="primary" />}
        />
      ) : (
        <>
          {current === null && <p className="sentences">Choose the merchant you want to work with.</p>}
          {merchants.map(merchant => (
            <MerchantCard
              key={merchant.id}
              merchant={merchant}
              current={merchant.id === current?.id}
              choosing={current === null}
            />
          ))}
          {isManager ? (
            <>
              {!canConnect && <p className="sentences">You need a subscription to connect more accounts.</p>}
              <AddAccounts tone="quiet">
                {!canConnect && (
                  <LinkButton to="/subscription" tone="primary">
                    Choose a plan
                  </LinkButton>
                )}
              </AddAccounts>
            </>
          ) : (
            <p className="sentences">You view these sellers. Only their owners connect accounts.</p>
          )}
        </>
      )}
    </Page>
  )
}

function AddAccounts({ tone, children }: { tone: 'primary' | 'quiet'; children?: ReactNode }) {
  return (
    <div className="button-row">
      {children}
      <LinkButton to="/add-seller-account" tone={tone}>
        Add a seller account
      </LinkButton>
      <LinkButton to="/add-ppc-account">Add advertising accounts</LinkButton>
    </div>
  )
}

interface MerchantCardProps {
  merchant: Merchant
  current: boolean
  /** No merchant is chosen yet: each offers itself. */
  choosing: boolean
}

/** One merchant: a line while all is well; what is wrong with it, and the button against that; the rest in its menu. */
function MerchantCard({ merchant, current, choosing }: MerchantCardProps) {
  const query = useQuery(accountQueries.merchant(merchant.id))
  const detail = query.data
  const id = useId()
  return (
    <section className="card merchant" aria-labelledby={id}>
      <div className="merchant-line">
        <h2 id={id}>{merchant.name}</h2>
        {detail && <Health merchant={detail} />}
        <span className={current ? 'tag tag-good' : 'tag'}>{current ? 'Current' : merchant.regionName}</span>
        {detail && <MerchantMenu merchant={detail} current={current} />}
      </div>
      <QueryView query={query} loading={{ kind: 'line', rows: 1, label: 'Loading the connections' }}>
        {merchantDetail => <Problems merchant={merchantDetail} current={current} choosing={choosing} />}
      </QueryView>
    </section>
  )
}

const texts: Record<ConnectionKind, { name: string; purpose: string; to: string }> = {
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
const kinds: readonly ConnectionKind[] = ['SELLING_PARTNER', 'AMAZON_ADS']
const connectionOf = (merchant: MerchantDetail, kind: ConnectionKind) =>
  merchant.connections.find(connection => connection.kind === kind && connection.health === 'CONNECTED')
const brokenKinds = (merchant: MerchantDetail) => kinds.filter(kind => !connectionOf(merchant, kind))
const managedOf = ({ profiles }: MerchantDetail) => profiles.filter(profile => profile.isManaged)

function Health({ merchant }: { merchant: MerchantDetail }) {
  const broken = brokenKinds(merchant).length
  const managed = managedOf(merchant)
  const text = broken
    ? broken === kinds.length
      ? 'Not connected'
      : 'One connection missing'
    : managed.length
      ? `Connected · ${managed.map(profile => `${profile.countryCode} (${profile.currencyCode})`).join(', ')}`
      : 'No advertising account chosen'
  const well = !broken && managed.length > 0
  return (
    <span className="merchant-health">
      <span className={well ? 'health-dot' : 'health-dot health-dot-bad'} aria-hidden="true" />
      {text}
    </span>
  )
}

function Problems({ merchant, current, choosing }: Omit<MerchantCardProps, 'merchant'> & { merchant: MerchantDetail }) {
  const { data: marketplace } = useQuery(accountQueries.currentMarketplace())
  const choose = useMutation(chooseMerchant(useQueryClient()))
  const broken = brokenKinds(merchant)
  const managed = managedOf(merchant).length > 0
  const choiceMissing = merchant.role === 'OWNER' && merchant.profiles.length > 0 && !managed
  const rows: ReactNode[] = broken.map(kind => <ConnectionRow key={kind} kind={kind} merchant={merchant} />)
  if (current && marketplace === null) rows.push(<MarketplacePicker key="marketplace" merchantId={merchant.id} />)
  if (choiceMissing)
    rows.push(
      <LinkButton key="profiles" to="/connections/profiles" tone="primary">
        Choose advertising accounts
      </LinkButton>,
    )
  if (choosing && managed)
    rows.push(
      <Button key="choose" tone="primary" busy={choose.isPending} onClick={() => choose.mutate(merchant.id)}>
        Work with this merchant
      </Button>,
    )
  return rows.length > 0 && <div className="merchant-problems">{rows}</div>
}

/** A connection that is missing or lost: why it matters, and the way to connect it again. */
function ConnectionRow({ kind, merchant }: { kind: ConnectionKind; merchant: MerchantDetail }) {
  const lost = merchant.connections.find(c => c.kind === kind && c.health === 'LOST')
  const { name, purpose, to } = texts[kind]
  const connect = lost ? (
    <ReconnectButton connection={lost} name={name} />
  ) : (
    <LinkButton to={to} search={{ merchantId: merchant.id }} tone="primary">
      Connect
    </LinkButton>
  )
  return (
    <div className="list-row-head connection">
      <div className="list-row-name">
        <strong>{name}</strong>
        <div className="list-row-detail">
          {lost
            ? 'The marketplace no longer accepts Tideline’s permission. Nothing was deleted. Connect again to continue.'
            : purpose}
        </div>
        <span className={lost ? 'tag tag-danger' : 'tag tag-accent'}>{lost ? 'Permission lost' : 'Not connected'}</span>
      </div>
      {merchant.role === 'OWNER' && connect}
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

function MerchantMenu({ merchant, current }: { merchant: MerchantDetail; current: boolean }) {
  const client = useQueryClient()
  const router = useRouter()
  const choose = useMutation(chooseMerchant(client))
  const leave = useMutation(leaveForConsent())
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
        'Tideline forgets its permissions at once and stops managing its campaigns, which keep running as they are. The data is kept for 30 days, in case you connect it again.',
      confirmText: 'Disconnect',
      tone: 'danger',
    })
    if (sure) disconnect.mutate(merchant.id)
  }
  const reconnect = (kind: ConnectionKind, label: string): RowAction[] => {
    const connection = connectionOf(merchant, kind)
    return connection ? [{ label, onSelect: () => leave.mutate({ connectionId: connection.id }) }] : []
  }
  const chooseProfiles = () => void navigateHref(router, '/connections/profiles')
  const actions: RowAction[] = []
  if (!current) actions.push({ label: 'Work with this merchant', onSelect: () => choose.mutate(merchant.id) })
  if (merchant.role === 'OWNER') {
    if (merchant.profiles.length > 0) actions.push({ label: 'Choose advertising accounts', onSelect: chooseProfiles })
    actions.push(
      ...reconnect('SELLING_PARTNER', 'Reconnect seller account'),
      ...reconnect('AMAZON_ADS', 'Reconnect advertising accounts'),
      { label: 'Disconnect', tone: 'danger', onSelect: () => void askAndDisconnect() },
    )
  }
  return actions.length > 0 && <RowMenu name={merchant.name} actions={actions} />
}
