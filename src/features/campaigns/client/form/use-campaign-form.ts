import { useSuspenseQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import * as v from 'valibot'
import { ApiError, failureMessage } from '#client/api/api-error.ts'
import { serverNow } from '#client/api/server-clock.ts'
import { useForm } from '#client/ui/forms/use-form.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { accountQueries, type Shop } from '#features/accounts/client/public.ts'
import {
  type Campaign,
  campaign as campaignSchema,
  campaignFields,
  type Changes,
  placementPercent,
} from '#features/structure/contract.ts'
import {
  choosesPlacements,
  dailyBudgetProblem,
  endDateProblem,
  nameLengthProblem,
  type Placement,
  placementRange,
  placements,
  settableStrategies,
} from '#shared/campaign-rules.ts'
import { fieldsOfRow } from '#shared/fields.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import { dayIn } from '#shared/time.ts'
import { useEdit } from '../edit/use-edit.ts'
import { type Draft, draftOf, editOf, formSchema, rejectedFields } from './entity-form.tsx'

/** What the form holds: the fields of a campaign, and the percentage of each placement under its name. */
export type CampaignDraft = Draft & Record<Placement, number | null>

const percentOf = (campaign: Pick<Campaign, 'placements'>, placement: Placement): number =>
  campaign.placements.find(one => one.placement === placement)?.percentage ?? 0

const forPlacements = <T>(valueOf: (placement: Placement) => T) =>
  Object.fromEntries(placements.map(placement => [placement, valueOf(placement)])) as Record<Placement, T>

/** A campaign as the form shows it at first. */
export function campaignDraft(campaign: Campaign): CampaignDraft {
  return {
    ...draftOf(fieldsOfRow(campaignFields, campaign), campaign),
    ...forPlacements(placement => percentOf(campaign, placement)),
  }
}

/** The change that a form asks for, and what the same fields held before. */
function campaignEdit(from: Campaign, values: Record<string, unknown>) {
  const raised = placements.flatMap(placement => {
    const percentage = Number(values[placement])
    return percentage === 0 ? [] : [{ placement, percentage }]
  })
  const adjusted = choosesPlacements(String(values['biddingStrategy'])) ? [] : raised
  const edit = editOf<Changes['campaign']>(campaignFields, from, { ...values, placements: adjusted })
  const isRestorable = settableStrategies(from.adType).some(strategy => strategy === edit.was.biddingStrategy)
  const { biddingStrategy: _, ...was } = edit.was
  return { set: edit.set, was: isRestorable ? edit.was : was }
}

/** The row as it is now, when a change was rejected because it is no longer what the user saw. */
function currentOf(error: unknown): Campaign | null {
  if (!(error instanceof ApiError) || error.code !== 'VERSION_CONFLICT') return null
  const parsed = v.safeParse(campaignSchema, error.extra.current)
  return parsed.success ? parsed.output : null
}

function changedValues(base: Campaign, values: CampaignDraft): object {
  const before = campaignDraft(base)
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== before[name]))
}

// Saves what differs from the version edited, and leaves the page.
function useSave() {
  const router = useRouter()
  const { make } = useEdit('campaign', { silent: true })
  return async (values: Record<string, unknown>, from: Campaign): Promise<void> => {
    const changes = campaignEdit(from, values)
    if (Object.keys(changes.set).length > 0) {
      const { id, version, name, currency } = from
      const edit = { kind: 'campaign' as const, id, version, name, ...changes }
      await make({ edit, title: 'Campaign saved', currency, href: `/campaign-edit/${from.amazonId}` })
    }
    router.history.back()
  }
}

/** The state of a campaign's form, the version that it changes, and the other version after a conflict. */
export function useCampaignForm(campaign: Campaign, shop: Shop) {
  const save = useSave()
  const [base, setBase] = useState(campaign)
  const [conflict, setConflict] = useState<Campaign | null>(null)
  const market = marketplaceById(shop.marketplaceId)
  const [today] = useState(() => dayIn(new Date(serverNow()), market?.timezone ?? 'UTC'))
  const { data: merchant } = useSuspenseQuery(accountQueries.currentMerchant())
  const advertiser = merchant?.accountType === 'VENDOR' ? 'vendor' : 'seller'
  const checked = formSchema(fieldsOfRow(campaignFields, base), {
    name: (name: string) => (name === base.name ? null : nameLengthProblem(name, advertiser)),
    budget: (budget: number) => (market ? dailyBudgetProblem(budget, market) : null),
    endDate: (day: string) =>
      day === (base.endDate ?? '') ? null : endDateProblem(day || null, base.startDate, today),
  })
  const form = useForm({
    schema: v.object({ ...checked.entries, ...forPlacements(() => placementPercent(placementRange(base.adType))) }),
    initial: campaignDraft(campaign),
    onSubmit: async values => {
      try {
        await save(values, base)
      } catch (error) {
        const current = currentOf(error)
        const rejected = rejectedFields(error)
        if (current) setConflict(current)
        else if (rejected) form.setErrors(rejected)
        else toast({ title: 'Failed to update campaign', message: failureMessage(error), tone: 'danger' })
        throw error
      }
    },
  })
  const resolve = (current: Campaign, keepMine: boolean): void => {
    // Fields that the user did not touch take the other's values either way.
    const mine = { ...campaignDraft(current), ...(keepMine && changedValues(base, form.values)) }
    setBase(current)
    setConflict(null)
    form.reset(mine)
  }
  return { form, base, today, conflict, resolve }
}
