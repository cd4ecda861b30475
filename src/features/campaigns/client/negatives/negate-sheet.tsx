import { useState } from 'react'
import { Segment } from '#client/ui/forms/segment.tsx'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import type { NegativeMatchType } from '#shared/keyword-rules.ts'
import type { NegativeDraft } from './negative-drafts.ts'
import {
  ActLine,
  Blocked,
  countOf,
  NegateFooter,
  NegateNotes,
  outcomeNote,
  previewNote,
} from './previewed-negatives.tsx'
import { useNegating } from './use-negating.ts'

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

/** What ads are kept away from: a search, a keyword or a product, and where it is. */
export interface Negatable {
  id: string | number
  /** A keyword, or what `targetType` says of a product. */
  text: string
  targetType?: NegativeDraft['targetType']
  adType: string
  campaignId: number
  campaignName: string
  adGroupId: number
  /** Null where the list does not say it. */
  adGroupName: string | null
  /** In the days of the list. */
  orders: number
  /** How likely it is that negating it would be a mistake. */
  verdict?: string | undefined
}

function draftOf(
  { adType, campaignId, adGroupId, text, targetType }: Negatable,
  level: Level,
  matchType: NegativeMatchType,
): NegativeDraft {
  // Brands has negatives on ad groups alone.
  const isWhole = level === 'CAMPAIGN' && adType !== 'SPONSORED_BRANDS'
  return {
    adType,
    campaignId,
    adGroupId: isWhole ? null : adGroupId,
    matchType,
    text,
    ...(targetType && { targetType }),
  }
}

interface NegateSheetProps {
  rows: readonly Negatable[]
  /** What the rows are, in the singular: "term". */
  noun: string
  /** What is said of chosen rows that cannot be negated. */
  leftOut?: string | undefined
  onClose: () => void
  /** Some were negated. */
  onDone: () => void
}

/** Keeps ads away from searches and products: where, how exactly, and which running keywords that would stop. */
export function NegateSheet({ rows, noun, leftOut, ...ends }: NegateSheetProps) {
  const [level, setLevel] = useState<Level>('AD_GROUP')
  const [matchType, setMatchType] = useState<NegativeMatchType>('NEGATIVE_EXACT')
  const negating = useNegating(
    rows.map(row => draftOf(row, level, matchType)),
    ends,
  )
  const { isUnchecked, preview, items, news, outcomes } = negating
  const count = preview.data ? news.length : rows.length
  return (
    <Sheet
      open
      title={rows.length === 1 ? `Negate “${rows[0]?.text}”` : `Negate ${countOf(rows.length, noun)}`}
      onClose={ends.onClose}
      footer={<NegateFooter negating={negating} what={countOf(count, noun)} onClose={ends.onClose} />}
    >
      {!outcomes && (
        <>
          <Segment label="Where" value={level} options={levels} onChange={setLevel} />
          <Segment label="How exactly" value={matchType} options={negativeMatches} onChange={setMatchType} />
          <p className="act-summary">
            {summaryOf(rows, level)} {negativeMatchHelp[matchType]}
            {level === 'CAMPAIGN' &&
              rows.some(row => row.adType === 'SPONSORED_BRANDS') &&
              ' Sponsored Brands takes negatives on ad groups only, so those are negated there.'}
            {leftOut && ` ${leftOut}`}
          </p>
          <NegateNotes isUnchecked={isUnchecked} preview={preview} />
        </>
      )}
      <ul className="act-lines" aria-label={`What is negated`}>
        {rows.map((row, place) => {
          const outcome = outcomes?.[place]
          const item = items[place]
          return (
            <ActLine
              key={row.id}
              name={row.text}
              detail={[row.campaignName, row.adGroupName].filter(Boolean).join(' · ')}
              note={outcome ? outcomeNote(outcome) : previewNote(item)}
            >
              {!outcome && item?.status === 'NEW' && <Blocked item={item} currency={preview.data?.currency ?? 'USD'} />}
              {!outcome && row.verdict && <small>{row.verdict}</small>}
              {!outcome && row.orders > 0 && (
                <small>{`It brought ${countOf(row.orders, 'order')} in these days.`}</small>
              )}
            </ActLine>
          )
        })}
      </ul>
    </Sheet>
  )
}

function summaryOf(rows: readonly Negatable[], level: Level): string {
  const isGroup = level === 'AD_GROUP'
  const places = new Map(
    rows.map(row => [isGroup ? row.adGroupId : row.campaignId, isGroup ? row.adGroupName : row.campaignName]),
  )
  const [name] = places.values()
  const noun = isGroup ? 'ad group' : 'campaign'
  const where = places.size > 1 ? countOf(places.size, noun) : name ? `“${name}”` : `this ${noun}`
  return `The ads of ${where} are no longer shown for ${rows.length === 1 ? 'this search' : 'these searches'}.`
}
