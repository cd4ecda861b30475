import { useMutation, useQueryClient, useSuspenseQueries, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { OfflineAge } from '#client/ui/figures/data-age.tsx'
import { CheckField } from '#client/ui/forms/choices.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import type { AmazonProfile, MerchantDetail } from '../../contract.ts'
import { LinkButton } from '../link-button.tsx'
import { connectProfiles } from '../mutations.ts'
import { accountQueries } from '../queries.ts'
import '../accounts.css'

const unmanaged = (profiles: readonly AmazonProfile[]) => profiles.filter(profile => !profile.isManaged)

export function ChooseProfilesPage() {
  const { data: merchants } = useSuspenseQuery(accountQueries.merchants())
  const details = useSuspenseQueries({ queries: merchants.map(merchant => accountQueries.merchant(merchant.id)) })
  const withProfiles = details.map(d => d.data).filter(m => m.role === 'OWNER' && m.profiles.length > 0)
  const open = withProfiles.flatMap(m => unmanaged(m.profiles))
  // Accounts may arrive after what this device still knew of the merchant: every one is chosen unless the user says no.
  const [declined, setDeclined] = useState<ReadonlySet<number>>(new Set())
  const chosen = new Set(open.map(p => p.amazonProfileId).filter(id => !declined.has(id)))
  const navigate = useNavigate()
  const connect = useMutation(connectProfiles(useQueryClient()))
  const submit = async () => {
    const selection = withProfiles.map(({ id: merchantId, profiles }) => {
      const ids = unmanaged(profiles).map(p => p.amazonProfileId)
      return { merchantId, amazonProfileIds: ids.filter(id => chosen.has(id)) }
    })
    await connect.mutateAsync(selection.filter(({ amazonProfileIds }) => amazonProfileIds.length > 0))
    // The guard leads on to /subscription where there is none yet.
    const to: string = '/home'
    await navigate({ to, replace: true })
  }
  const toggle = (id: number, on: boolean) =>
    setDeclined(before => new Set(on ? [...before].filter(other => other !== id) : [...before, id]))
  const count = chosen.size
  return (
    <Page
      title="Choose advertising accounts"
      back="/connections"
      status={<OfflineAge updatedAt={details.map(({ dataUpdatedAt }) => dataUpdatedAt)} />}
      footer={
        open.length > 0 && (
          <Button
            tone="primary"
            block
            disabled={count === 0}
            busy={connect.isPending}
            busyLabel="Connecting…"
            // The mutation's own notification reports the failure.
            onClick={() => void submit().catch(() => undefined)}
          >
            {count === 1 ? 'Manage 1 account' : `Manage ${count} accounts`}
          </Button>
        )
      }
    >
      {withProfiles.length === 0 ? (
        <EmptyState
          title="There are no advertising accounts yet"
          hint="Give Tideline the permission to see them first."
          action={
            <LinkButton to="/add-ppc-account" tone="primary">
              Add advertising accounts
            </LinkButton>
          }
        />
      ) : (
        <>
          <p className="sentences">
            Tideline imports the campaigns and figures of the accounts you choose. You can add others later.
          </p>
          {withProfiles.map(merchant => (
            <ProfileChoices key={merchant.id} merchant={merchant} chosen={chosen} onToggle={toggle} />
          ))}
        </>
      )}
    </Page>
  )
}

interface ProfileChoicesProps {
  merchant: MerchantDetail
  chosen: ReadonlySet<number>
  onToggle: (amazonProfileId: number, on: boolean) => void
}

function ProfileChoices({ merchant, chosen, onToggle }: ProfileChoicesProps) {
  return (
    <Card title={merchant.name} aside={<span className="tag">{merchant.regionName}</span>}>
      <fieldset className="choices">
        <legend className="visually-hidden">Advertising accounts of {merchant.name}</legend>
        {merchant.profiles.map(profile => (
          <CheckField
            key={profile.id}
            name={`profile-${profile.amazonProfileId}`}
            label={profile.marketplace.name}
            help={detailOf(profile)}
            checked={profile.isManaged === true || chosen.has(profile.amazonProfileId)}
            disabled={profile.isManaged === true}
            onChange={on => onToggle(profile.amazonProfileId, on)}
          />
        ))}
      </fieldset>
    </Card>
  )
}

function detailOf(profile: AmazonProfile): string {
  return [
    profile.currencyCode,
    profile.timezone.replaceAll('_', ' '),
    profile.accountType === 'VENDOR' ? 'Vendor' : 'Seller',
    profile.isManaged && 'managed already',
    !profile.validPaymentMethod && 'no valid payment method: its ads do not run',
  ]
    .filter(Boolean)
    .join(' · ')
}
