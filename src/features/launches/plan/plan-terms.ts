import * as v from 'valibot'
import { type KeywordMatch, brandPhases, funnelPhases, groupMatches, phases, templateOf } from '../templates.ts'
import type { SuggestedBids } from '#features/recommendations/contract.ts'
import type { Micros } from '#shared/money.ts'
import type { TermKind } from './brand-terms.ts'
import type { LaunchAdvice } from './launch-plan.ts'
import { type CreatePayload, keywordText } from '../launch-schema.ts'
import { blockedBy, chosenKeywords, normalTerm } from '../chosen-terms.ts'
import type { GroupShape } from './plan-structure.ts'

/** A recommended term with what is suggested for it in each match type. */
interface Candidate {
  text: string
  term: string
  bids: Partial<Record<KeywordMatch, SuggestedBids | null>>
}

/** The terms of the advice, strongest first. It has a row for each match type; a term is as strong as its first row is early. */
function candidatesOf(advice: LaunchAdvice): Candidate[] {
  const byTerm = new Map<string, Candidate>()
  for (const { text, matchType, suggested } of advice.keywords) {
    // A text that the marketplace would reject as a keyword is no candidate, even if it was recommended.
    if (!v.is(keywordText, text)) continue
    const term = normalTerm(text)
    const candidate = byTerm.get(term) ?? { text: text.trim(), term, bids: {} }
    candidate.bids[matchType] ??= suggested
    byTerm.set(term, candidate)
  }
  return [...byTerm.values()]
}

/**
 * The root terms, strongest first: those that no shorter recommended term stands in. “Water bottle” is the root of “steel water
 * bottle”.
 */
function rootsOf(candidates: readonly Candidate[]): Candidate[] {
  const terms = new Set(candidates.map(c => c.term))
  const hasRoot = (term: string) => {
    const words = term.split(' ')
    return words.some((_, from) =>
      words.some((__, to) => {
        const part = words.slice(from, to + 1).join(' ')
        return part !== '' && part !== term && terms.has(part)
      }),
    )
  }
  return candidates.filter(c => !hasRoot(c.term))
}

/** A term in the one place where it will live. */
export interface PlacedTerm {
  text: string
  /** Set by the user, in micro-units; null for a recommended term. */
  ownBidMicros: Micros | null
  suggested: SuggestedBids | null
}
export interface PlacedTerms {
  byGroup: Map<string, PlacedTerm[]>
  warnings: string[]
}

/** At most so many recommended terms for each group; few, well chosen ones gather figures faster. */
const capacity: Readonly<Record<string, number>> = {
  'high-impact-exact': 3,
  'ranking-exact': 5,
  'performance-exact': 15,
  'research-phrase': 20,
  'discovery-broad': 20,
}
const KEYWORDS_OF_A_TYPE = 25

/**
 * Shares `count` terms among groups by their capacities: all of it when there is enough, else in proportion, and none
 * empty as long as there are terms (the groups named first are served first).
 */
export function quotas(count: number, capacities: readonly number[]): number[] {
  const sum = capacities.reduce((a, b) => a + b, 0)
  if (count >= sum) return [...capacities]
  const shares = capacities.map(c => Math.floor((count * c) / sum))
  for (let i = 0; i < shares.length; i++) {
    if (shares[i] || !capacities[i] || shares.reduce((a, b) => a + b, 0) >= count) continue
    shares[i] = 1
  }
  for (let i = 0; shares.reduce((a, b) => a + b, 0) < count; i = (i + 1) % shares.length)
    if ((shares[i] ?? 0) < (capacities[i] ?? 0)) shares[i] = (shares[i] ?? 0) + 1
  return shares
}

const matchOf = (group: GroupShape): KeywordMatch | null =>
  group.match === 'BROAD' || group.match === 'PHRASE' || group.match === 'EXACT' ? group.match : null

const depth = (group: GroupShape) => funnelPhases.indexOf(group.phase)

interface Chosen {
  text: string
  term: string
  matchType: KeywordMatch
  bidMicros: Micros
}

/** Places the user's own terms of one match type, the strongest into the furthest phases. */
function placeChosen(groups: readonly GroupShape[], chosen: readonly Chosen[], candidates: readonly Candidate[]) {
  const placed = new Map<string, PlacedTerm[]>()
  const strength = (c: Chosen) => {
    const at = candidates.findIndex(candidate => candidate.term === c.term)
    return at < 0 ? candidates.length : at
  }
  for (const matchType of ['BROAD', 'PHRASE', 'EXACT'] as const) {
    const takers = groups.filter(g => g.match === matchType).toSorted((a, b) => depth(b) - depth(a))
    const terms = chosen
      .filter(c => c.matchType === matchType)
      .toSorted((a, b) => strength(a) - strength(b) || b.bidMicros - a.bidMicros)
    const reserved = takers.slice(0, -1).map(g => Math.min(capacity[g.key] ?? 0, Math.floor(terms.length / 4)))
    let at = 0
    for (const [i, taker] of takers.entries()) {
      const end = i < takers.length - 1 ? at + (reserved[i] ?? 0) : terms.length
      placed.set(
        taker.key,
        terms.slice(at, end).map(({ text, term, bidMicros }) => ({
          text,
          ownBidMicros: bidMicros,
          suggested: candidates.find(c => c.term === term)?.bids[matchType] ?? null,
        })),
      )
      at = end
    }
  }
  return placed
}

function placedTerm(group: GroupShape, { text, bids }: Candidate): PlacedTerm {
  const match = matchOf(group)
  return { text, ownBidMicros: null, suggested: (match && bids[match]) ?? null }
}

/**
 * Fills groups with recommended terms. Exact groups take the strongest that no group has yet, the furthest phases first.
 * Broad and phrase groups take the root terms, which exact groups may have as well, for half of their room, and then the
 * strongest of the others: the negatives of the plan keep each search in one phase.
 */
function fill(
  groups: readonly GroupShape[],
  placed: Map<string, PlacedTerm[]>,
  candidates: readonly Candidate[],
): void {
  const used = new Set([...placed.values()].flat().map(t => normalTerm(t.text)))
  const own = (g: GroupShape) => placed.get(g.key) ?? []
  const roomOf = (g: GroupShape) => Math.max(0, (capacity[g.key] ?? KEYWORDS_OF_A_TYPE) - own(g).length)
  const add = (g: GroupShape, more: readonly Candidate[]) => {
    placed.set(g.key, [...own(g), ...more.map(c => placedTerm(g, c))])
    for (const c of more) used.add(c.term)
  }
  const share = (takers: readonly GroupShape[], rooms: readonly number[], free: readonly Candidate[]) => {
    const shares = quotas(free.length, rooms)
    const shareOf = new Map(takers.map((g, i) => [g.key, shares[i] ?? 0]))
    let at = 0
    for (const group of takers.toSorted((a, b) => depth(b) - depth(a))) {
      const end = at + (shareOf.get(group.key) ?? 0)
      add(group, free.slice(at, end))
      at = end
    }
  }
  // Served first when terms are few: Performance, then outwards.
  const exact = groups
    .filter(g => g.match === 'EXACT')
    .toSorted((a, b) => Math.abs(depth(a) - 2) - Math.abs(depth(b) - 2))
  const loose = groups.filter(g => g.match !== 'EXACT').toSorted((a, b) => depth(b) - depth(a))
  share(
    exact,
    exact.map(roomOf),
    candidates.filter(c => !used.has(c.term)),
  )
  const roots = rootsOf(candidates)
  const tails = candidates.filter(c => !used.has(c.term))
  const rootsFor = (g: GroupShape, count: number) => {
    const has = new Set(own(g).map(t => normalTerm(t.text)))
    return roots.filter(root => !has.has(root.term)).slice(0, count)
  }
  const halves = loose.map(g => rootsFor(g, Math.ceil(roomOf(g) / 2)))
  for (const [i, g] of loose.entries()) add(g, halves[i] ?? [])
  share(
    loose,
    loose.map(roomOf),
    tails.filter(c => !used.has(c.term)),
  )
  for (const g of loose) add(g, rootsFor(g, roomOf(g)))
}

/**
 * Puts terms into groups: each into one of a match type. Smart mode takes the marketplace's recommendations; guided mode the user's own, and in
 * a funnel fills only the phases for which the user chose nothing. Keyword templates keep every match type as chosen. Terms of
 * brands (`kindOf`) go to the groups of their kind.
 */
export function placeTerms(
  payload: CreatePayload,
  groups: readonly GroupShape[],
  advice: LaunchAdvice,
  toMicros: (amount: number) => number,
  kindOf: (text: string) => TermKind,
): PlacedTerms {
  const warnings: string[] = []
  const isFunnel = templateOf(payload.template).family === 'FUNNEL'
  const all = usableCandidates(payload, advice)
  const allChosen = chosenKeywords(payload).flatMap(({ keyword, matchType = payload.keywordMatchType, bid }) =>
    matchType ? [{ text: keyword, term: normalTerm(keyword), matchType, bidMicros: toMicros(bid) }] : [],
  )
  const ofKind = <T extends { text: string }>(terms: readonly T[], kind: TermKind) =>
    terms.filter(({ text }) => kindOf(text) === kind)
  const keywordGroups = groups.filter(g => matchOf(g) && !brandPhases.some(phase => phase === g.phase))
  const candidates = ofKind(all, 'GENERIC')
  const byGroup = placeChosen(keywordGroups, ofKind(allChosen, 'GENERIC'), candidates)
  const empty = keywordGroups.filter(g => !byGroup.get(g.key)?.length)
  if (payload.setupMode === 'SMART') fillSmart(keywordGroups, isFunnel, byGroup, candidates)
  else if (isFunnel && empty.length) {
    fill(empty, byGroup, candidates)
    for (const g of empty.filter(e => byGroup.get(e.key)?.length))
      warnings.push(
        `${phases[g.phase]} (${groupMatches[g.match]}) takes recommended keywords, because none of yours belongs there.`,
      )
  }
  for (const kind of brandPhases) {
    const takers = groups.filter(g => g.phase === kind)
    const placed = placeChosen(takers, ofKind(allChosen, kind), ofKind(all, kind))
    const open = isFunnel ? takers.filter(g => g.match !== 'BROAD') : takers
    if (payload.setupMode === 'SMART') fillSmart(open, isFunnel, placed, ofKind(all, kind))
    for (const { key } of takers) byGroup.set(key, placed.get(key) ?? [])
  }
  return { byGroup, warnings }
}

/** The recommended terms that the user's own negatives leave, strongest first. */
export function usableCandidates(payload: CreatePayload, advice: LaunchAdvice): Candidate[] {
  const isBlocked = blockedBy(payload.negativeKeywords)
  return candidatesOf(advice).filter(c => !isBlocked(c.text, true))
}

// Keyword templates have no phases: each match type takes the strongest terms for itself.
function fillSmart(
  groups: readonly GroupShape[],
  isFunnel: boolean,
  placed: Map<string, PlacedTerm[]>,
  candidates: readonly Candidate[],
) {
  if (isFunnel) return fill(groups, placed, candidates)
  for (const group of groups) {
    const own = new Map([[group.key, placed.get(group.key) ?? []]])
    fill([group], own, candidates)
    placed.set(group.key, own.get(group.key) ?? [])
  }
}
