import { useState } from 'react'
import { failureMessage } from '#client/api/api-error.ts'
import { useOnline } from '#client/api/online.ts'
import { CheckField } from '#client/ui/forms/choices.tsx'
import { MoneyField } from '#client/ui/forms/number-field.tsx'
import { Segment } from '#client/ui/forms/segment.tsx'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { useShop } from '#features/accounts/client/public.ts'
import type { Harvested } from '#features/search-terms/contract.ts'
import type { AdGroupRow } from '../../contract.ts'
import { matchWords } from '../form/field-labels.ts'
import { ActLine, outcomeNote } from '../negatives/previewed-negatives.tsx'
import { AdGroupPicker, type PickedCampaign } from './ad-group-picker.tsx'
import { type HarvestRow, useHarvestBids } from './harvest-bids.ts'
import { termsText, useHarvest } from './harvest-send.ts'

const matches = [
  { value: 'EXACT', label: 'Exact' },
  { value: 'PHRASE', label: 'Phrase' },
  { value: 'BROAD', label: 'Broad' },
] as const
type Match = (typeof matches)[number]['value']
const undoMs = 15_000

// Automatic campaigns take no keywords; Display has none.
const takesKeywords = ({ adType, targetingType }: PickedCampaign): boolean =>
  adType !== 'SPONSORED_DISPLAY' && targetingType !== 'AUTO'

interface HarvestSheetProps {
  rows: readonly HarvestRow[]
  onClose: () => void
  onDone: () => void
}

/** Makes keywords of search terms, at the suggested bid, and keeps the terms away from where they came in. */
export function HarvestSheet({ rows, onClose, onDone }: HarvestSheetProps) {
  const online = useOnline()
  const shop = useShop()
  const [adGroup, setAdGroup] = useState<AdGroupRow | null>(null)
  const [matchType, setMatchType] = useState<Match>('EXACT')
  const [negate, setNegate] = useState(true)
  const [outcomes, setOutcomes] = useState<Harvested['outcomes'] | null>(null)
  const { harvest, undoHarvest } = useHarvest()
  const bids = useHarvestBids(shop, rows, adGroup)
  const [first] = rows
  // Products that the user names came in nowhere.
  const isNamed = rows.every(({ source }) => source === null)

  const submit = async (): Promise<void> => {
    if (!adGroup) return
    const items = rows.map((row, place) => ({
      term: row.term,
      sourceAdGroupId: row.source?.adGroupId ?? adGroup.id,
      adGroupId: adGroup.id,
      matchType,
      bid: bids.bidOf(row, place),
      // In its own ad group a negative would stop the new keyword.
      negateInSource: negate && row.source !== null && row.source.adGroupId !== adGroup.id,
    }))
    const sent = await harvest.mutateAsync({ items, adGroup }).catch(() => undefined)
    if (sent === undefined) return
    if (sent === null) {
      onDone()
      return onClose()
    }
    const { answer } = sent
    const created = answer.outcomes.filter(({ status }) => status === 'CREATED').length
    onDone()
    if (created)
      toast({
        title: isNamed ? 'Target added' : created === 1 ? 'Term harvested' : `${created} terms harvested`,
        message: `Into ${adGroup.name} · ${adGroup.campaignName}`,
        tone: 'success',
        durationMs: undoMs,
        action: { label: 'Undo', onSelect: () => void undoHarvest(answer) },
      })
    if (created === rows.length) return onClose()
    setOutcomes(answer.outcomes)
  }
  const what = termsText(rows.length)
  return (
    <Sheet
      open
      title={isNamed ? `Target ${first?.term}` : rows.length === 1 ? `Harvest “${first?.term}”` : `Harvest ${what}`}
      onClose={onClose}
      footer={
        outcomes ? (
          <Button tone="primary" onClick={onClose}>
            Close
          </Button>
        ) : (
          <Button
            tone="primary"
            busy={harvest.isPending}
            busyLabel={isNamed ? 'Adding…' : 'Harvesting…'}
            disabled={!adGroup || !bids.areReady}
            onClick={() => void submit()}
          >
            {`${isNamed ? 'Add target' : `Harvest ${what}`}${online ? '' : ' once online'}`}
          </Button>
        )
      }
    >
      {!outcomes && (
        <>
          <AdGroupPicker
            shop={shop}
            label={isNamed ? 'Ad group that gets the target' : 'Ad group that gets the keywords'}
            value={adGroup}
            onChange={setAdGroup}
            isEligible={takesKeywords}
            help={`${isNamed ? 'Targets' : 'Keywords'} need an ad group of a campaign with manual targeting.`}
            {...(first?.source && { near: { id: first.source.campaignId, name: first.source.campaignName } })}
          />
          {rows.some(row => row.kind === 'TERM') && (
            <Segment label="Match type" value={matchType} options={matches} onChange={setMatchType} />
          )}
          {!isNamed && (
            <CheckField
              label="Negative exact in the source"
              help="The new keyword alone gets the search. The negative is sent once the keyword is accepted."
              checked={negate}
              onChange={setNegate}
            />
          )}
          {adGroup && <p className="act-summary">{summaryOf(rows, adGroup, matchType, negate)}</p>}
          {!online && <p aria-live="polite">You are offline: it is sent once you are online, at the bids below.</p>}
          {bids.error && (
            <p className="field-help">
              No suggested bids: {failureMessage(bids.error)} The default bid of the ad group is filled in.
            </p>
          )}
        </>
      )}
      <ul className="act-lines" aria-label="Terms to harvest">
        {rows.map((row, place) => (
          <ActLine
            key={row.id}
            name={row.kind === 'PRODUCT' ? row.term.toUpperCase() : row.term}
            detail={row.source ? `${row.source.campaignName} · ${row.source.adGroupName}` : undefined}
            note={outcomes ? outcomeNote(outcomes[place] ?? { status: 'INVALID', message: null }) : coveredNote(row)}
          >
            {!outcomes && adGroup && (
              <MoneyField
                label={rows.length === 1 ? 'Bid' : `Bid for ${row.term}`}
                name={`bid-${place}`}
                currency={row.currency}
                {...bids.fieldOf(row, place, adGroup)}
              />
            )}
          </ActLine>
        ))}
      </ul>
    </Sheet>
  )
}

function coveredNote({ coverage, coveredBy }: HarvestRow) {
  if (coverage !== 'KEYWORD' || !coveredBy) return null
  return { tone: 'accent', text: `There is an exact keyword for it already, in ${coveredBy.campaignName}.` } as const
}

/** What will happen, in one sentence. */
function summaryOf(rows: readonly HarvestRow[], adGroup: AdGroupRow, match: Match, negate: boolean): string {
  const products = rows.filter(row => row.kind === 'PRODUCT').length
  const words = rows.length - products
  const parts = [
    words > 0 && `${words} ${matchWords(match).toLowerCase()} ${words === 1 ? 'keyword' : 'keywords'}`,
    products > 0 && `${products} product ${products === 1 ? 'target' : 'targets'}`,
  ].filter(Boolean)
  const sources = new Set(
    rows.flatMap(({ source }) => (source && source.adGroupId !== adGroup.id ? [source.adGroupId] : [])),
  ).size
  const negated = negate && sources > 0
  const where = sources === 1 ? 'its ad group so far' : `the ${sources} ad groups so far`
  const own = negate && rows.some(({ source }) => source?.adGroupId === adGroup.id)
  return `“${adGroup.name}” gets ${parts.join(' and ')}${negated ? `, and ${where} ${sources === 1 ? 'no longer shows' : 'no longer show'} ads for ${rows.length === 1 ? 'the term' : 'the terms'}` : ''}.${own ? ' A term that came from this ad group itself is not negated there.' : ''}`
}
