import type { SuggestedBids } from '#features/recommendations/contract.ts'
import { nameAFew } from './name-a-few.ts'
import type { KeywordMatch, LaunchAdvice } from './launch-plan.ts'
import { type CreatePayload, MAX_KEYWORD_CHARACTERS, MAX_KEYWORD_WORDS } from '../payload.ts'
import { blockedBy, chosenKeywords, normalTerm } from '../payload-rules.ts'
import { type GroupShape, matchNames, phaseNames, phaseOrder } from './plan-structure.ts'
import { factsOfTemplate } from '../templates.ts'

/** A term in the one place where it will live. */
export interface PlacedTerm {
  text: string
  /** Set by the user, in micro-units; null for a recommended term. */
  ownBidMicros: number | null
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

/** How many recommended terms a launch can use. */
export const MAX_RECOMMENDED_TERMS = 100

// Letters and digits of any script, and the few signs that the marketplace's page of limits names; no ™, no <, no emoji.
const written = /^[\p{L}\p{M}\p{N}\s\p{Join_Control}\u3001-\u303F\u30FB&[\]'".+-]*$/u

/** Whether the marketplace surely takes the text as a keyword. */
export const fitsLimits = (text: string): boolean =>
  Array.from(text).length <= MAX_KEYWORD_CHARACTERS &&
  text.split(/\s+/).length <= MAX_KEYWORD_WORDS &&
  written.test(text)

interface Candidate {
  text: string
  term: string
  bids: Partial<Record<KeywordMatch, SuggestedBids | null>>
}

// The advice has a row for each match type; a term is as strong as its first row is early.
const candidatesOf = (advice: LaunchAdvice): Candidate[] => {
  const byTerm = new Map<string, Candidate>()
  for (const { text, matchType, suggested } of advice.keywords) {
    if (!fitsLimits(text)) continue
    const term = normalTerm(text)
    const known = byTerm.get(term) ?? { text: text.trim(), term, bids: {} }
    known.bids[matchType] ??= suggested
    byTerm.set(term, known)
  }
  return [...byTerm.values()]
}

/**
 * Shares `count` terms among groups by their capacities: all of it when there is enough, else in proportion, and none
 * empty as long as there are terms (the groups named first are served first).
 */
export const quotas = (count: number, capacities: readonly number[]): number[] => {
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

const depth = (group: GroupShape) => phaseOrder.indexOf(group.phase)

interface Chosen {
  text: string
  term: string
  matchType: KeywordMatch
  bidMicros: number
}

// A term that the user chose in several match types stays in the furthest of them alone.
const withoutDoubles = (chosen: readonly Chosen[], warnings: string[]): Chosen[] => {
  const rank: Record<KeywordMatch, number> = { BROAD: 0, PHRASE: 1, EXACT: 2 }
  const best = new Map<string, Chosen>()
  const doubles: string[] = []
  for (const one of chosen) {
    const known = best.get(one.term)
    if (!known || rank[one.matchType] > rank[known.matchType]) best.set(one.term, one)
    if (known) doubles.push(one.text)
  }
  if (doubles.length)
    warnings.push(
      new Set(doubles).size === 1
        ? `${nameAFew(doubles)} is kept in its furthest phase alone: a term lives in one phase.`
        : `${nameAFew(doubles)} are kept in their furthest phase alone: a term lives in one phase.`,
    )
  return [...best.values()]
}

/** Places the user's own terms of one match type, the strongest into the furthest phases. */
const placeChosen = (groups: readonly GroupShape[], chosen: readonly Chosen[], candidates: readonly Candidate[]) => {
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

/** Fills groups with recommended terms that no group has yet, the strongest into the furthest phases. */
const fill = (
  groups: readonly GroupShape[],
  placed: Map<string, PlacedTerm[]>,
  candidates: readonly Candidate[],
): void => {
  const used = new Set([...placed.values()].flat().map(t => normalTerm(t.text)))
  const free = candidates.filter(c => !used.has(c.term))
  const roomOf = (g: GroupShape) =>
    Math.max(0, (capacity[g.key] ?? KEYWORDS_OF_A_TYPE) - (placed.get(g.key)?.length ?? 0))
  // Served first when terms are few: Performance, then outwards.
  const served = groups.toSorted((a, b) => Math.abs(depth(a) - 2) - Math.abs(depth(b) - 2))
  const shares = quotas(free.length, served.map(roomOf))
  const shareOf = new Map(served.map((g, i) => [g.key, shares[i] ?? 0]))
  let at = 0
  for (const group of groups.toSorted((a, b) => depth(b) - depth(a))) {
    const match = matchOf(group)
    const end = at + (shareOf.get(group.key) ?? 0)
    const more = free.slice(at, end).map(c => ({
      text: c.text,
      ownBidMicros: null,
      suggested: (match && c.bids[match]) ?? null,
    }))
    placed.set(group.key, [...(placed.get(group.key) ?? []), ...more])
    at = end
  }
}

/**
 * Puts each term into one group. Smart mode takes the marketplace's recommendations; guided mode the user's own, and in
 * a funnel fills only the phases for which the user chose nothing. Keyword templates keep every match type as chosen.
 */
export const placeTerms = (
  payload: CreatePayload,
  groups: readonly GroupShape[],
  advice: LaunchAdvice,
  toMicros: (amount: number) => number,
): PlacedTerms => {
  const warnings: string[] = []
  const keywordGroups = groups.filter(matchOf)
  const isFunnel = factsOfTemplate(payload.template).family === 'FUNNEL'
  const isBlocked = blockedBy(payload.negativeKeywords)
  const candidates = candidatesOf(advice).filter(c => !isBlocked(c.text, true))
  const chosen = chosenKeywords(payload).flatMap(({ keyword, matchType = payload.keywordMatchType, bid }) =>
    matchType ? [{ text: keyword, term: normalTerm(keyword), matchType, bidMicros: toMicros(bid) }] : [],
  )
  const byGroup = placeChosen(keywordGroups, isFunnel ? withoutDoubles(chosen, warnings) : chosen, candidates)
  const empty = keywordGroups.filter(g => !byGroup.get(g.key)?.length)
  if (payload.setupMode === 'SMART') fillSmart(keywordGroups, isFunnel, byGroup, candidates)
  else if (isFunnel && empty.length) {
    fill(empty, byGroup, candidates)
    for (const g of empty.filter(e => byGroup.get(e.key)?.length))
      warnings.push(
        `${phaseNames[g.phase]} (${matchNames[g.match]}) takes recommended keywords, because none of yours belongs there.`,
      )
  }
  return { byGroup, warnings }
}

// Keyword templates have no phases: each match type takes the strongest terms for itself.
const fillSmart = (
  groups: readonly GroupShape[],
  isFunnel: boolean,
  placed: Map<string, PlacedTerm[]>,
  candidates: readonly Candidate[],
) => {
  if (isFunnel) return fill(groups, placed, candidates)
  for (const group of groups) {
    const own = new Map([[group.key, placed.get(group.key) ?? []]])
    fill([group], own, candidates)
    placed.set(group.key, own.get(group.key) ?? [])
  }
}
