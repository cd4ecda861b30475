import '../campaigns.css'
import { fieldsOfRow } from '#shared/fields.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Page } from '#client/ui/ionic/page.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { type Shop, useShop } from '#features/accounts/client/public.ts'
import { type Campaign, campaignFields } from '#features/structure/contract.ts'
import { campaignQueries } from '../queries.ts'
import { PortfolioField } from '../bulk/portfolio-field.tsx'
import { OfflineNote, useWithPending } from '../edit/editable-row.tsx'
import type { ComponentProps } from 'react'
import { ChoiceCards } from '#client/ui/forms/choices.tsx'
import { NumberField } from '#client/ui/forms/number-field.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { Button } from '#client/ui/states/button.tsx'
import {
  choosesPlacements,
  type Placement,
  placementRange,
  placementsOf,
  settableStrategies,
  placements,
} from '#shared/campaign-rules.ts'
import { FieldInputs } from './entity-form.tsx'
import { formatField, placementLabels, strategies, type FieldValue, inputFields } from './field-labels.ts'
import { RowStatus } from '../list/row-status.tsx'
import { useCampaignForm, type CampaignDraft, campaignDraft } from './use-campaign-form.ts'

const route = getRouteApi('/dashboard/campaign-edit/$amazonId')

/** Name, budget, state and bidding of one campaign. */
export function CampaignEditPage() {
  const { amazonId } = route.useParams()
  const shop = useShop()
  const query = useQuery(campaignQueries.one(shop, amazonId))
  return (
    <Page title="Edit campaign" back="/campaigns">
      <OfflineNote />
      <QueryView
        query={query}
        loading={{ rows: 4, label: 'Loading the campaign' }}
        failedTitle="Failed to fetch campaign"
        notFound={<EmptyState title="There is no such campaign" hint="It may belong to another marketplace." />}
        empty={({ state, name }) =>
          state === 'ARCHIVED' && <EmptyState title={name} hint="An archived campaign cannot be changed." />
        }
      >
        {/* A newer row from elsewhere does not disturb what is being typed: the server compares versions. */}
        {campaign => <CampaignForm key={campaign.id} campaign={campaign} shop={shop} />}
      </QueryView>
    </Page>
  )
}

interface ConflictCardProps {
  mine: CampaignDraft
  theirs: Campaign
  onChoose: (keepMine: boolean) => void
}

const percent = (value: FieldValue): string => `${value ?? '–'}%`

/** Somebody else changed the campaign: what differs, both ways, and the choice. */
function ConflictCard({ mine, theirs, onChoose }: ConflictCardProps) {
  const current = campaignDraft(theirs)
  const lines = [
    ...inputFields(fieldsOfRow(campaignFields, theirs)).map(([name, field]) => ({
      name,
      label: field.label,
      format: (value: FieldValue) => formatField(name, field, value, theirs.currency),
    })),
    ...placements.map(name => ({ name, label: placementLabels[name], format: percent })),
  ].filter(({ name }) => mine[name] !== current[name])
  return (
    <Card title="This campaign was changed in the meantime">
      <div aria-live="assertive">
        <table className="conflict">
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">Field</span>
              </th>
              <th scope="col">Yours</th>
              <th scope="col">Now</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ name, label, format }) => (
              <tr key={name}>
                <th scope="row">{label}</th>
                <td>{format(mine[name] ?? null)}</td>
                <td>{format(current[name] ?? null)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {lines.length === 0 && <p>It is now as you wanted it.</p>}
      </div>
      <div className="detail-actions">
        <Button onClick={() => onChoose(true)}>Keep mine</Button>
        <Button onClick={() => onChoose(false)}>Use the current version</Button>
      </div>
    </Card>
  )
}

// A strategy that cannot be set here is shown while it is the current one.
function strategiesFor({ adType, biddingStrategy }: Campaign) {
  const settable = settableStrategies(adType).map(value => ({ value: value as string, ...strategies[value] }))
  if (biddingStrategy === null || settable.some(one => one.value === biddingStrategy)) return settable
  const hint = 'Set at the marketplace. Leave it selected to keep it.'
  const current = { hint, ...(strategies as Record<string, { hint: string } | undefined>)[biddingStrategy] }
  const label = formatField('biddingStrategy', campaignFields.biddingStrategy, biddingStrategy, '')
  return [...settable, { ...current, value: biddingStrategy, label }]
}

/** The form of one campaign, with the edits that are pending. When it was changed meanwhile, both versions are shown and the user chooses. */
function CampaignForm({ campaign, shop }: { campaign: Campaign; shop: Shop }) {
  const { shown } = useWithPending('campaign', campaign)
  const { form, base, today, conflict, resolve } = useCampaignForm(shown, shop)
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
            fields={fieldsOfRow(campaignFields, base)}
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
                  {!choosesPlacements(String(form.values.biddingStrategy)) && (
                    <PlacementInputs adType={base.adType} field={form.field} />
                  )}
                </>
              ),
              // Campaigns of other ad types are moved in the marketplace's console.
              portfolioId: base.adType === 'SPONSORED_PRODUCTS' ? <PortfolioInput field={form.field} /> : <></>,
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
    </>
  )
}

function PortfolioInput({ field }: { field: (name: 'portfolioId') => object }) {
  // A word of the table is a text in the form.
  const bound = field('portfolioId') as Omit<ComponentProps<typeof PortfolioField>, 'label'>
  return <PortfolioField label={campaignFields.portfolioId.label} {...bound} />
}

interface PlacementInputsProps {
  adType: string
  field: (
    placement: Placement,
  ) => Pick<ComponentProps<typeof NumberField>, 'name' | 'value' | 'error' | 'onChange' | 'onBlur'>
}

/** How much higher a campaign bids at each placement that its ad type has. */
function PlacementInputs({ adType, field }: PlacementInputsProps) {
  const { least, most } = placementRange(adType)
  return (
    <fieldset className="placements">
      <legend>{least < 0 ? 'Bid more or less by placement' : 'Bid more by placement'}</legend>
      <p className="field-help">
        On top of each bid, from {least} to {most}%.
      </p>
      {placementsOf(adType).map(placement => (
        <NumberField key={placement} label={placementLabels[placement]} digits={0} suffix="%" {...field(placement)} />
      ))}
    </fieldset>
  )
}
