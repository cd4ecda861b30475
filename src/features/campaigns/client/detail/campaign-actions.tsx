import { Link } from '@tanstack/react-router'
import { archiveOutline, cashOutline, chevronForwardOutline, createOutline } from 'ionicons/icons'
import { useOnline } from '#client/api/online.ts'
import { formatPercent } from '#client/ui/figures/format.ts'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { RowMenu } from '#client/ui/lists/row-menu.tsx'
import { useSheetAddress } from '#client/ui/overlays/use-sheet-address.ts'
import { type Shop, useMayChange } from '#features/accounts/client/public.ts'
import { type Campaign, campaignFields } from '#features/structure/contract.ts'
import type { Placement } from '#shared/campaign-rules.ts'
import { useEditableRow } from '../edit/editable-row.tsx'
import { type FieldValue, formatField, placementLabels } from '../form/field-labels.ts'
import { RowStatus } from '../list/row-status.tsx'
import { BarActions } from './bar-actions.tsx'
import { BudgetSheet } from './budget-sheet.tsx'

const useCampaign = (stored: Campaign) =>
  useEditableRow('campaign', stored, ({ id, name }) => ({ name, href: `/campaigns?campaign=${id}` }))

/** What is done with a campaign most: on a phone in the bar at the bottom. Its budget is changed in a sheet of the address. */
export function CampaignActions({ stored, shop }: { stored: Campaign; shop: Shop }) {
  const mayChange = useMayChange()
  const { opened, open, close } = useSheetAddress('sheet')
  const { row, next, switchState } = useCampaign(stored)
  if (!next || !mayChange) return null
  return (
    <>
      <BarActions
        what="campaign"
        next={next}
        onSwitch={switchState}
        others={[
          { label: 'Budget', icon: cashOutline, onSelect: () => open({ sheet: 'budget' }) },
          { label: 'Edit', icon: createOutline, to: `/campaign-edit/${row.amazonId}` },
        ]}
      />
      {opened.sheet === 'budget' && <BudgetSheet row={row} shop={shop} onClose={close} />}
    </>
  )
}

/** What is done with a campaign once, if ever. */
export function CampaignMenu({ stored }: { stored: Campaign }) {
  const online = useOnline()
  const mayChange = useMayChange()
  const { row, next, archive } = useCampaign(stored)
  // What is for good is not left waiting for the network.
  if (!next || !mayChange || !online) return null
  return (
    <RowMenu
      name={row.name}
      actions={[{ label: 'Archive campaign…', icon: archiveOutline, tone: 'danger', onSelect: () => void archive() }]}
    />
  )
}

const lineFields = ['targetingType', 'tactic', 'biddingStrategy', 'targetAcos', 'endDate'] as const

// Short, since the line is one: the form says the rest.
function settingsOf(row: Campaign): string[] {
  const amount = (value: number): string => formatField('budget', campaignFields.budget, value, row.currency)
  const budget = [
    ...(row.budget === null ? [] : [`${amount(row.budget)} a day`]),
    ...(row.lifetimeBudget === null ? [] : [`${amount(row.lifetimeBudget)} for the whole run`]),
  ]
  const fields = lineFields.flatMap(name => {
    const value: FieldValue = row[name]
    if (value === null) return []
    const field = campaignFields[name]
    const text = formatField(name, field, value, row.currency)
    return [name === 'targetAcos' || name === 'endDate' ? `${field.label} ${text}` : text]
  })
  const raised = row.placements
    .filter(one => one.percentage !== 0)
    .map(({ placement, percentage }) => {
      const sign = percentage > 0 ? '+' : ''
      return `${placementLabels[placement as Placement] ?? placement} ${sign}${formatPercent(percentage)}`
    })
  return [...budget, ...fields, ...raised]
}

/** The settings of a campaign in one line, which leads to their form. */
export function CampaignSettings({ stored }: { stored: Campaign }) {
  const mayChange = useMayChange()
  const { row, note, next } = useCampaign(stored)
  const settings = settingsOf(row).join(' · ')
  const line = (
    <>
      <span className="visually-hidden">Settings: </span>
      <span className="row-status">
        <RowStatus state={row.state} syncState="SYNCED" syncError={null} />
      </span>
      <span className="settings-text">{settings}</span>
    </>
  )
  return (
    <>
      {next && mayChange ? (
        <Link to={`/campaign-edit/${row.amazonId}` as string} className="settings-line">
          {line}
          <Icon icon={chevronForwardOutline} />
        </Link>
      ) : (
        <div className="settings-line">{line}</div>
      )}
      {row.syncState === 'PENDING' && <p className="settings-sync">Being sent to the marketplace</p>}
      {note}
    </>
  )
}
