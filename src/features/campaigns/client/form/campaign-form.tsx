import { useSuspenseQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type ComponentProps, useState } from 'react'
import * as v from 'valibot'
import { ApiError, failureMessage } from '#client/api/api-error.ts'
import { serverNow } from '#client/api/server-clock.ts'
import { useForm } from '#client/ui/forms/use-form.ts'
import { Card } from '#client/ui/lists/card.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { accountQueries, type Shop } from '#features/accounts/client/public.ts'
import {
  type Campaign,
  campaign as campaignSchema,
  campaignFields,
  type Changes,
  placementPercent,
} from '#features/structure/contract.ts'
import {
  endDateProblem,
  isStartEditable,
  nameLengthProblem,
  type Placement,
  placementRange,
  placements,
  settableStrategies,
  startDateProblem,
} from '#shared/campaign-rules.ts'
import { type Fields, fieldsOfRow } from '#shared/fields.ts'
import { adLimits } from '#shared/ad-limits.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import { dayIn } from '#shared/time.ts'
import { PortfolioField } from '../bulk/portfolio-field.tsx'
import { useWithPending } from '../edit/editable-row.tsx'
import { useEdit } from '../edit/use-edit.ts'
import { RowStatus } from '../list/row-status.tsx'
import { adjustedPlacements, BiddingInputs, type CampaignDraft } from './bidding-inputs.tsx'
import { ConflictCard, type ConflictLine } from './conflict-card.tsx'
import {
  amountChecks,
  type Draft,
  draftOf,
  editOf,
  FieldInputs,
  formSchema,
  hintOf,
  inputFields,
  rejectedFields,
} from './entity-form.tsx'
import { type FieldValue, formatField, placementLabels } from './field-labels.ts'

const percentOf = (campaign: Pick<Campaign, 'placements'>, placement: Placement): number =>
  campaign.placements.find(one => one.placement === placement)?.percentage ?? 0

function forPlacements<T>(valueOf: (placement: Placement) => T): Record<Placement, T> {
  return Object.fromEntries(placements.map(placement => [placement, valueOf(placement)])) as Record<Placement, T>
}

/** A campaign as the form shows it at first. */
function campaignDraft(campaign: Campaign): CampaignDraft {
  return {
    ...draftOf(fieldsOfRow(campaignFields, campaign), campaign),
    ...forPlacements(placement => percentOf(campaign, placement)),
  }
}

/** The change that a form asks for, and what the same fields held before. */
function campaignEdit(from: Campaign, values: Record<string, unknown>) {
  const edit = editOf<Changes['campaign']>(campaignFields, from, { ...values, placements: adjustedPlacements(values) })
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

const percent = (value: FieldValue): string => `${value ?? '–'}%`

/** What the form and the row as it is now have different. */
function conflictLines(mine: Draft, theirs: Campaign): ConflictLine[] {
  const current: Draft = campaignDraft(theirs)
  const lines = [
    ...inputFields(fieldsOfRow(campaignFields, theirs)).map(([name, field]) => ({
      name,
      label: field.label,
      format: (value: FieldValue) => formatField(name, field, value, theirs.currency),
    })),
    ...placements.map(name => ({ name, label: placementLabels[name], format: percent })),
  ].filter(({ name }) => mine[name] !== current[name])
  return lines.map(({ name, label, format }) => ({
    label,
    mine: format(mine[name] ?? null),
    current: format(current[name] ?? null),
  }))
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

/** The fields that the form of a campaign has; its first day until it has come. */
function formFields(campaign: Campaign, today: string): Fields {
  const fields = Object.entries(fieldsOfRow(campaignFields, campaign))
  return Object.fromEntries(fields.filter(([name]) => name !== 'startDate' || isStartEditable(campaign, today)))
}

/** The state of a campaign's form, the version that it changes, and the other version after a conflict. */
function useCampaignForm(campaign: Campaign, shop: Shop) {
  const save = useSave()
  const [base, setBase] = useState(campaign)
  const [conflict, setConflict] = useState<Campaign | null>(null)
  const market = marketplaceById(shop.marketplaceId)
  const [today] = useState(() => dayIn(new Date(serverNow()), market?.timezone ?? 'UTC'))
  const { data: merchant } = useSuspenseQuery(accountQueries.currentMerchant())
  const advertiser = merchant?.accountType === 'VENDOR' ? 'vendor' : 'seller'
  const limits = market && adLimits(market, { ...base, advertiser })
  const fields = formFields(base, today)
  const checked = formSchema(fields, {
    name: (name: string) => (name === base.name ? null : nameLengthProblem(name, advertiser)),
    ...amountChecks(limits),
    startDate: (day: string) => (day === base.startDate ? null : startDateProblem(day, base, null, today)),
    // Against a first day that may change with it the server checks it.
    endDate: (day: string) =>
      day === (base.endDate ?? '')
        ? null
        : endDateProblem(day || null, fields.startDate ? null : base.startDate, today),
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
  return { form, fields, base, today, limits, conflict, resolve }
}

/** The form of one campaign, with the edits that are pending. When it was changed meanwhile, both versions are shown and the user chooses. */
export function CampaignForm({ campaign, shop }: { campaign: Campaign; shop: Shop }) {
  const { shown } = useWithPending('campaign', campaign)
  const { form, fields, base, today, limits, conflict, resolve } = useCampaignForm(shown, shop)
  return (
    <div className="campaign-form">
      {conflict && (
        <ConflictCard
          noun="campaign"
          lines={conflictLines(form.values, conflict)}
          onChoose={keepMine => resolve(conflict, keepMine)}
        />
      )}
      <Card>
        <div className="row-status">
          <RowStatus {...base} />
        </div>
        <form {...form.props}>
          <FieldInputs
            fields={fields}
            bind={form.field}
            currency={base.currency}
            today={today}
            hint={name => hintOf(name, form.values[name], limits)}
            own={{
              biddingStrategy: (
                <BiddingInputs
                  campaign={base}
                  strategy={form.field('biddingStrategy')}
                  field={form.field}
                  values={form.values}
                  shop={shop}
                />
              ),
              portfolioId: <PortfolioInput field={form.field} />,
            }}
          />
          <div className="form-save">
            <Button
              type="submit"
              tone="primary"
              block
              busy={form.busy}
              busyLabel="Saving…"
              disabled={conflict !== null}
            >
              Save changes
            </Button>
          </div>
        </form>
      </Card>
    </div>
  )
}

function PortfolioInput({ field }: { field: (name: 'portfolioId') => object }) {
  // A word of the table is a text in the form.
  const bound = field('portfolioId') as Omit<ComponentProps<typeof PortfolioField>, 'label'>
  return <PortfolioField label={campaignFields.portfolioId.label} {...bound} />
}
