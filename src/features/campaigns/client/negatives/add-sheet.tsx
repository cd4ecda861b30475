import './negatives.css'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { failureMessage } from '#client/api/api-error.ts'
import { useOnline } from '#client/api/online.ts'
import { formatNumber } from '#client/ui/figures/format.ts'
import { TextField } from '#client/ui/forms/fields.tsx'
import { Segment } from '#client/ui/forms/segment.tsx'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type { NegativeMatchType } from '#shared/keyword-rules.ts'
import type { Shop } from '#features/accounts/client/public.ts'
import { matchWords } from '../form/field-labels.ts'
import { negativeMatches, negativeMatchHelp } from './negate-sheet.tsx'
import { type NegativeDraft, type NegativeOutcome, negativesPreview } from './negative-drafts.ts'
import { type PastedKind, pastedNegatives } from './pasted-negatives.ts'
import { type Place, PlaceField, usePreset } from './place-field.tsx'
import { ActLine, Blocked, outcomeNote, previewNote, uncheckedNote } from './previewed-negatives.tsx'
import { useNegatives } from './use-negatives.ts'

const kinds = [
  { value: 'KEYWORD', label: 'Keywords' },
  { value: 'ASIN_SAME_AS', label: 'Products' },
  { value: 'ASIN_BRAND_SAME_AS', label: 'Brands' },
] as const
const pasteHelp: Record<PastedKind, string> = {
  KEYWORD: 'One per line, comma-separated, or spreadsheet columns: keyword, match type.',
  ASIN_SAME_AS: 'ASINs or links to product pages, one per line or comma-separated.',
  ASIN_BRAND_SAME_AS: 'The marketplace’s ids of brands, one per line or comma-separated.',
}
const shownProblems = 50

interface AddNegativesSheetProps {
  shop: Shop
  /** Where they are to hold, when the list says so already. */
  campaignId: number | undefined
  adGroupId: number | undefined
  /** What is written already. */
  initial?: { text: string; kind: PastedKind }
  onClose: () => void
}

/** Adds a pasted list of negatives: written, then checked against what runs, then added, each with its outcome. */
export function AddNegativesSheet({ shop, campaignId, adGroupId, initial, onClose }: AddNegativesSheetProps) {
  const online = useOnline()
  const [place, setPlace] = useState<Place>({ campaign: null, adGroupId: adGroupId ?? null })
  const [pasted, setPasted] = useState(initial?.text ?? '')
  const [kind, setKind] = useState<PastedKind>(initial?.kind ?? 'KEYWORD')
  const [matchType, setMatchType] = useState<NegativeMatchType>('NEGATIVE_EXACT')
  const [checked, setChecked] = useState<NegativeDraft[] | null>(null)
  const [outcomes, setOutcomes] = useState<NegativeOutcome[] | null>(null)
  const { add, isAdding } = useNegatives()
  const entries = pastedNegatives(useDeferredValue(pasted), kind, matchType)
  const good = entries.filter(({ problem }) => problem === null)
  const preview = useQuery({
    ...negativesPreview(shop, checked ?? []),
    enabled: online && checked !== null && !outcomes,
  })
  const items = preview.data?.items ?? []
  // What cannot be checked without network is judged by the server once it is sent.
  const isUnchecked = !online && !preview.data
  const news = checked?.filter((_, index) => isUnchecked || items[index]?.status === 'NEW') ?? []
  const stops = items.some(({ status, blockedCount }) => status === 'NEW' && blockedCount > 0)
  const preset = usePreset(shop, campaignId, adGroupId)
  const campaign = place.campaign ?? preset
  const isPlaced = campaign !== null && (campaign.adType !== 'SPONSORED_BRANDS' || place.adGroupId !== null)

  const check = (): void => {
    if (!campaign) return
    setChecked(
      good.map(({ text, matchType: match, targetType }) => ({
        adType: campaign.adType,
        campaignId: campaign.id,
        adGroupId: place.adGroupId,
        text,
        matchType: match,
        ...(targetType && { targetType }),
      })),
    )
  }
  const submit = async (): Promise<void> => {
    const answer = await add(news).catch(() => null)
    if (!answer) return
    if (answer.every(({ status }) => status === 'WAITS')) return onClose()
    const rest = answer[Symbol.iterator]()
    setOutcomes(
      news.length === checked?.length
        ? answer
        : items.map(({ status, message }) =>
            status === 'NEW'
              ? (rest.next().value ?? { status: 'INVALID', id: null, message: null })
              : { status, id: null, message },
          ),
    )
  }
  return (
    <Sheet
      open
      title="Add negatives"
      onClose={onClose}
      footer={
        outcomes ? (
          <Button tone="primary" onClick={onClose}>
            Close
          </Button>
        ) : checked ? (
          <>
            <Button onClick={() => setChecked(null)} disabled={isAdding}>
              Back
            </Button>
            <Button
              tone="primary"
              busy={isAdding}
              busyLabel="Adding…"
              disabled={!news.length}
              onClick={() => void submit()}
            >
              {`Add ${count(news.length)}${isUnchecked ? ' once online' : stops ? ' anyway' : ''}`}
            </Button>
          </>
        ) : (
          <Button tone="primary" disabled={!isPlaced || !good.length} onClick={check}>
            {good.length ? `Check ${count(good.length)}` : 'Check'}
          </Button>
        )
      }
    >
      {isUnchecked && <p aria-live="polite">{uncheckedNote}</p>}
      {!checked && (
        <>
          <PlaceField shop={shop} isPreset={preset !== null} value={{ ...place, campaign }} onChange={setPlace} />
          <Segment label="What is excluded" value={kind} options={kinds} onChange={setKind} />
          {kind === 'KEYWORD' && (
            <>
              <Segment label="Match type" value={matchType} options={negativeMatches} onChange={setMatchType} />
              <p className="act-summary">{negativeMatchHelp[matchType]}</p>
            </>
          )}
          <TextField
            label={kinds.find(({ value }) => value === kind)?.label ?? ''}
            name="pasted"
            rows={7}
            value={pasted}
            onChange={setPasted}
            help={pasteHelp[kind]}
          />
          <Problems entries={entries} good={good.length} />
        </>
      )}
      {checked && (
        <>
          {preview.error && <p className="field-error">{failureMessage(preview.error)}</p>}
          {!outcomes && preview.isFetching && <p aria-live="polite">Checking which keywords these would stop…</p>}
          {!outcomes && preview.data && (
            <p aria-live="polite">
              {checkedWords(
                items.map(({ status }) => status),
                stops,
              )}
            </p>
          )}
          <ul className="act-lines" aria-label="Negatives to add">
            {checked.map((draft, index) => {
              const outcome = outcomes?.[index]
              const item = items[index]
              return (
                <ActLine
                  key={`${draft.matchType} ${draft.text}`}
                  name={draft.text}
                  detail={draft.targetType ? undefined : matchWords(draft.matchType)}
                  note={outcome ? outcomeNote(outcome) : previewNote(item)}
                >
                  {!outcome && item?.status === 'NEW' && (
                    <Blocked item={item} currency={preview.data?.currency ?? 'USD'} />
                  )}
                </ActLine>
              )
            })}
          </ul>
        </>
      )}
    </Sheet>
  )
}

const count = (of: number): string => `${formatNumber(of)} ${of === 1 ? 'negative' : 'negatives'}`

function checkedWords(statuses: readonly string[], stops: boolean): string {
  const exist = statuses.filter(status => status === 'EXISTS').length
  return [
    stops
      ? 'Some would stop keywords that run. Nothing was sent yet.'
      : 'None stops a running keyword. Nothing was sent yet.',
    exist > 0 && `${count(exist)} ${exist === 1 ? 'is' : 'are'} there already.`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** What of the pasted text cannot be added, line by line. */
function Problems({ entries, good }: { entries: ReturnType<typeof pastedNegatives>; good: number }) {
  const bad = entries.filter(({ problem }) => problem !== null)
  if (!entries.length) return null
  return (
    <>
      <p aria-live="polite">
        {count(good)} to add{bad.length > 0 && `, ${formatNumber(bad.length)} left out:`}
      </p>
      {bad.length > 0 && (
        <ul className="act-lines" aria-label="Left out">
          {bad.slice(0, shownProblems).map(({ line, text, problem }, index) => (
            <ActLine key={index} name={`Line ${line}: ${text}`} note={{ tone: 'danger', text: problem ?? '' }} />
          ))}
        </ul>
      )}
      {bad.length > shownProblems && <p>And {formatNumber(bad.length - shownProblems)} more.</p>}
    </>
  )
}
