import { formatNumber, formatPercent } from '#client/ui/figures/format.ts'
import type { Coverage, SearchTerm } from '#features/search-terms/contract.ts'
import { matchWords } from '../form/field-labels.ts'
import { targetText } from '#shared/target-text.ts'

export const coverageWords: Record<Coverage, { label: string; tone: string }> = {
  NEW: { label: 'New', tone: 'tag-good' },
  KEYWORD: { label: 'Keyword', tone: '' },
  NEGATIVE: { label: 'Negative', tone: 'tag-danger' },
}

type Clause = SearchTerm['matchedBy'][number]

function clauseWords({ kind, text, matchType }: Clause): string {
  const name = targetText({ kind, text })
  if (kind === 'KEYWORD') return `“${name}”${matchType ? ` ${matchWords(matchType).toLowerCase()}` : ''}`
  return kind === 'AUTO' ? name.toLowerCase() : name
}

/**
 * Which keywords, targets or automatic groups brought the term in: "from “steel bottle” broad". Null where that is what
 * covers the term: it is named already.
 */
export function originWords({ matchedBy, coveredBy }: Pick<SearchTerm, 'matchedBy' | 'coveredBy'>): string | null {
  const others = matchedBy.filter(({ id, kind }) => id !== coveredBy?.id || kind === 'AUTO')
  return others.length > 0 ? `from ${others.map(clauseWords).join(', ')}` : null
}

/** The keyword or negative that covers the term, and where it is; null for a new one. */
export function coverWords({ term, coverage, coveredBy, adGroupId, campaignId }: SearchTerm): string | null {
  if (!coveredBy) return null
  // A product page is covered by that product alone.
  const isSame = coveredBy.kind === 'PRODUCT' || coveredBy.text.toLowerCase() === term
  const what = isSame ? '' : ` “${coveredBy.text}”`
  if (coverage === 'NEGATIVE')
    return `${coveredBy.matchType === 'NEGATIVE_PHRASE' ? 'phrase' : 'exact'}${what} ${coveredBy.adGroupId === null ? 'of the whole campaign' : 'in this ad group'}`
  const where =
    coveredBy.adGroupId === adGroupId
      ? 'this ad group'
      : coveredBy.campaignId === campaignId
        ? 'this campaign'
        : coveredBy.campaignName
  return `${coveredBy.kind === 'KEYWORD' ? 'exact' : 'target'}${what} in ${where}`
}

const clicks = (count: number): string => `${formatNumber(count)} ${count === 1 ? 'click' : 'clicks'}`

/** For a term without an order: how likely it is that negating it would be a mistake, and what is missing to be sure. */
export function verdictWords(row: SearchTerm): { text: string; isSure: boolean } | null {
  if (row.orders > 0 || row.clicks === 0 || row.coverage === 'NEGATIVE') return null
  if (row.mistakeChance === null)
    return { text: 'Its clicks are too recent to judge: orders may still come in.', isSure: false }
  const chance = row.mistakeChance < 1 ? 'less than 1%' : formatPercent(row.mistakeChance, 0)
  const missing = row.clicksToBeSure - row.settledClicks
  const seen = `No order in ${clicks(row.settledClicks)}: negating it is ${chance} likely to be a mistake.`
  if (missing <= 0) return { text: seen, isSure: true }
  return { text: `${seen} ${clicks(missing)} more without an order would make it sure.`, isSure: false }
}

/** Ad types as advertisers abbreviate them. */
export const adTypeShort: Record<string, string> = {
  SPONSORED_PRODUCTS: 'SP',
  SPONSORED_BRANDS: 'SB',
  SPONSORED_DISPLAY: 'SD',
}
