import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import * as v from 'valibot'
import { useOnline } from '#client/api/online.ts'
import { ChoiceCards } from '#client/ui/forms/choices.tsx'
import { SelectField } from '#client/ui/forms/fields.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type { ConnectionKind, Region } from '../../contract.ts'
import { consentSearch } from './consent-search.ts'
import { leaveForConsent } from '../mutations.ts'
import { accountQueries } from '../queries.ts'
import '../accounts.css'

const texts: Record<ConnectionKind, { title: string; explains: readonly string[]; button: string }> = {
  SELLING_PARTNER: {
    title: 'Add a seller account',
    explains: [
      'You sign in on the marketplace’s own page and allow Tideline to read your products, stock and sales. Tideline never sees your password.',
      'Choose the region in which you sell. Each region is connected by itself.',
    ],
    button: 'Continue to the seller console',
  },
  AMAZON_ADS: {
    title: 'Add advertising accounts',
    explains: [
      'You sign in on the marketplace’s own page and allow Tideline to read and change your campaigns. Tideline never sees your password.',
      'The region only decides where you sign in: Tideline then looks for your advertising accounts in all regions, and you choose which of them it may manage.',
    ],
    button: 'Continue to sign in',
  },
}

function AddAccountPage({ kind }: { kind: ConnectionKind }) {
  const { title, explains, button } = texts[kind]
  const { merchantId } = v.parse(consentSearch, useSearch({ strict: false }))
  const { data: regions } = useSuspenseQuery(accountQueries.regions())
  const { data: merchants } = useQuery(accountQueries.merchants())
  const merchant = merchants?.find(m => m.id === merchantId)
  const [picked, setPicked] = useState<string | null>(null)
  const [marketplace, setMarketplace] = useState('')
  const regionId = merchant?.regionId ?? (picked === null ? null : Number(picked))
  const region = regions.find(r => r.id === regionId)
  const leave = useMutation(leaveForConsent())
  const online = useOnline()
  const go = () => {
    if (!region) return
    const marketplaceId = region.marketPlaces.some(m => String(m.id) === marketplace) ? Number(marketplace) : undefined
    leave.mutate({ kind, regionId: region.id, merchantId: merchant?.id, marketplaceId })
  }
  return (
    <Page
      title={title}
      back="/connections"
      footer={
        <Button
          tone="primary"
          block
          busy={leave.isPending}
          busyLabel="Opening…"
          disabled={!region || !online}
          onClick={go}
        >
          {button}
        </Button>
      }
    >
      <div className="sentences">
        {explains.map(sentence => (
          <p key={sentence}>{sentence}</p>
        ))}
        {merchant && (
          <p>
            For <strong>{merchant.name}</strong>, {merchant.regionName}.
          </p>
        )}
      </div>
      {!merchant && (
        <ChoiceCards
          legend="Region"
          name="region"
          value={picked}
          onChange={setPicked}
          options={regions.map(optionOf)}
        />
      )}
      {kind === 'SELLING_PARTNER' && region && (
        <SelectField
          label="Where do you sign in?"
          name="marketplace"
          value={marketplace}
          onChange={setMarketplace}
          placeholder="Usual console of the region"
          options={region.marketPlaces.map(m => ({ value: String(m.id), label: m.name }))}
        />
      )}
    </Page>
  )
}

const optionOf = ({ id, name, marketPlaces }: Region) => ({
  value: String(id),
  label: name,
  hint: marketPlaces.map(m => m.name).join(', '),
})

export const AddSellerAccountPage = () => <AddAccountPage kind="SELLING_PARTNER" />
export const AddPpcAccountPage = () => <AddAccountPage kind="AMAZON_ADS" />
