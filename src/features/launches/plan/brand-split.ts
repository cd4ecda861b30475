import { type BrandPhase, type Phase, brandPhases } from '../templates.ts'
import { templateOf } from '../templates.ts'
import { kindOfTerms, isBrand, type TermKind } from './brand-terms.ts'
import { type PlanInput, type PlannedAdGroup } from './launch-plan.ts'
import { nameAFew } from './launch-plan.ts'
import { type CreatePayload, MAX_NEGATIVE_PHRASE_WORDS } from '../launch-schema.ts'
import { chosenKeywords, normalTerm } from '../chosen-terms.ts'
import { separatesBrands } from './plan-structure.ts'
import { usableCandidates } from './plan-terms.ts'

/** Which campaigns of brands a launch has, and which terms belong there. */
export interface BrandSplit {
  phases: BrandPhase[]
  kindOf: (text: string) => TermKind
  warnings: string[]
}

/** True for what keeps terms of brands in a campaign of their own. */
export const isBrandPhase = (phase: Phase): phase is BrandPhase => brandPhases.some(one => one === phase)

const together = (...warnings: string[]): BrandSplit => ({ phases: [], kindOf: () => 'GENERIC', warnings })

const stay = 'Brand terms are not kept in campaigns of their own'

/** How the terms of a launch are split by brand. While a brand is not known nothing is split, and the warnings say why. */
export function brandSplit({ payload, products, advice }: PlanInput): BrandSplit {
  if (!separatesBrands(payload)) return together()
  const nameless = products.filter(p => !isBrand(p.brand)).map(p => p.asin)
  if (nameless.length) return together(`${stay}: the brand of ${nameAFew(nameless)} is not known.`)
  const { own, competitors, unknownFor } = advice.brands ?? {
    own: [],
    competitors: [],
    unknownFor: products.map(p => p.asin),
  }
  if (unknownFor.length)
    return together(`${stay}: the brands that compete with ${nameAFew(unknownFor)} in its category are not known.`)
  const kindOf = kindOfTerms([...products.map(p => p.brand), ...own], competitors)
  const recommended = payload.setupMode === 'SMART' ? usableCandidates(payload, advice).map(c => c.text) : []
  const kinds = new Set([...chosenKeywords(payload).map(k => k.keyword), ...recommended].map(kindOf))
  const phases = brandPhases.filter(phase => kinds.has(phase))
  if (!phases.length) return together(`${stay}: no keyword names a brand.`)
  const which = phases.map(phase => (phase === 'OWN_BRAND' ? 'your own brand' : 'competitors’ brands'))
  return {
    phases,
    kindOf,
    warnings: [
      `Keywords with ${which.join(' and with ')} are kept in ${phases.length > 1 ? 'campaigns of their own, each' : 'a campaign of their own,'} with 10% of the daily budget or the marketplace’s minimum. The other campaigns share the rest.`,
    ],
  }
}

// A search for several brands goes to the own brand, then to the competitors.
const rankOf = (phase: Phase): number => ['COMPETITORS', 'OWN_BRAND'].indexOf(phase)
const matchRank = ({ match }: PlannedAdGroup): number => ['BROAD', 'PHRASE', 'EXACT'].indexOf(match)

/**
 * What campaigns of brands buy and an ad group must therefore keep out. What they buy by phrase is kept out as a phrase, so that
 * every search it finds is theirs; phrases too long for a negative one, and all else, are kept out exact. In a funnel the narrower
 * match types of a brand go before the wider ones as well.
 */
export function brandsKeptApart(
  group: PlannedAdGroup,
  groups: readonly PlannedAdGroup[],
  payload: CreatePayload,
): { exact: string[]; phrases: string[] } {
  const bought = groups.filter(g => rankOf(g.phase) > rankOf(group.phase)).flatMap(g => g.keywords)
  const phrases = bought
    .filter(k => k.matchType === 'PHRASE' && k.text.trim().split(/\s+/).length <= MAX_NEGATIVE_PHRASE_WORDS)
    .map(k => k.text)
  const covered = new Set(phrases.map(normalTerm))
  const isFunnel = templateOf(payload.template).family === 'FUNNEL'
  const narrower =
    isFunnel && isBrandPhase(group.phase)
      ? groups.filter(g => g.phase === group.phase && matchRank(g) > matchRank(group)).flatMap(g => g.keywords)
      : []
  return {
    exact: [...narrower, ...bought.filter(k => !covered.has(normalTerm(k.text)))].map(k => k.text),
    phrases,
  }
}
