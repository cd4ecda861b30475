import { type AdvertiserType, maxNameLength } from '#shared/campaign-rules.ts'

/** What a pattern of names can have in braces; `prefix` is the advertising account's. */
export const nameTokens = ['prefix', 'campaignName', 'phase', 'match type', 'SKU', 'ASIN', 'ad type'] as const
type NameToken = (typeof nameTokens)[number]
export const DEFAULT_NAME_PATTERN = '{prefix} | {campaignName} | {phase} | {match type}'
export const MAX_NAME_PATTERN = 100

// Without them the campaigns of a launch, or two launches, would be called the same.
const required: readonly NameToken[] = ['campaignName', 'phase', 'match type']
const isToken = (text: string): text is NameToken => (nameTokens as readonly string[]).includes(text)
const named = (token: string) => `{${token}}`

/** Why a pattern of names cannot be used, in words; null when it can. For the field, the step and the server. */
export function namePatternProblem(pattern: string): string | null {
  if (pattern.length > MAX_NAME_PATTERN) return `A pattern has at most ${MAX_NAME_PATTERN} characters`
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001F\u007F\u00AD\u200B\u2060\uFEFF]/.test(pattern))
    return 'The pattern has a character that cannot be seen: type it again'
  const tokens = [...pattern.matchAll(/\{([^{}]*)\}/g)].map(([, token = '']) => token)
  const unknown = tokens.find(token => !isToken(token))
  if (unknown !== undefined) return `${named(unknown)} means nothing here: use ${nameTokens.map(named).join(', ')}`
  if (/[{}]/.test(pattern.replaceAll(/\{[^{}]*\}/g, ''))) return 'The pattern has a brace without its other half'
  const twice = tokens.find((token, i) => tokens.indexOf(token) !== i)
  if (twice !== undefined) return `${named(twice)} can stand in the pattern once`
  const missing = required.filter(token => !tokens.includes(token))
  return missing.length ? `The pattern needs ${missing.map(named).join(', ')}: names must differ` : null
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
export interface LaunchNaming {
  campaignName: string
  /** Null: the usual one. */
  pattern: string | null
  products: readonly { asin: string; sku: string }[]
}

type Piece = { token: NameToken } | { text: string }

function piecesOf(pattern: string): Piece[] {
  return pattern
    .split(/(\{[^{}]*\})/)
    .filter(part => part !== '')
    .map(part => {
      const token = part.slice(1, -1)
      return part.startsWith('{') && isToken(token) ? { token } : { text: part }
    })
}

// A token without a value takes the text after it along: no name begins with a separator.
function filled(pieces: readonly Piece[], values: Readonly<Record<NameToken, string>>): string {
  const isEmpty = (piece: Piece | undefined) => piece !== undefined && 'token' in piece && values[piece.token] === ''
  return pieces
    .map((piece, i) => {
      if ('token' in piece) return values[piece.token]
      return isEmpty(pieces[i - 1]) || (i === pieces.length - 2 && isEmpty(pieces[i + 1])) ? '' : piece.text
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
  { campaignName, pattern, products }: LaunchNaming,
  parts: readonly NameParts[],
  { campaignPrefix, accountType }: NamingAccount,
): { names: string[]; shortened: boolean; fits: boolean } {
  const pieces = piecesOf(pattern ?? DEFAULT_NAME_PATTERN)
  const nameOf = (part: NameParts, prefix: string, own: string) =>
    filled(pieces, {
      prefix,
      campaignName: own,
      phase: part.phase,
      'match type': part.match,
      SKU: ofProducts(products.map(p => p.sku)),
      ASIN: ofProducts(products.map(p => p.asin)),
      'ad type': 'SP',
    })
  const longest = (prefix: string, own: string) => Math.max(...parts.map(part => nameOf(part, prefix, own).length))
  const limit = maxNameLength[accountType]
  const name = campaignName.trim()
  const hasPrefix = pieces.some(piece => 'token' in piece && piece.token === 'prefix')
  const wholePrefix = hasPrefix ? (campaignPrefix?.trim() ?? '') : ''
  // A name of one character, so that the text next to it counts.
  const roomBeside = (prefix: string) => limit - (longest(prefix, '-') - 1)
  const least = Math.min(name.length, LEAST_OF_NAME)
  const prefixRoom = wholePrefix ? roomBeside(wholePrefix) + wholePrefix.length - least : 0
  const prefix = cut(wholePrefix, Math.max(0, prefixRoom))
  const own = cut(name, Math.max(0, roomBeside(prefix)))
  return {
    names: parts.map(part => nameOf(part, prefix, own)),
    shortened: own !== name || prefix !== wholePrefix,
    fits: roomBeside(prefix) >= least,
  }
}
