import { useSuspenseQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { failureMessage } from '#client/api/api-error.ts'
import { serverNow } from '#client/api/server-clock.ts'
import { useForm } from '#client/ui/forms/use-form.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { accountQueries, type Shop } from '#features/accounts/client/public.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import { dayIn } from '#shared/time.ts'
import type { Campaign } from '#features/structure/contract.ts'
import { currentOf } from '../edit/current-of.ts'
import { useEdit } from '../edit/use-edit.ts'
import {
  beforeOf,
  campaignFormSchema,
  type CampaignValues,
  changesOf,
  fieldsRefused,
  valuesOf,
} from './campaign-form-values.ts'

const touched = (base: Campaign, values: Partial<Record<string, unknown>>): object => {
  const before: Record<string, unknown> = valuesOf(base)
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== before[name]))
}

// Saves what differs from the version edited, and leaves the page.
const useSave = () => {
  const router = useRouter()
  const { make } = useEdit('campaign', { silent: true })
  return async (values: CampaignValues, from: Campaign): Promise<void> => {
    const set = changesOf(from, values)
    if (Object.keys(set).length > 0) {
      const { id, version, name, currency } = from
      const edit = { kind: 'campaign' as const, id, version, name, set, was: beforeOf(from, set) }
      await make({ edit, told: 'Campaign saved', currency, href: `/campaign-edit/${from.amazonId}` })
    }
    router.history.back()
  }
}

/** What is typed of a campaign, on top of which version of it, and the other version where it was changed meanwhile. */
export const useCampaignForm = (campaign: Campaign, shop: Shop) => {
  const save = useSave()
  const [base, setBase] = useState(campaign)
  const [conflict, setConflict] = useState<Campaign | null>(null)
  const market = marketplaceById(shop.marketplaceId)
  const [today] = useState(() => dayIn(new Date(serverNow()), market?.timezone ?? 'UTC'))
  const { data: merchant } = useSuspenseQuery(accountQueries.currentMerchant())
  const advertiser = merchant?.accountType === 'VENDOR' ? 'vendor' : 'seller'
  const form = useForm({
    schema: campaignFormSchema(market, base, { today, advertiser }),
    initial: valuesOf(campaign),
    onSubmit: async values => {
      try {
        await save(values, base)
      } catch (error) {
        const current = currentOf(error)
        const fields = fieldsRefused(error)
        if (current) setConflict(current)
        else if (fields) form.setErrors(fields)
        else toast({ title: 'Failed to update campaign', message: failureMessage(error), tone: 'danger' })
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
  return { form, base, today, conflict, resolve }
}
