import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '#client/api/api-error.ts'
import { useOnline } from '#client/api/online.ts'
import { ChoiceCards } from '#client/ui/forms/choices.tsx'
import { MoneyField } from '#client/ui/forms/number-field.tsx'
import { SelectField } from '#client/ui/forms/select-field.tsx'
import { TextField } from '#client/ui/forms/text-field.tsx'
import { useForm } from '#client/ui/forms/use-form.ts'
import { Card } from '#client/ui/lists/card.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import { dayIn } from '#shared/time.ts'
import type { Campaign } from '../../contract.ts'
import { biddingStrategies } from '../../rules.ts'
import {
  beforeOf,
  campaignFormSchema,
  type CampaignValues,
  changesOf,
  fieldsRefused,
  valuesOf,
} from './campaign-form-values.ts'
import { ConflictCard } from './conflict-card.tsx'
import { currentOf } from '../edit/current-of.ts'
import { PlacementFields } from '../edit/placement-fields.tsx'
import { useEdit } from '../edit/use-edit.ts'
import { RowStatus } from '../list/row-status.tsx'
import { strategyLabel, strategyWords } from './strategy-words.ts'
import { useStateChange } from '../use-state-change.ts'

const states = [
  { value: 'ENABLED', label: 'Enabled' },
  { value: 'PAUSED', label: 'Paused' },
] as const

const strategiesFor = ({ biddingStrategy }: Campaign) => {
  const known = biddingStrategies.map(value => ({ value: value as string, ...strategyWords[value] }))
  if (biddingStrategy === null || known.some(one => one.value === biddingStrategy)) return known
  const hint = 'Set at the marketplace; leave it chosen to keep it.'
  return [...known, { value: biddingStrategy, label: strategyLabel(biddingStrategy), hint }]
}

/** The form of one campaign. When it was changed meanwhile, both versions are shown and the user chooses. */
export const CampaignForm = ({ campaign, shop }: { campaign: Campaign; shop: Shop }) => {
  const router = useRouter()
  const { make } = useEdit('campaign', { silent: true })
  const [base, setBase] = useState(campaign)
  const [conflict, setConflict] = useState<Campaign | null>(null)
  const market = marketplaceById(shop.marketplaceId)
  const [today] = useState(() => dayIn(new Date(), market?.timezone ?? 'UTC'))
  const save = async (values: CampaignValues, from: Campaign): Promise<void> => {
    const set = changesOf(from, values)
    if (Object.keys(set).length > 0) {
      const { id, version, name, currency } = from
      const edit = { kind: 'campaign' as const, id, version, name, set, was: beforeOf(from, set) }
      await make({ edit, told: 'Campaign saved', currency, href: `/campaign-edit/${from.amazonId}` })
    }
    router.history.back()
  }
  const form = useForm({
    schema: campaignFormSchema(market, base, today),
    initial: valuesOf(campaign),
    onSubmit: async values => {
      try {
        await save(values, base)
      } catch (error) {
        const current = currentOf(error)
        const fields = fieldsRefused(error)
        if (current) setConflict(current)
        else if (fields) form.setErrors(fields)
        else toast({ title: 'Failed to update campaign', message: messageOf(error), tone: 'danger' })
        throw error
      }
    },
  })
  const resolve = (current: Campaign, keepMine: boolean): void => {
    // What the user did not touch follows the other's change either way.
    const mine = { ...valuesOf(current), ...(keepMine && touched(base, form.values)) }
    setBase(current)
    setConflict(null)
    form.reset(mine)
  }
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
          <SelectField label="State" options={states} {...form.field('state')} />
          <ChoiceCards legend="Bidding strategy" {...form.field('biddingStrategy')} options={strategiesFor(base)} />
          <PlacementFields field={form.field} />
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

const touched = (base: Campaign, values: Partial<Record<string, unknown>>): object => {
  const before: Record<string, unknown> = valuesOf(base)
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== before[name]))
}

const messageOf = (error: unknown): string =>
  error instanceof ApiError ? error.message : error instanceof Error ? error.message : 'Please try again.'
