import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as v from 'valibot'
import { ApiError, failureMessage } from '#client/api/api-error.ts'
import { useOnline } from '#client/api/online.ts'
import { formatMoney } from '#client/ui/figures/format.ts'
import { useForm } from '#client/ui/forms/use-form.ts'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import { type Fields, fieldsOfRow } from '#shared/fields.ts'
import { adLimits } from '#shared/ad-limits.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import { ConflictCard, type ConflictLine } from '../form/conflict-card.tsx'
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
} from '../form/entity-form.tsx'
import { type FieldValue, fieldsOfKind, formatField } from '../form/field-labels.ts'
import { campaignQueries } from '../queries.ts'
import { failureTitles, type RowChanges, useEdit } from './use-edit.ts'

interface EditSheetProps {
  kind: 'campaign' | 'adGroup' | 'keyword' | 'target'
  row: { id: number; version: number; adType: string; currency: string; campaignId?: number; costType?: string | null }
  /** Values that apply where the row has none: the ad group's bid. */
  inherited?: Record<string, number | null>
  /** What the row is called. */
  name: string
  /** Which of its fields are edited. */
  names: readonly string[]
  title: string
  submitLabel: string
  /** What a notification says once it is saved: "Bid saved". */
  savedTitle: string
  shop: Shop
  /** Where the row is found. */
  href: string
  onClose: () => void
}

/** Changes some fields of one row, with what is worth knowing beside them. */
export function EditSheet(props: EditSheetProps) {
  const { kind, inherited = {}, name, names, title, submitLabel, savedTitle, shop, href, onClose } = props
  // The row as the user saw it: a newer one that comes in meanwhile must not be overwritten unseen.
  const [row, setRow] = useState(props.row)
  const [current, setCurrent] = useState<EditSheetProps['row'] | null>(null)
  const { id, version, currency } = row
  const { make } = useEdit(kind, { silent: true })
  const fields = fieldsOfRow(fieldsOfKind(kind), row)
  const market = marketplaceById(shop.marketplaceId)
  // What a click may cost, and the most that a bid may be, is the campaign's.
  const campaign = useQuery({
    ...campaignQueries.one(shop, String(row.campaignId)),
    enabled: row.campaignId !== undefined,
  }).data
  const costType = campaign?.costType ?? row.costType ?? null
  const limits = market && adLimits(market, { adType: row.adType, costType })
  const form = useForm({
    schema: formSchema(fields, amountChecks(limits, campaign?.costType === 'VCPM' ? null : campaign?.budget), names),
    initial: draftOf(fields, { ...row, ...inherited }),
    fieldOf: (detail, error) => names.find(field => rejectedFields(error)?.[field] === detail),
    onSubmit: async values => {
      const { set, was } = editOf<RowChanges[typeof kind]>(fields, row, values)
      const edit = { kind, id, version, name, set, was: { ...('bid' in set && inherited), ...was } }
      try {
        if (Object.keys(set).length) await make({ edit, title: savedTitle, currency, href })
      } catch (error) {
        const newer = newerRow(error)
        if (newer) setCurrent({ ...row, ...newer })
        else if (!rejectedFields(error))
          toast({ title: failureTitles[kind], message: failureMessage(error), tone: 'danger' })
        throw error
      }
      onClose()
    },
  })
  const choose = (now: EditSheetProps['row'], keepMine: boolean): void => {
    setRow(now)
    setCurrent(null)
    if (!keepMine) form.reset(draftOf(fields, { ...now, ...inherited }))
  }
  return (
    <Sheet open onClose={onClose} title={title}>
      {current && (
        <ConflictCard
          noun={nouns[kind]}
          lines={conflictLines(fields, names, form.values, current)}
          onChoose={keepMine => choose(current, keepMine)}
        />
      )}
      <form {...form.props}>
        <FieldInputs
          fields={fields}
          names={names}
          bind={form.field}
          currency={currency}
          hint={field => hintOf(field, form.values[field], limits, campaign)}
        />
        {(kind === 'keyword' || kind === 'target') &&
          (row.adType === 'SPONSORED_PRODUCTS' ? (
            <SuggestedBid id={id} shop={shop} onUse={form.field('bid').onChange} />
          ) : (
            <p className="suggested-bid">The marketplace suggests bids for Sponsored Products only.</p>
          ))}
        <Button type="submit" tone="primary" block disabled={current !== null} busy={form.busy} busyLabel="Saving…">
          {submitLabel}
        </Button>
      </form>
    </Sheet>
  )
}

const nouns = { campaign: 'campaign', adGroup: 'ad group', keyword: 'keyword', target: 'target' } as const

/** The row as it is now, when a change was rejected because somebody else changed it. */
function newerRow(error: unknown): EditSheetProps['row'] | null {
  const isConflict = error instanceof ApiError && error.code === 'VERSION_CONFLICT'
  const parsed = isConflict ? v.safeParse(v.looseObject({ version: v.number() }), error.extra.current) : null
  return parsed?.success ? (parsed.output as unknown as EditSheetProps['row']) : null
}

/** Of the fields in the sheet those that hold something else by now. */
function conflictLines(
  fields: Fields,
  names: readonly string[],
  values: Draft,
  current: EditSheetProps['row'],
): ConflictLine[] {
  const now = draftOf(fields, current)
  return inputFields(fields, names).flatMap(([name, field]) => {
    const [mine = null, theirs = null] = [values[name], now[name]]
    const text = (value: FieldValue): string => formatField(name, field, value, current.currency)
    return mine === theirs ? [] : [{ label: field.label, mine: text(mine), current: text(theirs) }]
  })
}

interface SuggestedBidProps {
  id: number
  shop: Shop
  onUse: (bid: number) => void
}

/** The bid that the marketplace suggests; typing one needs no answer to wait for. */
function SuggestedBid({ id, shop, onUse }: SuggestedBidProps) {
  const online = useOnline()
  const { data, isError, isFetching, refetch } = useQuery(campaignQueries.suggestedBid(shop, id))
  if (!data && !online) return <p className="suggested-bid">The suggested bid loads once you are online.</p>
  if (isError && !isFetching)
    return (
      <div className="suggested-bid" aria-live="polite">
        <span>The marketplace did not answer with its suggested bid.</span>
        <Button onClick={() => void refetch()}>Try again</Button>
      </div>
    )
  if (!data) return <output className="suggested-bid">Asking the marketplace for its suggested bid…</output>
  const { suggestion, currency } = data
  if (!suggestion) return <output className="suggested-bid">The marketplace suggests no bid for this.</output>
  const [low, bid, high] = [suggestion.lowBid, suggestion.bid, suggestion.highBid].map(one =>
    formatMoney(one, currency),
  )
  return (
    <div className="suggested-bid" aria-live="polite">
      <span>
        The marketplace suggests <strong>{bid}</strong> ({low} to {high}).
      </span>
      <Button onClick={() => onUse(suggestion.bid)}>
        Use<span className="visually-hidden"> {bid}</span>
      </Button>
    </div>
  )
}
