import { fromMicros } from '#shared/money.ts'
import type { EntityId, EntityState, Expression } from '../../core/model/store.ts'
import { isVendor } from '../ads-caller.ts'
import { type MoneyRange } from '#shared/ad-limits.ts'
import { campaignNameLength } from '../limits/ad-limits.ts'
import { type Entity, type Field, findClauseLike, findSibling, type Scope } from './entity-kind.ts'
import { itemError, throwFirst } from './item-error.ts'
import { optionalText, required, requiredText } from './read-fields.ts'
import type { WireStyle } from './wire-styles.ts'

const valueOf = (entity: Entity, name: string): unknown => (entity as unknown as Record<string, unknown>)[name]

export const state: Field = {
  read({ item, style, before }) {
    const value = style.readState(item, before === undefined)
    return value && { state: value }
  },
  write: (entity, { style }) => ({ state: style.word(entity.state) }),
}

/** For kinds that are always created enabled; a change may set another state. */
export const enabledState: Field = {
  ...state,
  read: scope => (scope.before ? state.read?.(scope) : { state: 'ENABLED' }),
}

interface WordRules<T extends string> {
  /** The value of a new entity whose item has none; absent: it must have one. */
  fallback?: T | null
  /** Whether even a change, which cannot set it, is refused for another word. */
  isAlwaysChecked?: boolean
  /** How the word is written, where not as the family's other words. */
  style?: WireStyle
}

export function fixedWord<T extends string>(
  name: string,
  allowed: readonly T[],
  { fallback, isAlwaysChecked, style: ownStyle }: WordRules<T> = {},
): Field {
  return {
    read({ item, style, before }) {
      if (before && !isAlwaysChecked) return undefined
      const value = (ownStyle ?? style).readWord(item, name, allowed) ?? fallback
      return before ? undefined : { [name]: value === null ? null : required(value, name) }
    },
    write(entity, { style }) {
      const value = valueOf(entity, name) as T | null
      return value ? { [name]: (ownStyle ?? style).word(value) } : {}
    },
  }
}

function usableParent<P extends { state: EntityState }>(
  field: 'campaignId' | 'adGroupId',
  id: EntityId,
  found: P | undefined | false,
): P {
  const what = field === 'campaignId' ? 'campaign' : 'ad group'
  if (!found) throw itemError('PARENT_ENTITY_NOT_FOUND', `The ${what} was not found`, { [field]: id })
  if (found.state === 'ARCHIVED') throw itemError('PARENT_ENTITY_ARCHIVED', `The ${what} is archived`, { [field]: id })
  return found
}

/** The id of a campaign of the caller's. Throws when there is none, or it is archived. */
function usableCampaign({ kind, caller }: Scope, campaignId: EntityId): EntityId {
  const campaign = caller.world.store[kind.product.campaigns].get(campaignId)
  return usableParent('campaignId', campaignId, campaign?.profileId === caller.profile.profileId && campaign).campaignId
}

/** The campaign of an ad group, or of a negative of the whole campaign. */
export const inCampaign: Field = {
  once: true,
  read: scope => ({ campaignId: usableCampaign(scope, scope.style.readId(scope.item, 'campaignId')) }),
}

/** The ad group of a child, with its campaign, which some families require the item to name. */
export const inAdGroup = ({ namesCampaign }: { namesCampaign: boolean }): Field => ({
  once: true,
  read(scope) {
    const { kind, caller, item, style } = scope
    const named = namesCampaign ? style.readId(item, 'campaignId') : undefined
    const adGroupId = style.readId(item, 'adGroupId')
    const found = caller.world.store[kind.product.adGroups].get(adGroupId)
    const own = found?.profileId === caller.profile.profileId && found
    const campaignId = usableCampaign(scope, named ?? usableParent('adGroupId', adGroupId, own).campaignId)
    usableParent('adGroupId', adGroupId, found?.campaignId === campaignId && found)
    return { adGroupId, campaignId }
  },
})

interface NameRules {
  /** Absent: the limit of campaigns, which is the account's. */
  maxLength?: number
  /** Names are unique among the entities of one parent, whatever their case; an archived one frees its name. */
  within?: 'campaignId' | 'profileId'
  message?: string
  reason?: 'NAME_NOT_UNIQUE' | 'DUPLICATE_VALUE'
}

export const nameField = ({
  maxLength,
  within,
  message = 'The name is taken',
  reason = 'NAME_NOT_UNIQUE',
}: NameRules): Field<Entity & { name: string }> => ({
  read(scope) {
    const { caller, item, before } = scope
    const name = optionalText(item, 'name')
    if (before && name === undefined) return undefined
    checkName(required(name, 'name'), maxLength ?? campaignNameLength[isVendor(caller) ? 'vendor' : 'seller'])
    if (within && findSibling(scope, within, other => other.name.toLowerCase() === name?.toLowerCase()))
      throw itemError(reason, message, { name })
    return { name }
  },
  write: ({ name }) => ({ name }),
})

interface AmountRules<E extends Entity> {
  name: string
  column: string
  range: (scope: Scope<E>) => MoneyRange
  /** The value of a new entity whose item has none; absent: it must have one. */
  fallback?: (scope: Scope<E>) => number | null
  /** Whether a change to null clears the amount. */
  isClearable?: boolean
  check?: (micros: number, scope: Scope<E>) => void
}

/** A bid or a budget that an item has as a plain amount. */
export const amount = <E extends Entity>({
  name,
  column,
  range,
  fallback,
  isClearable,
  check,
}: AmountRules<E>): Field<E> => ({
  read(scope) {
    const { caller, item, style, before } = scope
    const micros = style.readAmount(caller, item, name, range(scope))
    if (micros !== undefined) {
      check?.(micros, scope)
      return { [column]: micros }
    }
    if (before) return isClearable && item[name] === null ? { [column]: null } : undefined
    return { [column]: fallback ? fallback(scope) : required(micros, name) }
  },
  write(entity) {
    const micros = valueOf(entity, column)
    return typeof micros === 'number' ? { [name]: fromMicros(micros) } : {}
  },
})

/** A keyword's text; its ad group (or campaign) has no other of the same text and match type. */
export const keywordText = (
  maxWords: (matchType: string) => number,
  message: string,
): Field<Entity & { matchType: string; keywordText: string }> => ({
  once: true,
  read(scope) {
    const { matchType } = scope.draft
    const text = checkKeywordText(requiredText(scope.item, 'keywordText'), maxWords(matchType))
    const isSame = (other: typeof scope.draft) =>
      other.matchType === matchType && other.keywordText.toLowerCase() === text.toLowerCase()
    if (findClauseLike(scope, isSame)) throw itemError('DUPLICATE_VALUE', message, { keywordText: text })
    return { keywordText: text }
  },
  write: entity => ({ keywordText: entity.keywordText }),
})

/** Throws when the draft's ad group (or campaign) has an entity with the same expression, by its key. */
export function refuseSameExpression<E extends Entity & { expression: unknown }>(
  scope: Scope<E>,
  expression: E['expression'],
  { keyOf, field, message }: { keyOf: (expression: E['expression']) => string; field: string; message: string },
): void {
  const key = keyOf(expression)
  if (findClauseLike(scope, other => keyOf(other.expression) === key))
    throw itemError('DUPLICATE_VALUE', message, { [field]: expression })
}

/** The same for equal expressions, whatever the order of their parts. */
export const expressionKey = (expression: readonly Expression[]): string =>
  expression
    .map(({ type, value = '' }) => `${type}=${value}`)
    .sort()
    .join('&')

const languageFields = ['nativeLanguageKeyword', 'nativeLanguageLocale'] as const

/** The keyword in the advertiser's own language, and which language that is. */
export const nativeLanguage: Field<Entity & Partial<Record<(typeof languageFields)[number], string>>> = {
  once: true,
  read({ item }) {
    const texts = languageFields.map(name => [name, optionalText(item, name)])
    return Object.fromEntries(texts.filter(([, text]) => text !== undefined))
  },
  write: entity => Object.fromEntries(languageFields.map(name => [name, entity[name]])),
}

/** A name: not blank, no blanks around it, no control characters, at most so long. */
function checkName(name: string, most: number): string {
  throwFirst([
    [name.trim() === '', 'BLANK', 'The name must not be blank', { name }],
    [name !== name.trim(), 'LEADING_OR_TRAILING_WHITESPACE', 'The name has blanks at its ends', { name }],
    [/\p{Cc}/u.test(name), 'FORBIDDEN_CHARS', 'The name has characters that are not allowed', { name }],
    [name.length > most, 'TOO_LONG', `The name is longer than ${most} characters`, { name }],
  ])
  return name
}

// What keywords are written in, by the vendor's page of limits; digits go without saying there.
const letters = [
  '0-9A-Za-z',
  // Latin letters with marks, those that the page names.
  '\\u00AE\\u00C0-\\u00CF\\u00D1-\\u00D6\\u00D9-\\u00DC\\u00DF\\u00E0-\\u00EF\\u00F1-\\u00F6\\u00F9-\\u00FC\\u00FF',
  '\\u0104-\\u0107\\u0118\\u0119\\u0130\\u0131\\u0141-\\u0144\\u0152\\u0153\\u015A-\\u015F\\u0178-\\u017E',
  // Arabic, Devanagari, Tamil, Hiragana, Katakana, Kanji.
  '\\u0600-\\u06FF\\u0900-\\u097F\\u0B80-\\u0BFF\\u3000-\\u30FF\\u4E00-\\u9FFF',
].join('')
const allowed = new RegExp(`^[${letters} &\\\\[\\]'".+-]*$`, 'u')
// No full stop at the ends; hyphens and pluses only between letters; quotation marks in pairs.
const oddlyPlaced = (text: string): boolean =>
  /^\.|\.$|(^|\s)[-+]|[-+](\s|$)/.test(text) || text.split('"').length % 2 === 0

/** A keyword's text with single blanks: at most 80 characters and `mostWords` words. Throws an `ItemError`. */
export function checkKeywordText(keywordText: string, mostWords: number): string {
  const even = keywordText.replace(/\s+/g, ' ')
  const at = { keywordText }
  throwFirst([
    [even.trim() === '', 'BLANK', 'The keyword must not be blank', at],
    [even !== even.trim(), 'LEADING_OR_TRAILING_WHITESPACE', 'The keyword has blanks at its ends', at],
    [!allowed.test(even), 'FORBIDDEN_CHARS', 'The keyword has characters that are not allowed', at],
    [oddlyPlaced(even), 'FORBIDDEN_CHARS', 'The keyword has a character where it is not allowed', at],
    [even.length > 80, 'TOO_LONG', 'The keyword is longer than 80 characters', at],
    [even.split(' ').length > mostWords, 'TOO_LONG', `The keyword has more than ${mostWords} words`, at],
  ])
  return even
}
