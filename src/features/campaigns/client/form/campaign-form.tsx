import type { ComponentProps } from 'react'
import { useRouter } from '@tanstack/react-router'
import { useOnline } from '#client/api/online.ts'
import { ChoiceCards } from '#client/ui/forms/choices.tsx'
import { NumberField } from '#client/ui/forms/number-field.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import { type Campaign, campaignFields } from '#features/structure/contract.ts'
import { MAX_PLACEMENT_PERCENT, type Placement, placementsOf, settableStrategies } from '#shared/campaign-rules.ts'
import { ConflictCard } from './conflict-card.tsx'
import { FieldInputs } from './field-inputs.tsx'
import { formatField, placementLabels, strategies } from './field-labels.ts'
import { RowStatus } from '../list/row-status.tsx'
import { useCampaignForm } from './use-campaign-form.ts'
import { useStateChange } from '../use-state-change.ts'

// A strategy that cannot be set here is shown while it is the current one.
function strategiesFor({ adType, biddingStrategy }: Campaign) {
  const settable = settableStrategies(adType).map(value => ({ value: value as string, ...strategies[value] }))
  if (biddingStrategy === null || settable.some(one => one.value === biddingStrategy)) return settable
  const hint = 'Set at the marketplace; leave it chosen to keep it.'
  const current = { hint, ...(strategies as Record<string, { hint: string } | undefined>)[biddingStrategy] }
  const label = formatField('biddingStrategy', campaignFields.biddingStrategy, biddingStrategy, '')
  return [...settable, { ...current, value: biddingStrategy, label }]
}

/** The form of one campaign. When it was changed meanwhile, both versions are shown and the user chooses. */
export function CampaignForm({ campaign, shop }: { campaign: Campaign; shop: Shop }) {
  const { form, base, today, conflict, resolve } = useCampaignForm(campaign, shop)
  return (
    <>
      {conflict && (
        <ConflictCard mine={form.values} theirs={conflict} onChoose={keepMine => resolve(conflict, keepMine)} />
      )}
      <Card>
        <div className="row-status">
          <RowStatus {...base} />
        </div>
        <form {...form.props}>
          <FieldInputs
            fields={campaignFields}
            bind={form.field}
            currency={base.currency}
            today={today}
            own={{
              biddingStrategy: (
                <>
                  <ChoiceCards
                    legend={campaignFields.biddingStrategy.label}
                    {...form.field('biddingStrategy')}
                    value={String(form.values.biddingStrategy)}
                    options={strategiesFor(base)}
                  />
                  <PlacementInputs adType={base.adType} field={form.field} />
                </>
              ),
            }}
          />
          <Button
            type="submit"
            tone="primary"
            block
            busy={form.busy}
            busyLabel="Saving..."
            disabled={conflict !== null}
          >
            Save changes
          </Button>
        </form>
      </Card>
      <ArchiveCard campaign={base} />
    </>
  )
}

interface PlacementInputsProps {
  adType: string
  field: (
    placement: Placement,
  ) => Pick<ComponentProps<typeof NumberField>, 'name' | 'value' | 'error' | 'onChange' | 'onBlur'>
}

/** How much higher a campaign bids at each placement that its ad type has. */
function PlacementInputs({ adType, field }: PlacementInputsProps) {
  return (
    <fieldset className="placements">
      <legend>Bid more by placement</legend>
      <p className="field-help">On top of each bid, from 0 to {MAX_PLACEMENT_PERCENT}%.</p>
      {placementsOf(adType).map(placement => (
        <NumberField key={placement} label={placementLabels[placement]} digits={0} suffix="%" {...field(placement)} />
      ))}
    </fieldset>
  )
}

function ArchiveCard({ campaign }: { campaign: Campaign }) {
  const online = useOnline()
  const router = useRouter()
  const { archive } = useStateChange('campaign')
  const ask = async (): Promise<void> => {
    const confirmed = await archive({ ...campaign, href: `/campaigns?campaign=${campaign.id}` })
    if (confirmed) router.history.back()
  }
  return (
    <Card title="Archive">
      <p>An archived campaign never runs again and cannot be changed; its figures stay.</p>
      <Button tone="danger" disabled={!online} onClick={() => void ask()}>
        Archive campaign
      </Button>
    </Card>
  )
}
