import { useRouter } from '@tanstack/react-router'
import { useOnline } from '#client/api/online.ts'
import { ChoiceCards } from '#client/ui/forms/choices.tsx'
import { MoneyField, NumberField } from '#client/ui/forms/number-field.tsx'
import { SelectField } from '#client/ui/forms/select-field.tsx'
import { TextField } from '#client/ui/forms/text-field.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import type { Campaign } from '#features/structure/contract.ts'
import { settableStrategies } from '#shared/campaign-rules.ts'
import { ConflictCard } from './conflict-card.tsx'
import { PlacementFields } from '../edit/placement-fields.tsx'
import { RowStatus } from '../list/row-status.tsx'
import { strategyLabel, strategyWords } from './strategy-words.ts'
import { useCampaignForm } from './use-campaign-form.ts'
import { useStateChange } from '../use-state-change.ts'

const states = [
  { value: 'ENABLED', label: 'Enabled' },
  { value: 'PAUSED', label: 'Paused' },
] as const

// A strategy that cannot be set here is shown while it is the current one.
const strategiesFor = ({ adType, biddingStrategy }: Campaign) => {
  const settable = settableStrategies(adType).map(value => ({ value: value as string, ...strategyWords[value] }))
  if (biddingStrategy === null || settable.some(one => one.value === biddingStrategy)) return settable
  const hint = 'Set at the marketplace; leave it chosen to keep it.'
  const current = { hint, ...(strategyWords as Record<string, { hint: string } | undefined>)[biddingStrategy] }
  return [...settable, { ...current, value: biddingStrategy, label: strategyLabel(biddingStrategy) }]
}

/** The form of one campaign. When it was changed meanwhile, both versions are shown and the user chooses. */
export const CampaignForm = ({ campaign, shop }: { campaign: Campaign; shop: Shop }) => {
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
          <TextField label="Campaign name" {...form.field('name')} />
          <MoneyField label="Daily budget" currency={base.currency} {...form.field('budget')} />
          <NumberField
            label="Target ACOS"
            optional
            digits={1}
            suffix="%"
            help="Advertising cost as a share of the sales it brings, up to 100 in steps of 0.1. Leave it empty for none."
            {...form.field('targetAcos')}
          />
          <SelectField label="State" options={states} {...form.field('state')} />
          <ChoiceCards legend="Bidding strategy" {...form.field('biddingStrategy')} options={strategiesFor(base)} />
          <PlacementFields adType={base.adType} field={form.field} />
          <TextField
            label="Last day"
            type="date"
            min={today}
            help="Leave it empty to go on without an end."
            {...form.field('endDate')}
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

const ArchiveCard = ({ campaign }: { campaign: Campaign }) => {
  const online = useOnline()
  const router = useRouter()
  const { archive } = useStateChange('campaign')
  const ask = async (): Promise<void> => {
    const asked = await archive({ ...campaign, href: `/campaigns?campaign=${campaign.id}` })
    if (asked) router.history.back()
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
