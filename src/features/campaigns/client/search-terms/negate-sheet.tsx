import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useOnline } from '#client/api/online.ts'
import { failureMessage } from '#client/api/api-error.ts'
import { formatNumber } from '#client/ui/figures/format.ts'
import { Segment } from '#client/ui/forms/segment.tsx'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type { NegativeMatchType } from '#shared/keyword-rules.ts'
import { useShop } from '#features/accounts/client/public.ts'
import { type NegativeDraft, type NegativeOutcome, negativesPreview } from '../negatives/negative-drafts.ts'
import { ActLine, Blocked, outcomeNote, previewNote } from '../negatives/previewed-negatives.tsx'
import { useNegatives } from '../negatives/use-negatives.ts'
import type { TermRow } from './queries.ts'
import { verdictWords } from './term-words.ts'

const levels = [
  { value: 'AD_GROUP', label: 'Ad group' },
  { value: 'CAMPAIGN', label: 'Whole campaign' },
] as const
type Level = (typeof levels)[number]['value']
export const negativeMatches = [
  { value: 'NEGATIVE_EXACT', label: 'Exact' },
  { value: 'NEGATIVE_PHRASE', label: 'Phrase' },
] as const
export const negativeMatchHelp: Record<NegativeMatchType, string> = {
  NEGATIVE_EXACT: 'Exact keeps away this search alone.',
  NEGATIVE_PHRASE: 'Phrase keeps away every search that contains these words in a row.',
}

function draftOf(row: TermRow, level: Level, matchType: NegativeMatchType): NegativeDraft {
  const { adType, campaignId, adGroupId, term, kind } = row
  // Brands has negatives on ad groups alone.
  const isWhole = level === 'CAMPAIGN' && adType !== 'SPONSORED_BRANDS'
  const place = { adType, campaignId, adGroupId: isWhole ? null : adGroupId, matchType }
  return kind === 'PRODUCT'
    ? { ...place, text: term.toUpperCase(), targetType: 'ASIN_SAME_AS' }
    : { ...place, text: term }
}

interface NegateSheetProps {
  rows: readonly TermRow[]
  onClose: () => void
  /** Some were negated. */
  onDone: () => void
}

/** Keeps ads away from search terms: where, how exactly, and which running keywords that would stop. */
export function NegateSheet({ rows, onClose, onDone }: NegateSheetProps) {
  const online = useOnline()
  const shop = useShop()
  const [level, setLevel] = useState<Level>('AD_GROUP')
  const [matchType, setMatchType] = useState<NegativeMatchType>('NEGATIVE_EXACT')
  const [outcomes, setOutcomes] = useState<NegativeOutcome[] | null>(null)
  const { add, isAdding } = useNegatives()
  const drafts = rows.map(row => draftOf(row, level, matchType))
  const preview = useQuery({ ...negativesPreview(shop, drafts), enabled: online && outcomes === null })
  const items = preview.data?.items ?? []
  const news = rows.flatMap((_, place) => (items[place]?.status === 'NEW' ? [place] : []))
  const stops = news.reduce((sum, place) => sum + (items[place]?.blockedCount ?? 0), 0)

  const submit = async (): Promise<void> => {
    const answer = await add(news.map(place => drafts[place] as NegativeDraft)).catch(() => null)
    if (!answer) return
    onDone()
    if (answer.every(({ status }) => status !== 'INVALID')) return onClose()
    const all: NegativeOutcome[] = items.map(({ status, message }) => ({
      status: status === 'NEW' ? 'INVALID' : status,
      id: null,
      message,
    }))
    news.forEach((place, index) => (all[place] = answer[index] ?? { status: 'INVALID', id: null, message: null }))
    setOutcomes(all)
  }
  const count = preview.data ? news.length : rows.length
  const what = `${formatNumber(count)} ${count === 1 ? 'term' : 'terms'}`
  return (
    <Sheet
      open
      title={rows.length === 1 ? `Negate “${rows[0]?.term}”` : `Negate ${rows.length} terms`}
      onClose={onClose}
      footer={
        outcomes ? (
          <Button tone="primary" onClick={onClose}>
            Close
          </Button>
        ) : (
          <Button
            tone="primary"
            busy={isAdding}
            busyLabel="Adding..."
            disabled={!online || !preview.data || news.length === 0}
            onClick={() => void submit()}
          >
            {stops > 0 ? `Negate ${what} anyway` : `Negate ${what}`}
          </Button>
        )
      }
    >
      {!outcomes && (
        <>
          <Segment label="Where" value={level} options={levels} onChange={setLevel} />
          <Segment label="How exactly" value={matchType} options={negativeMatches} onChange={setMatchType} />
          <p className="act-summary">
            {summaryOf(rows, level)} {negativeMatchHelp[matchType]}
            {level === 'CAMPAIGN' &&
              rows.some(row => row.adType === 'SPONSORED_BRANDS') &&
              ' Sponsored Brands takes negatives on ad groups only, so its terms are negated there.'}
          </p>
          {!online && <p className="field-error">Negating needs a connection.</p>}
          {preview.error && <p className="field-error">{failureMessage(preview.error)}</p>}
          {preview.isFetching && <p aria-live="polite">Checking which keywords this would stop…</p>}
        </>
      )}
      <ul className="act-lines" aria-label="Terms to negate">
        {rows.map((row, place) => {
          const outcome = outcomes?.[place]
          const item = items[place]
          const verdict = verdictWords(row)
          return (
            <ActLine
              key={row.id}
              name={row.kind === 'PRODUCT' ? row.term.toUpperCase() : row.term}
              detail={`${row.campaignName} · ${row.adGroupName}`}
              note={outcome ? outcomeNote(outcome) : previewNote(item)}
            >
              {!outcome && item?.status === 'NEW' && (
                <Blocked item={item} currency={preview.data?.currency ?? row.currency} />
              )}
              {!outcome && verdict && <small>{verdict.text}</small>}
              {!outcome && row.orders > 0 && <small>It brought {formatNumber(row.orders)} orders in these days.</small>}
            </ActLine>
          )
        })}
      </ul>
    </Sheet>
  )
}

function summaryOf(rows: readonly TermRow[], level: Level): string {
  const names = [...new Set(rows.map(row => (level === 'AD_GROUP' ? row.adGroupName : row.campaignName)))]
  const [first, ...rest] = names
  const places = rest.length > 0 ? `${names.length} ${level === 'AD_GROUP' ? 'ad groups' : 'campaigns'}` : `“${first}”`
  return `The ads of ${places} are no longer shown for ${rows.length === 1 ? 'this search' : 'these searches'}.`
}
