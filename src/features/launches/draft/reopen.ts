import * as v from 'valibot'
import { normalTerm } from '../chosen-terms.ts'
import type { Launch } from '../contract.ts'
import { type CreatePayload, MAX_CAMPAIGN_NAME } from '../launch-schema.ts'
import { templateOf } from '../templates.ts'
import { payloadOf } from './payload-of.ts'
import { type FieldProblem, problemAt } from './rules.ts'
import { CAMPAIGN_KEY, STEP_COUNT, type WizardKeyword, type WizardState, wizardState } from './wizard-state.ts'

type Owner = CreatePayload | CreatePayload['products'][number]

const keywordKey = ({ keyword, matchType }: Pick<WizardKeyword, 'keyword' | 'matchType'>) =>
  `${matchType} ${normalTerm(keyword)}`

/**
 * The wizard in which a payload was entered: the inverse of `payloadOf`. A payload has no titles and pictures of products. Null
 * where it holds more than a wizard does.
 */
export function stateOf(payload: CreatePayload): WizardState | null {
  const { products, keywordMatchType = 'EXACT' } = payload
  const { multiProduct } = templateOf(payload.template)
  // A single-product template has only the product's lists. A flattened list repeats those of the products.
  const listsOf = <T>(of: (owner: Owner) => readonly T[], idOf: (item: T) => string, isFlat = false) => {
    const existing = new Set(products.flatMap(product => of(product).map(idOf)))
    const rest = of(payload).filter(item => !existing.has(idOf(item)))
    const lists = products.map(
      (product, i) => [product.asin, multiProduct || i > 0 ? of(product) : [...of(product), ...rest]] as const,
    )
    const ofCampaign = [CAMPAIGN_KEY, isFlat && rest.length ? rest : of(payload)] as const
    return Object.fromEntries((multiProduct ? [...lists, ofCampaign] : lists).filter(([, items]) => items.length))
  }
  const keywordsOf = (owner: Owner) => owner.keywords.map(k => ({ ...k, matchType: k.matchType ?? keywordMatchType }))
  const parsed = v.safeParse(wizardState, {
    ...payload,
    currentStep: STEP_COUNT,
    products: products.map(({ asin, sku }) => ({ asin, sku, title: null, imageUrl: null })),
    keywords: listsOf(keywordsOf, keywordKey, true),
    categories: listsOf(
      owner => owner.categories,
      ({ id }) => id,
    ),
    productTargets: listsOf(
      owner => owner.productTargets,
      ({ asin }) => asin,
    ),
  })
  return parsed.success ? parsed.output : null
}

/** How many terms of a payload the wizard could not launch again, because it has no place for them. */
export function withoutPlace(payload: CreatePayload, state: WizardState): number {
  const again = payloadOf(state)
  const placed = again ? termsOf(again as CreatePayload) : new Set<string>()
  return [...termsOf(payload)].filter(term => !placed.has(term)).length
}

function termsOf(payload: CreatePayload): Set<string> {
  const owners: readonly Owner[] = [...payload.products, payload]
  const { productMatchType = 'PRODUCT_EXACT', keywordMatchType = 'EXACT' } = payload
  return new Set([
    ...owners.flatMap(o => o.keywords.map(k => keywordKey({ ...k, matchType: k.matchType ?? keywordMatchType }))),
    ...owners.flatMap(o => o.categories.map(c => c.id)),
    ...owners.flatMap(o => o.productTargets.map(t => `${t.matchType ?? productMatchType} ${t.asin}`)),
    ...payload.negativeKeywords.map(n => `${n.matchType} ${normalTerm(n.keyword)}`),
  ])
}

/**
 * What a launch failed for and a change of the wizard can repair, one problem for each field, in the order of the steps. Failures
 * of the marketplace or of ours have no field.
 */
export function failedFields({ steps }: Pick<Launch, 'steps'>): FieldProblem[] {
  const errors = steps.flatMap(step =>
    step.errors.flatMap(({ field, ...error }) => (field ? [{ field, ...error }] : [])),
  )
  return [...Map.groupBy(errors, ({ field }) => field)]
    .map(([field, [first, ...others]]) => {
      const more = others.length ? ` ${others.length} more failed likewise.` : ''
      return problemAt(field, `${first?.item}: ${first?.message}${more}`)
    })
    .sort((a, b) => a.step - b.step)
}

const numbered = /^(.*\S) \((\d{1,4})\)$/

/** The next name for a campaign with a taken name: “Mats (2)” for “Mats”, then “Mats (3)”; never too long. */
export function nextName(name: string): string {
  const [, base = name, number = '1'] = numbered.exec(name) ?? []
  const tail = ` (${Number(number) + 1})`
  // A cut may leave half of a character that takes two places.
  const room = base.slice(0, MAX_CAMPAIGN_NAME - tail.length).replace(/[\uD800-\uDBFF]$/, '')
  return `${room.trimEnd()}${tail}`
}
