import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { linkOutline } from 'ionicons/icons'
import { OfflineAge } from '#client/ui/figures/data-age.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { useCanReach } from '#client/ui/shell/navigation/nav-context.ts'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { LinkButton } from './link-button.tsx'
import { MerchantCard } from './merchant-card.tsx'
import { accountQueries } from './queries.ts'

/** The user's merchants, how they are connected, and which one is worked with. */
export function ConnectionsPage() {
  const { data: merchants, refetch, dataUpdatedAt } = useSuspenseQuery(accountQueries.merchants())
  const { data: current } = useQuery(accountQueries.currentMerchant())
  const canConnect = useCanReach('/add-seller-account')
  return (
    <Page title="Connections" status={<OfflineAge updatedAt={[dataUpdatedAt]} />} onRefresh={refetch}>
      {merchants.length === 0 ? (
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
          {!canConnect && <p className="sentences">You need a subscription to connect more accounts.</p>}
          <AddAccounts tone="quiet">
            {!canConnect && (
              <LinkButton to="/subscription" tone="primary">
                Choose a plan
              </LinkButton>
            )}
          </AddAccounts>
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
