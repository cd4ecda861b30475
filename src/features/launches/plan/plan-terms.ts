import { blockedBy, keywordText, normalTerm, wordRuns } from '#shared/keyword-rules.ts'
import * as v from 'valibot'
import type { SuggestedBids } from '#features/recommendations/contract.ts'
import { toMicros } from '#shared/money.ts'
import { chosenKeywords } from '../chosen-terms.ts'
import { type CreatePayload } from '../launch-schema.ts'
import {
  brandPhases,
  funnelPhases,
  type GroupMatch,
  groupMatches,
  type KeywordMatch,
  keywordMatches,
  phases,
  templateOf,
} from '../templates.ts'
import { isBrandPhase, type TermKind } from './brand-terms.ts'
import type { LaunchAdvice, WantedBid } from './launch-plan.ts'
import type { GroupShape } from './plan-structure.ts'

/** A recommended term with what is suggested for it in each match type. */
interface Candidate {
  text: string
  term: string
  bids: Partial<Record<KeywordMatch, SuggestedBids | null>>
}

/**
 * The recommended terms that the user's own negatives leave, strongest first. The advice has a row for each match type; a term is
 * as strong as its first row is early.
 */
export function usableCandidates({ negativeKeywords }: CreatePayload, advice: LaunchAdvice): Candidate[] {
  const isBlocked = blockedBy(negativeKeywords)
  const byTerm = new Map<string, Candidate>()
  for (const { text, matchType, suggested } of advice.keywords) {
    // A text that the marketplace would reject as a keyword is no candidate, even if it was recommended.
    if (!v.is(keywordText, text) || isBlocked(text, true)) continue
    const term = normalTerm(text)
    const candidate = byTerm.get(term) ?? { text: text.trim(), term, bids: {} }
    candidate.bids[matchType] ??= suggested
    byTerm.set(term, candidate)
  }
  return [...byTerm.values()]
}

/** The match type of an ad group's keywords; undefined where it holds none. */
export const keywordMatchOf = (match: GroupMatch): KeywordMatch | undefined => keywordMatches.find(one => one === match)

/** A term in the one place where it will live. */
export interface PlacedTerm extends WantedBid {
  text: string
}
type Placed = Map<string, PlacedTerm[]>

const sum = (counts: readonly number[]) => counts.reduce((a, b) => a + b, 0)

/**
 * Shares `count` terms among groups by their capacities: all of it when there is enough, else in proportion, and none
 * empty as long as there are terms (the groups named first are served first).
 */
export function quotas(count: number, capacities: readonly number[]): number[] {
  if (count >= sum(capacities)) return [...capacities]
  const shares = capacities.map(c => Math.floor((count * c) / sum(capacities)))
  for (const [i, capacity] of capacities.entries()) if (capacity && !shares[i] && sum(shares) < count) shares[i] = 1
  for (let i = 0; sum(shares) < count; i = (i + 1) % shares.length)
    if ((shares[i] ?? 0) < (capacities[i] ?? 0)) shares[i] = (shares[i] ?? 0) + 1
  return shares
}

const depth = ({ phase }: GroupShape) => funnelPhases.indexOf(phase)
const furthestFirst = (groups: readonly GroupShape[]) => groups.toSorted((a, b) => depth(b) - depth(a))

type Chosen = Pick<Candidate, 'text' | 'term'> & { matchType: KeywordMatch; ownBidMicros: number }

/** Places the user's own terms by match type, the strongest into the furthest phases. */
function placeChosen(
  groups: readonly GroupShape[],
  chosen: readonly Chosen[],
  candidates: readonly Candidate[],
): Placed {
  const placed: Placed = new Map()
  const ranks = new Map(candidates.map(({ term }, i) => [term, i]))
  const rankOf = ({ term }: Chosen) => ranks.get(term) ?? candidates.length
  for (const matchType of keywordMatches) {
    const takers = furthestFirst(groups.filter(g => g.match === matchType))
    const terms = chosen
      .filter(c => c.matchType === matchType)
      .toSorted((a, b) => rankOf(a) - rankOf(b) || b.ownBidMicros - a.ownBidMicros)
    const quarter = Math.floor(terms.length / 4)
    for (const taker of takers) {
      const taken = terms.splice(0, taker === takers.at(-1) ? terms.length : Math.min(taker.maxTerms, quarter))
      placed.set(
        taker.key,
        taken.map(term => ({
          text: term.text,
          ownBidMicros: term.ownBidMicros,
          suggested: candidates[rankOf(term)]?.bids[matchType] ?? null,
        })),
      )
    }
  }
  return placed
}

/**
 * Fills groups with recommended terms. Exact groups take the strongest that no group has yet, the furthest phases first.
 * Broad and phrase groups take the root terms, which exact groups may have as well, for half of their room, and then the
 * strongest of the others: the negatives of the plan keep each search in one phase.
 */
function fill(groups: readonly GroupShape[], placed: Placed, candidates: readonly Candidate[]): void {
  const used = new Set([...placed.values()].flat().map(t => normalTerm(t.text)))
  const own = (g: GroupShape) => placed.get(g.key) ?? []
  const roomOf = (g: GroupShape) => Math.max(0, g.maxTerms - own(g).length)
  const add = (g: GroupShape, more: readonly Candidate[]) => {
    const match = keywordMatchOf(g.match)
    const terms = more.map(({ text, bids }) => ({
      text,
      ownBidMicros: null,
      suggested: (match && bids[match]) ?? null,
    }))
    placed.set(g.key, [...own(g), ...terms])
    for (const c of more) used.add(c.term)
  }
  const share = (takers: readonly GroupShape[]) => {
    const free = candidates.filter(c => !used.has(c.term))
    const shares = quotas(free.length, takers.map(roomOf))
    for (const g of furthestFirst(takers)) add(g, free.splice(0, shares[takers.indexOf(g)]))
  }
  // Served first when terms are few: Performance, then outwards.
  share(groups.filter(g => g.match === 'EXACT').toSorted((a, b) => Math.abs(depth(a) - 2) - Math.abs(depth(b) - 2)))
  // “Water bottle” is the root of “steel water bottle”: no shorter recommended term stands in it.
  const terms = new Set(candidates.map(c => c.term))
  const roots = candidates.filter(
    ({ term }) => !wordRuns(term, Number.POSITIVE_INFINITY).some(run => run !== term && terms.has(run)),
  )
  const rootsFor = (g: GroupShape, count: number) => {
    const has = new Set(own(g).map(t => normalTerm(t.text)))
    return roots.filter(root => !has.has(root.term)).slice(0, count)
  }
  const loose = furthestFirst(groups.filter(g => g.match !== 'EXACT'))
  for (const g of loose) add(g, rootsFor(g, Math.ceil(roomOf(g) / 2)))
  share(loose)
  for (const g of loose) add(g, rootsFor(g, roomOf(g)))
}

/**
 * Puts terms into groups, by their keys: each into one of a match type. Smart mode takes the marketplace's recommendations;
 * guided mode the user's own, and in a funnel fills only the phases for which the user chose nothing. Keyword templates keep
 * every match type as chosen. Terms of brands (`kindOf`) go to the groups of their kind.
 */
export function placeTerms(
  payload: CreatePayload,
  groups: readonly GroupShape[],
  advice: LaunchAdvice,
  kindOf: (text: string) => TermKind,
  warnings: string[],
): Placed {
  const isFunnel = templateOf(payload.template).family === 'FUNNEL'
  const isSmart = payload.setupMode === 'SMART'
  const allCandidates = usableCandidates(payload, advice)
  const allChosen = chosenKeywords(payload).flatMap(
    ({ keyword, matchType = payload.keywordMatchType, bid }): Chosen[] =>
      matchType ? [{ text: keyword, term: normalTerm(keyword), matchType, ownBidMicros: toMicros(bid) }] : [],
  )
  const byGroup: Placed = new Map()
  for (const kind of ['GENERIC', ...brandPhases] as const) {
    const isOfKind = ({ text }: { text: string }) => kindOf(text) === kind
    const takers = groups.filter(({ match, phase }) =>
      kind === 'GENERIC' ? keywordMatchOf(match) && !isBrandPhase(phase) : phase === kind,
    )
    const candidates = allCandidates.filter(isOfKind)
    const placed = placeChosen(takers, allChosen.filter(isOfKind), candidates)
    if (isFunnel && isSmart)
      fill(kind === 'GENERIC' ? takers : takers.filter(g => g.match !== 'BROAD'), placed, candidates)
    else if (isSmart)
      // Keyword templates have no phases: each match type takes the strongest terms for itself.
      for (const taker of takers) {
        const own = new Map([[taker.key, placed.get(taker.key) ?? []]])
        fill([taker], own, candidates)
        placed.set(taker.key, own.get(taker.key) ?? [])
      }
    else if (isFunnel && kind === 'GENERIC') {
      const empty = takers.filter(g => !placed.get(g.key)?.length)
      fill(empty, placed, candidates)
      for (const g of empty.filter(e => placed.get(e.key)?.length))
        warnings.push(
          `${phases[g.phase]} (${groupMatches[g.match]}) takes recommended keywords, because none of yours belongs there.`,
        )
    }
    for (const { key } of takers) byGroup.set(key, placed.get(key) ?? [])
  }
  return byGroup
}
