import { useQuery } from '@tanstack/react-query'
import * as v from 'valibot'
import { useOnline } from '#client/api/online.ts'
import { formatMoney } from '#client/ui/figures/format.ts'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import { fieldsOfRow } from '#shared/fields.ts'
import { adLimits } from '#shared/ad-limits.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import { ConflictCard } from '../form/conflict-card.tsx'
import { amountChecks, draftOf, editOf, FieldInputs, formSchema, hintOf } from '../form/entity-form.tsx'
import { fieldsOfKind } from '../form/field-labels.ts'
import { conflictLines, useRowForm } from '../form/use-row-form.ts'
import { campaignQueries } from '../queries.ts'
import { type RowChanges, useEdit } from './use-edit.ts'

interface EditedRow {
  id: number
  version: number
  adType: string
  currency: string
  campaignId?: number
  costType?: string | null
}

interface EditSheetProps {
  kind: 'campaign' | 'adGroup' | 'keyword' | 'target'
  row: EditedRow
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
  const { make } = useEdit(kind, { silent: true })
  const market = marketplaceById(shop.marketplaceId)
  const { campaignId } = props.row
  // What a click may cost, and the most that a bid may be, is the campaign's.
  const campaign = useQuery({
    ...campaignQueries.one(shop, String(campaignId)),
    enabled: campaignId !== undefined,
  }).data
  const fieldsOf = (row: EditedRow) => fieldsOfRow(fieldsOfKind(kind), row)
  const limitsOf = (row: EditedRow) =>
    market && adLimits(market, { adType: row.adType, costType: campaign?.costType ?? row.costType ?? null })
  const shownDraft = (row: EditedRow) => draftOf(fieldsOf(row), { ...row, ...inherited })
  const {
    form,
    base: row,
    conflict,
    resolve,
  } = useRowForm({
    kind,
    row: props.row,
    draftOf: shownDraft,
    schemaOf: base => {
      const budget = campaign?.costType === 'VCPM' ? null : campaign?.budget
      return formSchema(fieldsOf(base), amountChecks(limitsOf(base), budget), names)
    },
    readCurrent: (current, base) => (v.is(versioned, current) ? { ...base, ...current } : null),
    save: async (values, base) => {
      const { id, version, currency } = base
      const { set, was } = editOf<RowChanges[typeof kind]>(fieldsOf(base), base, values)
      const edit = { kind, id, version, name, set, was: { ...('bid' in set && inherited), ...was } }
      if (Object.keys(set).length) await make({ edit, title: savedTitle, currency, href })
      onClose()
    },
  })
  const { currency } = row
  return (
    <Sheet open onClose={onClose} title={title}>
      {conflict && (
        <ConflictCard
          noun={nouns[kind]}
          lines={conflictLines(fieldsOf(conflict), {
            mine: form.values,
            theirs: shownDraft(conflict),
            currency,
            names,
          })}
          onChoose={resolve}
        />
      )}
      <form {...form.props}>
        <FieldInputs
          fields={fieldsOf(row)}
          names={names}
          bind={form.field}
          currency={currency}
          hint={field => hintOf(field, form.values[field], limitsOf(row), campaign)}
        />
        {(kind === 'keyword' || kind === 'target') &&
          (row.adType === 'SPONSORED_PRODUCTS' ? (
            <SuggestedBid id={row.id} shop={shop} onUse={form.field('bid').onChange} />
          ) : (
            <p className="suggested-bid">The marketplace suggests bids for Sponsored Products only.</p>
          ))}
        <Button type="submit" tone="primary" block disabled={conflict !== null} busy={form.busy} busyLabel="Saving…">
          {submitLabel}
        </Button>
      </form>
    </Sheet>
  )
}

const versioned = v.looseObject({ version: v.number() })

const nouns = { campaign: 'campaign', adGroup: 'ad group', keyword: 'keyword', target: 'target' } as const

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
