import { queryOptions } from '@tanstack/react-query'
import { isNotFound } from '#client/api/api-error.ts'
import { call, type CallOptions } from '#client/api/call.ts'
import type { EditKind } from '#client/outbox/flush-outbox.ts'
import type { NewEdit } from '#client/outbox/outbox.ts'
import { sendOrKeep } from '#client/outbox/send-or-keep.ts'
import type { NegativeMatchType } from '#shared/keyword-rules.ts'
import { type Shop, shopText } from '#features/accounts/client/public.ts'
import {
  MAX_NEGATIVES,
  negativeEndpoints as endpoints,
  type NegativesCreated,
  type NegativesPreview,
  negativeTargetTypes,
} from '#features/negatives/contract.ts'
import type { Negative, Target } from '#features/structure/contract.ts'
import { matchWords } from '../form/field-labels.ts'

/** A negative that is about to be added. */
export interface NegativeDraft {
  adType: string
  campaignId: number
  /** Null: on the whole campaign. */
  adGroupId: number | null
  /** A keyword, or what `targetType` says of a product: its ASIN, or a brand. */
  text: string
  matchType: NegativeMatchType
  /** Absent for a keyword. */
  targetType?: (typeof negativeTargetTypes)[number]
}

/** What a negative can exclude of what a row aims at: one product or brand. Null for anything else, also with conditions. */
export function excludableOf(
  expression: Target['expression'],
): Required<Pick<NegativeDraft, 'text' | 'targetType'>> | null {
  const [only, ...others] = expression ?? []
  const targetType = negativeTargetTypes.find(type => type === only?.type)
  return targetType && others.length === 0 && typeof only?.value === 'string' ? { targetType, text: only.value } : null
}

/** What a negative is, whichever list it is in. */
type AnyNegative = Pick<Negative, 'campaignId' | 'adGroupId' | 'kind' | 'text' | 'matchType' | 'expression'> & {
  adType: string
}

/** What would add it again; null for what is not added from here. */
export function draftOf({
  adType,
  campaignId,
  adGroupId,
  text,
  matchType,
  kind,
  expression,
}: AnyNegative): NegativeDraft | null {
  const type = matchType === 'NEGATIVE_PHRASE' ? matchType : 'NEGATIVE_EXACT'
  const place = { adType, campaignId, adGroupId, matchType: type } as const
  if (adType === 'SPONSORED_DISPLAY') return null
  if (kind === 'KEYWORD') return matchType === type ? { ...place, text } : null
  const excludable = excludableOf(expression)
  return excludable && { ...place, ...excludable }
}

/** Which kind of negative it is, in words. */
export const negativeKind = ({
  kind,
  expression,
  matchType,
}: Pick<AnyNegative, 'kind' | 'expression' | 'matchType'>): string =>
  kind === 'KEYWORD'
    ? matchWords(matchType)
    : expression?.[0]?.type === 'ASIN_BRAND_SAME_AS'
      ? 'Negative brand'
      : 'Negative product'

export type PreviewedNegative = NegativesPreview['items'][number]
/** WAITS: in the outbox, until there is a network. */
export type NegativeOutcome = NegativesCreated['outcomes'][number] | { status: 'WAITS'; id: null; message: null }

interface Batch {
  drafts: readonly NegativeDraft[]
  /** Where each of them stands among all. */
  places: readonly number[]
}

/** One call's worth each: what goes to one place and is of one kind. */
function batchesOf(drafts: readonly NegativeDraft[]): Batch[] {
  const places = drafts.map((_, place) => place)
  const groups = Map.groupBy(places, place => {
    const { adType, campaignId, adGroupId, targetType } = drafts[place] as NegativeDraft
    return [adType, campaignId, adGroupId, Boolean(targetType)].join()
  })
  return [...groups.values()].flatMap(all =>
    Array.from({ length: Math.ceil(all.length / MAX_NEGATIVES) }, (_, chunk) => {
      const some = all.slice(chunk * MAX_NEGATIVES, (chunk + 1) * MAX_NEGATIVES)
      return { places: some, drafts: some.map(place => drafts[place] as NegativeDraft) }
    }),
  )
}

function bodyOf({ drafts: [first, ...rest] }: Batch) {
  if (!first) throw new TypeError('an empty batch')
  const { campaignId, adGroupId } = first
  const all = [first, ...rest]
  const place = { campaignId, ...(adGroupId !== null && { adGroupId }) }
  return first.targetType
    ? {
        ...place,
        targets: all.map(({ text, targetType = 'ASIN_SAME_AS' }) => ({ expressionType: targetType, value: text })),
      }
    : { ...place, keywords: all.map(({ text, matchType }) => ({ text, matchType })) }
}

/** What negatives would do, in their order: asked of the server, nothing is sent to the marketplace. */
export const negativesPreview = (shop: Shop, drafts: readonly NegativeDraft[]) =>
  queryOptions({
    // Apart from the lists, which are asked for again when the negatives are there: then each would exist already.
    queryKey: ['negatives-preview', shop, drafts],
    queryFn: async ({ signal }): Promise<{ items: PreviewedNegative[]; currency: string }> => {
      const items: PreviewedNegative[] = []
      let currency = 'USD'
      for (const batch of batchesOf(drafts)) {
        const adType = batch.drafts[0]?.adType === 'SPONSORED_BRANDS' ? 'SPONSORED_BRANDS' : 'SPONSORED_PRODUCTS'
        const answer = await call(endpoints.preview, { body: { ...bodyOf(batch), adType } }, { signal })
        answer.items.forEach((item, index) => (items[batch.places[index] ?? -1] = item))
        currency = answer.currency
      }
      return { items, currency }
    },
    // What is there and what runs may change meanwhile.
    staleTime: 0,
    gcTime: 0,
    meta: { silent: true },
  })

/** One call that adds negatives, as the outbox has it. */
interface Addition {
  isBrand: boolean
  body: ReturnType<typeof bodyOf>
}

function sendAddition({ isBrand, body }: Addition, options: CallOptions): Promise<NegativesCreated> {
  if ('targets' in body)
    return call(isBrand ? endpoints.createBrandTargets : endpoints.createProductTargets, { body }, options)
  return call(isBrand ? endpoints.createBrandKeywords : endpoints.createProductKeywords, { body }, options)
}

const addedTexts = ({ body }: Addition): string[] =>
  'targets' in body ? body.targets.map(({ value }) => value) : body.keywords.map(({ text }) => text)

function additionWords({ body }: Addition): string {
  if ('targets' in body) return `Add negative ${body.targets.length === 1 ? 'product' : 'products'}`
  const types = new Set(body.keywords.map(({ matchType }) => matchWords(matchType).toLowerCase()))
  return `Add ${[...types].join(' and ')}`
}

const quoted = ([first, ...others]: readonly string[]): string =>
  `“${first}”${others.length > 0 ? ` and ${others.length} more` : ''}`

function additionNote(addition: Addition, shop: Shop): NewEdit {
  const { campaignId } = addition.body
  return {
    kind: addNegatives,
    row: 0,
    isAct: true,
    name: quoted(addedTexts(addition)),
    words: additionWords(addition),
    version: null,
    set: { ...addition },
    was: {},
    shop: shopText(shop),
    href: `/negatives?campaignId=${campaignId}`,
  }
}

export const addNegatives = 'addNegatives'
// Nothing else makes edits of this kind.
const additionOf = (set: Record<string, unknown>): Addition => set as unknown as Addition

/** What the outbox knows of added negatives: which of them are sent may be changed. */
export const addNegativesKind: EditKind = {
  send: async ({ id, set, user, shop }) => {
    const { outcomes } = await sendAddition(additionOf(set), { idempotencyKey: id, onlyAs: user, shop })
    const failed = outcomes.filter(({ status }) => status === 'INVALID')
    if (failed.length > 0)
      return `${failed.length} of ${outcomes.length} could not be added: ${failed[0]?.message ?? 'the marketplace takes no such negative.'}`
  },
  fields: ({ set }) =>
    addedTexts(additionOf(set)).map((label, index) => ({
      name: String(index),
      label,
      value: true,
      format: String,
      input: 'part',
    })),
  revise: ({ set }, values) => {
    const { body, ...rest } = additionOf(set)
    const isPart = (_: unknown, index: number): boolean => values[index] !== false
    const addition: Addition = {
      ...rest,
      body:
        'targets' in body
          ? { ...body, targets: body.targets.filter(isPart) }
          : { ...body, keywords: body.keywords.filter(isPart) },
    }
    return addedTexts(addition).length > 0 ? { set: { ...addition }, words: additionWords(addition) } : null
  },
}

/** Adds negatives; answers what became of each, in their order. Those that the server does not answer for wait. */
export async function createNegatives(shop: Shop, drafts: readonly NegativeDraft[]): Promise<NegativeOutcome[]> {
  const outcomes: NegativeOutcome[] = []
  for (const batch of batchesOf(drafts)) {
    const addition = { isBrand: batch.drafts[0]?.adType === 'SPONSORED_BRANDS', body: bodyOf(batch) }
    const sent = await sendOrKeep(additionNote(addition, shop), idempotencyKey =>
      sendAddition(addition, { idempotencyKey, shop: shopText(shop) }),
    )
    batch.places.forEach((place, index) => {
      outcomes[place] = sent?.answer.outcomes[index] ?? { status: 'WAITS', id: null, message: null }
    })
  }
  return outcomes
}

export const removeNegative = 'removeNegative'

const sendRemoval = (id: number, options: CallOptions = {}): Promise<null> =>
  call(endpoints.remove, { params: { id } }, options)

export const removeNegativeKind: EditKind = {
  send: ({ row, user, tried }) =>
    sendRemoval(row, { onlyAs: user }).then(
      () => undefined,
      (error: unknown) => {
        // One that never reached the marketplace is gone once it is removed.
        if (!tried || !isNotFound(error)) throw error
      },
    ),
}

/** Removes one negative. False: that waits until the server answers. */
export async function removeOne(shop: Shop, { id, name }: { id: number; name: string }): Promise<boolean> {
  const note: NewEdit = {
    kind: removeNegative,
    row: id,
    isAct: true,
    name,
    words: 'Remove negative',
    version: null,
    set: { state: 'ARCHIVED' },
    was: {},
    shop: shopText(shop),
    href: '/negatives',
  }
  return (await sendOrKeep(note, () => sendRemoval(id))) !== null
}

const atOnce = 10

/** Removes negatives that were just added, a few at a time. */
export async function removeNegatives(ids: readonly number[]): Promise<void> {
  for (let from = 0; from < ids.length; from += atOnce)
    await Promise.all(ids.slice(from, from + atOnce).map(id => sendRemoval(id)))
}
