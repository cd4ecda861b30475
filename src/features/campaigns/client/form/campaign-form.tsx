import { useSuspenseQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type ComponentProps, useState } from 'react'
import * as v from 'valibot'
import { serverNow } from '#client/api/server-clock.ts'
import { Card } from '#client/ui/lists/card.tsx'
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
import { amountChecks, type Draft, draftOf, editOf, FieldInputs, formSchema, hintOf } from './entity-form.tsx'
import { type FieldValue, placementLabels } from './field-labels.ts'
import { conflictLines, useRowForm } from './use-row-form.ts'

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

const percent = (value: FieldValue): string => `${value ?? '–'}%`

/** What the form and the row as it is now have different. */
function differences(mine: Draft, current: Campaign): ConflictLine[] {
  const theirs: Draft = campaignDraft(current)
  const { currency } = current
  return [
    ...conflictLines(fieldsOfRow(campaignFields, current), { mine, theirs, currency }),
    ...placements
      .filter(name => mine[name] !== theirs[name])
      .map(name => ({
        label: placementLabels[name],
        mine: percent(mine[name] ?? null),
        current: percent(theirs[name] ?? null),
      })),
  ]
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
  const market = marketplaceById(shop.marketplaceId)
  const [today] = useState(() => dayIn(new Date(serverNow()), market?.timezone ?? 'UTC'))
  const { data: merchant } = useSuspenseQuery(accountQueries.currentMerchant())
  const advertiser = merchant?.accountType === 'VENDOR' ? 'vendor' : 'seller'
  const limitsOf = (base: Campaign) => market && adLimits(market, { ...base, advertiser })
  const schemaOf = (base: Campaign) => {
    const fields = formFields(base, today)
    const checked = formSchema(fields, {
      name: (name: string) => (name === base.name ? null : nameLengthProblem(name, advertiser)),
      ...amountChecks(limitsOf(base)),
      startDate: (day: string) => (day === base.startDate ? null : startDateProblem(day, base, null, today)),
      // Against a first day that may change with it the server checks it.
      endDate: (day: string) =>
        day === (base.endDate ?? '')
          ? null
          : endDateProblem(day || null, fields.startDate ? null : base.startDate, today),
    })
    return v.object({ ...checked.entries, ...forPlacements(() => placementPercent(placementRange(base.adType))) })
  }
  const rowForm = useRowForm({
    kind: 'campaign',
    row: campaign,
    draftOf: campaignDraft,
    schemaOf,
    readCurrent: current => (v.is(campaignSchema, current) ? current : null),
    save,
  })
  const { base } = rowForm
  return { ...rowForm, fields: formFields(base, today), limits: limitsOf(base), today }
}

/** The form of one campaign, with the edits that are pending. When it was changed meanwhile, both versions are shown and the user chooses. */
export function CampaignForm({ campaign, shop }: { campaign: Campaign; shop: Shop }) {
  const { shown } = useWithPending('campaign', campaign)
  const { form, fields, base, today, limits, conflict, resolve } = useCampaignForm(shown, shop)
  return (
    <div className="campaign-form">
      {conflict && <ConflictCard noun="campaign" lines={differences(form.values, conflict)} onChoose={resolve} />}
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
