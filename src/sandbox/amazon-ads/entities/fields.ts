import { fromMicros } from '#shared/money.ts'
import type { EntityId, EntityState, Expression } from '../../core/model/store.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { campaignNameLength, type MoneyRange } from '../limits/ad-limits.ts'
import { checkKeywordText } from '../limits/keyword-text.ts'
import { type Entity, type Field, type Scope, siblingsOf } from './entity-kind.ts'
import { itemError } from './item-error.ts'
import { checkName, missing, optionalText, requiredText } from './read-fields.ts'

export const state: Field<Entity> = {
  read({ item, style, before }) {
    const value = style.readState(item, before === undefined)
    return value && { state: value }
  },
  write: (entity, { style }) => ({ state: style.word(entity.state) }),
}

/** For kinds that are always created enabled; a change may set another state. */
export const enabledState: Field<Entity> = {
  ...state,
  read: scope => (scope.before ? state.read?.(scope) : { state: 'ENABLED' }),
}

/** A word that is set at creation and never changes. Without a fallback it is required. */
export function fixedWord<T extends string>(name: string, allowed: readonly T[], fallback?: T | null): Field<Entity> {
  return {
    read({ item, style, before }) {
      if (before) return undefined
      const value = style.readWord(item, name, allowed) ?? fallback
      if (value === undefined) throw missing(name)
      return { [name]: value }
    },
    write(entity, { style }) {
      const value = (entity as unknown as Record<string, T | null>)[name]
      return value ? { [name]: style.word(value) } : {}
    },
  }
}

function usableParent<P extends { state: EntityState }>(
  field: 'campaignId' | 'adGroupId',
  id: EntityId,
  found: P | undefined | false,
): P {
  const what = field === 'campaignId' ? 'campaign' : 'ad group'
  if (!found)
    throw itemError('parentEntityError', 'PARENT_ENTITY_NOT_FOUND', {
      message: `The ${what} was not found`,
      field,
      trigger: id,
    })
  if (found.state === 'ARCHIVED')
    throw itemError('parentEntityError', 'PARENT_ENTITY_ARCHIVED', {
      message: `The ${what} is archived`,
      field,
      trigger: id,
    })
  return found
}

/** The id of a campaign of the caller's. Throws when there is none, or it is archived. */
function usableCampaign({ kind, caller }: Scope<Entity>, campaignId: EntityId): EntityId {
  const campaign = caller.world.store[kind.product.campaigns].get(campaignId)
  return usableParent('campaignId', campaignId, campaign?.profileId === caller.profile.profileId && campaign).campaignId
}

/** The campaign of an ad group, or of a negative of the whole campaign. */
export const inCampaign: Field<Entity> = {
  read: scope =>
    scope.before ? undefined : { campaignId: usableCampaign(scope, scope.style.readId(scope.item, 'campaignId')) },
}

/** The ad group of a child, with its campaign, which some families require the item to name. */
export function inAdGroup({ namesCampaign }: { namesCampaign: boolean }): Field<Entity> {
  return {
    read(scope) {
      const { kind, caller, item, style, before } = scope
      if (before) return undefined
      const named = namesCampaign ? style.readId(item, 'campaignId') : undefined
      const adGroupId = style.readId(item, 'adGroupId')
      const found = caller.world.store[kind.product.adGroups].get(adGroupId)
      const own = found?.profileId === caller.profile.profileId && found
      const campaignId = usableCampaign(scope, named ?? usableParent('adGroupId', adGroupId, own).campaignId)
      return {
        adGroupId: usableParent('adGroupId', adGroupId, found?.campaignId === campaignId && found).adGroupId,
        campaignId,
      }
    },
  }
}

const isVendor = ({ world, profile }: AdsCaller): boolean =>
  world.store.sellers.get(profile.sellerId)?.type === 'vendor'

interface NameRules {
  maxLength?: number
  /** Names are unique among the entities of one parent; an archived one frees its name. */
  within: 'campaignId' | 'profileId'
  message?: string
  reason?: 'NAME_NOT_UNIQUE' | 'DUPLICATE_VALUE'
}

/** A name that no sibling has; letter case does not matter. A campaign's name has the account's limit. */
export function uniqueName({ maxLength, within, message, reason }: NameRules): Field<Entity & { name: string }> {
  return {
    read(scope) {
      const { caller, item, before } = scope
      const name = before ? optionalText(item, 'name') : requiredText(item, 'name')
      if (name === undefined) return undefined
      checkName(name, maxLength ?? campaignNameLength(isVendor(caller)))
      for (const other of siblingsOf(scope, within))
        if (other !== before && other.state !== 'ARCHIVED' && other.name.toLowerCase() === name.toLowerCase())
          throw itemError('duplicateValueError', reason ?? 'NAME_NOT_UNIQUE', {
            message: message ?? 'The name is taken',
            field: 'name',
            trigger: name,
          })
      return { name }
    },
    write: ({ name }) => ({ name }),
  }
}

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
export function amount<E extends Entity>({
  name,
  column,
  range,
  fallback,
  isClearable,
  check,
}: AmountRules<E>): Field<E> {
  return {
    read(scope) {
      const { caller, item, style, before } = scope
      const micros = style.readAmount(caller, item, name, range(scope))
      if (micros !== undefined) {
        check?.(micros, scope)
        return { [column]: micros }
      }
      if (before) return isClearable && item[name] === null ? { [column]: null } : undefined
      if (!fallback) throw missing(name)
      return { [column]: fallback(scope) }
    },
    write(entity) {
      const micros = (entity as unknown as Record<string, number | null>)[column]
      return micros === null || micros === undefined ? {} : { [name]: fromMicros(micros) }
    },
  }
}

/** A keyword's text; its ad group (or campaign) has no other of the same text and match type. */
export function keywordText(
  maxWords: (matchType: string) => number,
  message: string,
): Field<Entity & { matchType: string; keywordText: string }> {
  return {
    read(scope) {
      const { item, before, draft } = scope
      if (before) return undefined
      const text = checkKeywordText(requiredText(item, 'keywordText'), maxWords(draft.matchType))
      for (const other of siblingsOf(scope, draft.adGroupId ? 'adGroupId' : 'campaignId'))
        if (
          other.state !== 'ARCHIVED' &&
          other.adGroupId === draft.adGroupId &&
          other.matchType === draft.matchType &&
          other.keywordText.toLowerCase() === text.toLowerCase()
        )
          throw itemError('duplicateValueError', 'DUPLICATE_VALUE', { message, field: 'keywordText', trigger: text })
      return { keywordText: text }
    },
    write: entity => ({ keywordText: entity.keywordText }),
  }
}

/** Throws when the draft's ad group (or campaign) has an entity with the same expression. */
export function refuseSameExpression<E extends Entity & { expression: unknown }>(
  scope: Scope<E>,
  expression: E['expression'],
  { keyOf, field, message }: { keyOf: (expression: E['expression']) => string; field: string; message: string },
): void {
  const key = keyOf(expression)
  for (const other of siblingsOf(scope, scope.draft.adGroupId ? 'adGroupId' : 'campaignId'))
    if (other.adGroupId === scope.draft.adGroupId && other.state !== 'ARCHIVED' && keyOf(other.expression) === key)
      throw itemError('duplicateValueError', 'DUPLICATE_VALUE', { message, field, trigger: expression })
}

/** The same for equal expressions, whatever the order of their parts. */
export function expressionKey(expression: readonly Expression[]): string {
  return expression
    .map(({ type, value = '' }) => `${type}=${value}`)
    .sort()
    .join('&')
}

const languageFields = ['nativeLanguageKeyword', 'nativeLanguageLocale'] as const

/** The keyword in the advertiser's own language, and which language that is. */
export const nativeLanguage: Field<Entity & Partial<Record<(typeof languageFields)[number], string>>> = {
  read({ item, before }) {
    if (before) return undefined
    const texts = languageFields.map(name => [name, optionalText(item, name)])
    return Object.fromEntries(texts.filter(([, text]) => text !== undefined))
  },
  write: entity =>
    Object.fromEntries(languageFields.flatMap(name => (entity[name] === undefined ? [] : [[name, entity[name]]]))),
}
