import { MAX_NEGATIVE_PHRASE_WORDS, normalTerm } from '#shared/keyword-rules.ts'
import { chosenKeywords, chosenNegatives, onceEach } from '../chosen-terms.ts'
import { type CreatePayload } from '../launch-schema.ts'
import { type BrandPhase, brandPhases, funnelPhases, keywordMatches, type Phase, templateOf } from '../templates.ts'
import { isBrand, isBrandPhase, kindOfTerms, type TermKind } from './brand-terms.ts'
import { nameAFew, type PlanInput, type PlannedAdGroup } from './launch-plan.ts'
import { separatesBrands } from './plan-structure.ts'
import { usableCandidates } from './plan-terms.ts'

/** Which campaigns of brands a launch has, and which terms belong there. */
interface BrandSplit {
  phases: BrandPhase[]
  kindOf: (text: string) => TermKind
  warnings: string[]
}

function together(why?: string): BrandSplit {
  const warnings = why === undefined ? [] : [`Brand terms are not kept in campaigns of their own: ${why}`]
  return { phases: [], kindOf: () => 'GENERIC', warnings }
}

/** How the terms of a launch are split by brand. While a brand is not known nothing is split, and the warnings say why. */
export function brandSplit({ payload, products, advice }: PlanInput): BrandSplit {
  if (!separatesBrands(payload)) return together()
  const nameless = products.filter(p => !isBrand(p.brand)).map(p => p.asin)
  if (nameless.length) return together(`the brand of ${nameAFew(nameless)} is not known.`)
  const { own = [], competitors = [], unknownFor = products.map(p => p.asin) } = advice.brands ?? {}
  if (unknownFor.length)
    return together(`the brands that compete with ${nameAFew(unknownFor)} in its category are not known.`)
  const kindOf = kindOfTerms([...products.map(p => p.brand), ...own], competitors)
  const recommended = payload.setupMode === 'SMART' ? usableCandidates(payload, advice).map(c => c.text) : []
  const kinds = new Set([...chosenKeywords(payload).map(k => k.keyword), ...recommended].map(kindOf))
  const phases = brandPhases.filter(phase => kinds.has(phase))
  if (!phases.length) return together('no keyword names a brand.')
  const which = phases.map(phase => (phase === 'OWN_BRAND' ? 'your own brand' : 'competitors’ brands'))
  const where = phases.length > 1 ? 'campaigns of their own, each' : 'a campaign of their own,'
  return {
    phases,
    kindOf,
    warnings: [
      `Keywords with ${which.join(' and with ')} are kept in ${where} with 10% of the daily budget or the marketplace’s minimum. The other campaigns share the rest.`,
    ],
  }
}

// A search for several brands goes to the own brand, then to the competitors.
const rankOf = (phase: Phase): number => ['COMPETITORS', 'OWN_BRAND'].indexOf(phase)
const matchRank = ({ match }: PlannedAdGroup): number => keywordMatches.findIndex(one => one === match)

/**
 * What campaigns of brands buy and an ad group must therefore keep out. What they buy by phrase is kept out as a phrase, so that
 * every search it finds is theirs; phrases too long for a negative one, and all else, are kept out exact. In a funnel the narrower
 * match types of a brand go before the wider ones as well.
 */
function brandsKeptApart(group: PlannedAdGroup, groups: readonly PlannedAdGroup[], isFunnel: boolean) {
  const bought = groups.filter(g => rankOf(g.phase) > rankOf(group.phase)).flatMap(g => g.keywords)
  const phrases = bought
    .filter(k => k.matchType === 'PHRASE' && k.text.trim().split(/\s+/).length <= MAX_NEGATIVE_PHRASE_WORDS)
    .map(k => k.text)
  const covered = new Set(phrases.map(normalTerm))
  const isNarrower = (g: PlannedAdGroup) => g.phase === group.phase && matchRank(g) > matchRank(group)
  const narrower = isFunnel && isBrandPhase(group.phase) ? groups.filter(isNarrower).flatMap(g => g.keywords) : []
  const exact = [...narrower, ...bought.filter(k => !covered.has(normalTerm(k.text)))].map(k => k.text)
  return { exact, phrases }
}

/**
 * Sets the negatives of ad groups. Each later phase's terms are negative exact in the earlier ones, so that every term is bought
 * in one place, and brands' are kept out of what is no campaign of theirs; the user's own negatives hold everywhere.
 */
export function addNegatives(groups: readonly PlannedAdGroup[], payload: CreatePayload): void {
  const own = Map.groupBy(chosenNegatives(payload), n => n.matchType)
  const ownTexts = (matchType: 'NEGATIVE_EXACT' | 'NEGATIVE_PHRASE') => own.get(matchType)?.map(n => n.keyword) ?? []
  const isFunnel = templateOf(payload.template).family === 'FUNNEL'
  for (const group of groups) {
    const depth = funnelPhases.indexOf(group.phase)
    const isLater = (g: PlannedAdGroup) => depth >= 0 && funnelPhases.indexOf(g.phase) > depth
    const later = groups.filter(isLater).flatMap(g => g.keywords.map(k => k.text))
    const brands = brandsKeptApart(group, groups, isFunnel)
    group.negativeKeywords = onceEach([...later, ...brands.exact, ...ownTexts('NEGATIVE_EXACT')], normalTerm)
    group.negativePhrases = onceEach([...brands.phrases, ...ownTexts('NEGATIVE_PHRASE')], normalTerm)
  }
}
