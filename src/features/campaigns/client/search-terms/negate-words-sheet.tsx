import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useOnline } from '#client/api/online.ts'
import { OfflineAge } from '#client/ui/figures/data-age.tsx'
import { formatMoney, formatNumber } from '#client/ui/figures/format.ts'
import { CheckField } from '#client/ui/forms/choices.tsx'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import type { NegativeDraft, NegativeOutcome, PreviewedNegative } from '../negatives/negative-drafts.ts'
import { negativeMatchHelp } from '../negatives/negate-sheet.tsx'
import {
  Blocked,
  countOf,
  NegateFooter,
  NegateNotes,
  outcomeNote,
  previewNote,
} from '../negatives/previewed-negatives.tsx'
import { useNegating } from '../negatives/use-negating.ts'
import { placesOf, type TermsFilter, termQueries, type WordPlace, withWords } from './queries.ts'

interface NegateWordsSheetProps {
  shop: Shop
  /** Which terms are looked at, and the days that are summed. */
  filter: TermsFilter
  words: string
  onClose: () => void
}

/** Keeps ads away from all searches with these words in a row, in the campaigns where such searches cost and sold nothing. */
export function NegateWordsSheet({ shop, filter, words, onClose }: NegateWordsSheetProps) {
  const query = usePlaces(shop, filter, words)
  const places = query.data ?? []
  const [own, setOwn] = useState<ReadonlySet<string>>()
  // Where the words sold, a negative phrase would end those sales: to be chosen on purpose.
  const chosen = own ?? new Set(places.filter(({ orders }) => orders === 0).map(keyOf))
  const among = places.filter(place => chosen.has(keyOf(place)))
  const drafts = among.map(
    ({ adType, campaignId, adGroupId }): NegativeDraft => ({
      adType,
      campaignId,
      adGroupId,
      text: words,
      matchType: 'NEGATIVE_PHRASE',
    }),
  )
  const negating = useNegating(drafts, { onClose, onDone: () => undefined })
  const { isUnchecked, preview, items, outcomes, news } = negating
  const toggle = (key: string): void => {
    const next = new Set(chosen)
    if (!next.delete(key)) next.add(key)
    setOwn(next)
  }
  const count = preview.data ? news.length : among.length
  return (
    <Sheet
      open
      title={`Negate “${words}” as phrase`}
      onClose={onClose}
      footer={<NegateFooter negating={negating} what={`in ${countOf(count, 'place')}`} onClose={onClose} />}
    >
      <QueryView
        query={query}
        loading={{ rows: 4, label: 'Loading the campaigns' }}
        empty={found =>
          found.length === 0 && (
            <p>
              {query.isSaved
                ? 'No search term on this device contains these words. Open this again once you are online.'
                : 'No search with these words is left in these days.'}
            </p>
          )
        }
      >
        {() => (
          <>
            {!outcomes && (
              <>
                <p className="act-summary">
                  {negativeMatchHelp.NEGATIVE_PHRASE} Where such searches brought orders, nothing is chosen.
                </p>
                <NegateNotes isUnchecked={isUnchecked} preview={preview} />
                {query.isSaved && (
                  <p>
                    The places come from the search terms on this device, so there may be others.{' '}
                    <OfflineAge updatedAt={[query.dataUpdatedAt]} />
                  </p>
                )}
              </>
            )}
            <ul className="act-lines" aria-label="Where it is negated">
              {places.map(place => {
                const key = keyOf(place)
                const at = among.indexOf(place)
                return (
                  <PlaceLine
                    key={key}
                    place={place}
                    isChosen={at >= 0}
                    item={items[at]}
                    outcome={outcomes?.[at]}
                    isOver={outcomes !== null}
                    onToggle={() => toggle(key)}
                  />
                )
              })}
            </ul>
          </>
        )}
      </QueryView>
    </Sheet>
  )
}

/** The places as the server finds them; without network those of the search terms that this device has (`isSaved`). */
function usePlaces(shop: Shop, filter: TermsFilter, words: string) {
  const online = useOnline()
  const found = useQuery(termQueries.wordPlaces(shop, filter, words))
  const dearest = { ...filter, sortBy: 'cost', sortDir: 'desc' } as const
  const saved = useInfiniteQuery({ ...termQueries.terms(shop, dearest), enabled: !online })
  const isSaved = !online && found.data === undefined && saved.data !== undefined
  if (!isSaved) return { ...found, isSaved }
  const terms = withWords(saved.data?.pages.flatMap(page => page.content) ?? [], words)
  return { ...found, data: placesOf(terms), dataUpdatedAt: saved.dataUpdatedAt, isSaved }
}

interface PlaceLineProps {
  place: WordPlace
  isChosen: boolean
  item: PreviewedNegative | undefined
  outcome: NegativeOutcome | undefined
  /** The negatives were added: nothing is chosen any more. */
  isOver: boolean
  onToggle: () => void
}

function PlaceLine({ place, isChosen, item, outcome, isOver, onToggle }: PlaceLineProps) {
  const { campaignName, adGroupName, currency } = place
  const note = outcome ? outcomeNote(outcome) : isChosen && !isOver ? previewNote(item) : null
  return (
    <li className="act-line">
      <CheckField
        label={[campaignName, adGroupName].filter(Boolean).join(' · ')}
        help={figuresText(place)}
        checked={isChosen}
        disabled={isOver}
        onChange={onToggle}
      />
      {note && <span className={`act-note act-note-${note.tone}`}>{note.text}</span>}
      {isChosen && !isOver && item?.status === 'NEW' && <Blocked item={item} currency={currency} />}
    </li>
  )
}

const keyOf = ({ campaignId, adGroupId }: WordPlace): string => `${campaignId} ${adGroupId ?? ''}`

const figuresText = ({ cost, orders, terms, currency }: WordPlace): string =>
  `${formatMoney(cost, currency)} for ${countOf(terms, 'search term')}, ${orders === 0 ? 'no order' : `${formatNumber(orders)} ${orders === 1 ? 'order' : 'orders'}`}`
