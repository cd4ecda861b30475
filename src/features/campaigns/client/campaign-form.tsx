import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useOnline } from '#client/api/online.ts'
import { ApiError } from '#client/api/api-error.ts'
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
import type { Campaign } from '../contract.ts'
import { biddingStrategies } from '../rules.ts'
import { campaignFormSchema, type CampaignValues, changesOf, fieldsRefused, valuesOf } from './campaign-form-values.ts'
import { ConflictCard } from './conflict-card.tsx'
import { changeCampaign, currentOf } from './mutations.ts'
import { RowStatus } from './row-status.tsx'
import { strategyLabel, strategyWords } from './strategy-words.ts'

const states = [
  { value: 'ENABLED', label: 'Enabled' },
  { value: 'PAUSED', label: 'Paused' },
] as const

/** The form of one campaign. When it was changed meanwhile, both versions are shown and the user chooses. */
export const CampaignForm = ({ campaign, shop }: { campaign: Campaign; shop: Shop }) => {
  const online = useOnline()
  const router = useRouter()
  const { mutateAsync } = useMutation(changeCampaign(useQueryClient(), { silent: true }))
  const [base, setBase] = useState(campaign)
  const [conflict, setConflict] = useState<Campaign | null>(null)
  const save = async (values: CampaignValues, from: Campaign): Promise<void> => {
    const change = changesOf(from, values)
    if (Object.keys(change).length > 0) {
      await mutateAsync({ campaignId: from.id, version: from.version, ...change })
      toast({ title: 'Campaign saved', message: 'It is being sent to the marketplace.', tone: 'success' })
    }
    router.history.back()
  }
  const form = useForm({
    schema: campaignFormSchema(marketplaceById(shop.marketplaceId)),
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
  const known = biddingStrategies.some(strategy => strategy === base.biddingStrategy)
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
          <ChoiceCards
            legend="Bidding strategy"
            {...form.field('biddingStrategy')}
            options={[
              ...biddingStrategies.map(value => ({ value: value as string, ...strategyWords[value] })),
              ...(known || base.biddingStrategy === null
                ? []
                : [
                    {
                      value: base.biddingStrategy,
                      label: strategyLabel(base.biddingStrategy),
                      hint: 'Set at the marketplace; leave it chosen to keep it.',
                    },
                  ]),
            ]}
          />
          <Button
            type="submit"
            tone="primary"
            block
            busy={form.busy}
            busyLabel="Saving..."
            disabled={!online || conflict !== null}
          >
            Save changes
          </Button>
        </form>
      </Card>
    </>
  )
}

const touched = (base: Campaign, values: Partial<Record<string, unknown>>): object => {
  const before: Record<string, unknown> = valuesOf(base)
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== before[name]))
}

const messageOf = (error: unknown): string =>
  error instanceof ApiError ? error.message : error instanceof Error ? error.message : 'Please try again.'
