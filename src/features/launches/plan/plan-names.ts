import { type AdvertiserType, maxNameLength } from '#shared/campaign-rules.ts'

/** What a pattern of names can have in braces; `prefix` is the advertising account's. */
export const nameTokens = ['prefix', 'campaignName', 'phase', 'match type', 'SKU', 'ASIN', 'ad type'] as const
type NameToken = (typeof nameTokens)[number]
export const DEFAULT_NAME_PATTERN = '{prefix} | {campaignName} | {phase} | {match type}'
export const MAX_NAME_PATTERN = 100

// Without them the campaigns of a launch, or two launches, would be called the same.
const required: readonly NameToken[] = ['campaignName', 'phase', 'match type']
const tokenIn = (piece: string): NameToken | undefined => nameTokens.find(token => piece === `{${token}}`)
const inBraces = (tokens: readonly string[]) => tokens.map(token => `{${token}}`).join(', ')

/** Why a pattern of names cannot be used, in words; null when it can. For the field, the step and the server. */
export function namePatternProblem(pattern: string): string | null {
  if (pattern.length > MAX_NAME_PATTERN) return `A pattern has at most ${MAX_NAME_PATTERN} characters`
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001F\u007F\u00AD\u200B\u2060\uFEFF]/.test(pattern))
    return 'The pattern has an invisible character: type it again'
  const used: string[] = pattern.match(/\{[^{}]*\}/g) ?? []
  const unknown = used.find(piece => !tokenIn(piece))
  if (unknown !== undefined) return `${unknown} is not a placeholder: use ${inBraces(nameTokens)}`
  if (/[{}]/.test(pattern.replaceAll(/\{[^{}]*\}/g, ''))) return 'The pattern has an unmatched brace'
  const twice = used.find((piece, i) => used.indexOf(piece) !== i)
  if (twice !== undefined) return `${twice} can stand in the pattern once`
  const missing = required.filter(token => !used.includes(`{${token}}`))
  return missing.length ? `The pattern needs ${inBraces(missing)}: names must differ` : null
}

function cut(text: string, length: number): string {
  // By code points, so that no character is halved; the marketplace counts UTF-16 units at most.
  let start = ''
  for (const char of text) {
    if (start.length + char.length > length) break
    start += char
  }
  return start.trimEnd()
}

/** Whose names they are. */
export interface NamingAccount {
  campaignPrefix: string | null
  accountType: AdvertiserType
}

/** The part of a name that differs from the other campaigns of the launch: `Discovery`, `Broad`. */
export interface NameParts {
  phase: string
  match: string
}

/** What all campaigns of a launch have in common in their names. */
interface LaunchNaming {
  campaignName: string
  namePattern?: string | undefined
  products: readonly { asin: string; sku: string }[]
}

// A token without a value takes the text after it along: no name begins with a separator.
function filled(pieces: readonly string[], values: Readonly<Record<NameToken, string>>): string {
  const valueOf = (piece = '') => {
    const token = tokenIn(piece)
    return token && values[token]
  }
  return pieces
    .map((piece, i) => {
      const isDropped = valueOf(pieces[i - 1]) === '' || (i === pieces.length - 2 && valueOf(pieces[i + 1]) === '')
      return valueOf(piece) ?? (isDropped ? '' : piece)
    })
    .join('')
    .trim()
}

// Of several products the first stands for all.
const ofProducts = (all: readonly string[]): string =>
  all.length > 1 ? `${all[0]} +${all.length - 1}` : (all[0] ?? '')

const LEAST_OF_NAME = 20

/**
 * The names of a launch's campaigns by the pattern, within the account's limit. Room for all else is kept free first, so that
 * all names of a launch begin alike and stay different. A prefix that would leave the name itself less than 20 characters is
 * cut as well. `shortened` is true when something was cut, `fits` when the pattern leaves room for the name at all.
 */
export function planNames(
  { campaignName, namePattern = DEFAULT_NAME_PATTERN, products }: LaunchNaming,
  parts: readonly NameParts[],
  { campaignPrefix, accountType }: NamingAccount,
): { names: string[]; shortened: boolean; fits: boolean } {
  const pieces = namePattern.split(/(\{[^{}]*\})/).filter(piece => piece !== '')
  const namesWith = (prefix: string, own: string) =>
    parts.map(({ phase, match }) =>
      filled(pieces, {
        prefix,
        campaignName: own,
        phase,
        'match type': match,
        SKU: ofProducts(products.map(p => p.sku)),
        ASIN: ofProducts(products.map(p => p.asin)),
        'ad type': 'SP',
      }),
    )
  const name = campaignName.trim()
  const wholePrefix = pieces.includes('{prefix}') ? (campaignPrefix?.trim() ?? '') : ''
  // A name of one character, so that the text next to it counts.
  const roomBeside = (prefix: string) =>
    maxNameLength[accountType] + 1 - Math.max(...namesWith(prefix, '-').map(one => one.length))
  const least = Math.min(name.length, LEAST_OF_NAME)
  const prefixRoom = wholePrefix ? roomBeside(wholePrefix) + wholePrefix.length - least : 0
  const prefix = cut(wholePrefix, Math.max(0, prefixRoom))
  const own = cut(name, Math.max(0, roomBeside(prefix)))
  return {
    names: namesWith(prefix, own),
    shortened: own !== name || prefix !== wholePrefix,
    fits: roomBeside(prefix) >= least,
  }
}
