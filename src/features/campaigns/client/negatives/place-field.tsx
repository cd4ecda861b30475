import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ChoiceCards } from '#client/ui/forms/choices.tsx'
import { SelectField } from '#client/ui/forms/fields.tsx'
import { SearchField } from '#client/ui/forms/search-field.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { Skeleton } from '#client/ui/states/state-views.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import {
  adGroupsQuery,
  noCampaigns,
  type PickedCampaign,
  pickQuery,
  useCampaignChoice,
} from '../search-terms/ad-group-picker.tsx'
import { adTypeShort } from '../search-terms/term-words.ts'

export interface Place {
  campaign: PickedCampaign | null
  /** Null: the whole campaign. */
  adGroupId: number | null
}
interface PlaceFieldProps {
  shop: Shop
  /** The list is of this campaign alone. */
  isPreset: boolean
  value: Place
  onChange: (place: Place) => void
}

const takesNegatives = ({ adType }: PickedCampaign): boolean => adType !== 'SPONSORED_DISPLAY'
const shownCampaigns = 6

/** The campaign that the list is of. */
export function usePreset(
  shop: Shop,
  campaignId: number | undefined,
  adGroupId: number | undefined,
): PickedCampaign | null {
  const { data: campaigns } = useQuery(pickQuery(shop))
  const isUnknown = campaignId === undefined && adGroupId !== undefined
  const { data } = useQuery({ ...adGroupsQuery(shop, { adGroupId: adGroupId ?? 0 }), enabled: isUnknown })
  const id = campaignId ?? (isUnknown ? data?.content[0]?.campaignId : undefined)
  return campaigns?.find(campaign => campaign.id === id) ?? null
}

/** The campaign, and whether the whole of it or one of its ad groups. */
export function PlaceField({ shop, isPreset, value, onChange }: PlaceFieldProps) {
  const [text, setText] = useState('')
  const { isLoading, isMissing, eligible, named } = useCampaignChoice(shop, text, takesNegatives)
  const chosen = value.campaign
  const adGroups = useQuery({ ...adGroupsQuery(shop, { campaignId: chosen?.id ?? 0 }), enabled: chosen !== null })
  if (isLoading) return <Skeleton rows={2} label="Loading the campaigns" />
  if (isMissing) return <p>{noCampaigns}</p>
  if (!chosen)
    return (
      <div className="picker">
        <SearchField label="Search campaigns" value={text} onSearch={setText} />
        <ChoiceCards
          legend="Campaign"
          value={null}
          onChange={id => onChange({ campaign: eligible.find(one => String(one.id) === id) ?? null, adGroupId: null })}
          options={named.slice(0, shownCampaigns).map(({ id, name, adType, targetingType }) => ({
            value: String(id),
            label: name,
            hint: [adTypeShort[adType], targetingType === 'AUTO' ? 'Automatic' : 'Manual'].join(' · '),
          }))}
        />
        {!named.length && <p>No campaign matches. Sponsored Display takes no negatives from here.</p>}
      </div>
    )
  const isBrand = chosen.adType === 'SPONSORED_BRANDS'
  const rows = adGroups.data?.content.filter(row => row.campaignId === chosen.id && row.state !== 'ARCHIVED') ?? []
  return (
    <>
      <div className="picker-chosen">
        <span>
          <small>Campaign</small>
          <strong>{chosen.name}</strong>
        </span>
        {!isPreset && <Button onClick={() => onChange({ campaign: null, adGroupId: null })}>Change</Button>}
      </div>
      <SelectField
        label="Applies to"
        name="level"
        value={value.adGroupId === null ? '' : String(value.adGroupId)}
        {...(isBrand && { help: 'Sponsored Brands takes negatives on ad groups only.' })}
        onChange={id => onChange({ campaign: chosen, adGroupId: id === '' ? null : Number(id) })}
        options={[
          isBrand ? { value: '', label: 'Choose an ad group' } : { value: '', label: 'The whole campaign' },
          ...rows.map(row => ({ value: String(row.id), label: `Ad group ${row.name}` })),
        ]}
      />
    </>
  )
}
