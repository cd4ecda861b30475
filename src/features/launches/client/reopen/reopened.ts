import * as v from 'valibot'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { keysOf } from '../../chosen-terms.ts'
import type { Launch } from '../../contract.ts'
import { payloadOf } from '../../draft/payload-of.ts'
import { type FieldProblem, launchProblems, problemAt } from '../../draft/rules.ts'
import {
  CAMPAIGN_KEY,
  keywordId,
  productOf,
  STEP_COUNT,
  type WizardProduct,
  type WizardState,
  wizardState,
} from '../../draft/wizard-state.ts'
import { type CreatePayload, MAX_CAMPAIGN_NAME } from '../../launch-schema.ts'
import { templateOf } from '../../templates.ts'
import { firstFew } from '../wizard/labels.ts'
import { wizardReducer } from '../wizard/wizard-reducer.ts'

export interface Reopened {
  state: WizardState
  /** What the user has to fix, in the order of the steps; `currentStep` is the step of the first. */
  problems: readonly FieldProblem[]
  notes: readonly string[]
}

type Listed = Parameters<typeof productOf>[0]

/**
 * The payload of a launch as a wizard, with the products as they are listed now, at the step of the first problem or at the
 * review. Null when the payload can no longer be read.
 */
export function reopened(launch: Launch, listed: readonly Listed[], market: MarketplaceFacts): Reopened | null {
  const payload = launch.input?.payload
  const launched = payload && stateOf(payload)
  if (!payload || !launched) return null
  const unlisted = launched.products.filter(product => !rowOf(product, listed))
  const remaining = unlisted.reduce(
    (state, { asin }) => wizardReducer(state, { type: 'productRemoved', asin }),
    launched,
  )
  const products = remaining.products.map(product => productOf(rowOf(product, listed) ?? product) ?? product)
  const failed = failedFields(launch)
  // What the launch created keeps its name, on the marketplace too.
  const isTaken = launch.createdCount > 0 && launch.undo !== 'DONE'
  const isRenamed = isTaken && !failed.some(({ field }) => field === 'campaignName')
  const campaignName = isRenamed ? nextName(launched.campaignName) : launched.campaignName
  const state = { ...remaining, products, campaignName }
  const incomplete = launchProblems(state, market)
  const problems = [
    ...(unlisted.length ? [problemAt('products', unlistedNote(unlisted))] : []),
    ...failed,
    ...incomplete
      .filter(({ step }) => step === incomplete[0]?.step)
      .map(({ field, message }) => problemAt(field, message)),
  ].sort((a, b) => a.step - b.step)
  const lost = withoutPlace(payload, launched)
  const notes: string[] = []
  if (isRenamed) notes.push(renameNote(launch, campaignName))
  if (lost === 1) notes.push('1 of its terms does not fit into the wizard and was left out.')
  if (lost > 1) notes.push(`${lost} of its terms do not fit into the wizard and were left out.`)
  return { state: { ...state, currentStep: problems[0]?.step ?? STEP_COUNT }, problems, notes }
}

function rowOf({ asin, sku }: WizardProduct, listed: readonly Listed[]): Listed | undefined {
  return listed.find(row => row.asin === asin && row.sku === sku)
}

const renameNote = ({ campaignName, status }: Launch, name: string): string => {
  const instead = status === 'COMPLETED' ? '' : ' If this launch replaces it, undo the old one in the log.'
  return `The new name is “${name}”, because “${campaignName}” still exists.${instead}`
}

const unlistedNote = (unlisted: readonly WizardProduct[]): string =>
  `No longer listed, so removed along with its targeting: ${firstFew(
    unlisted.map(({ asin, sku }) => `${asin} (${sku})`),
    3,
  )}`

type Owner = CreatePayload | CreatePayload['products'][number]

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
  const categoriesOf = (owner: Owner) => owner.categories
  const targetsOf = (owner: Owner) => owner.productTargets
  const keywordsOf = (owner: Owner) => owner.keywords.map(k => ({ ...k, matchType: k.matchType ?? keywordMatchType }))
  const parsed = v.safeParse(wizardState, {
    ...payload,
    currentStep: STEP_COUNT,
    products: products.map(({ asin, sku }) => ({ asin, sku, title: null, imageUrl: null })),
    keywords: listsOf(keywordsOf, keywordId, true),
    categories: listsOf(categoriesOf, ({ id }) => id),
    productTargets: listsOf(targetsOf, ({ asin }) => asin),
  })
  return parsed.success ? parsed.output : null
}

function withoutPlace(payload: CreatePayload, state: WizardState): number {
  const again = payloadOf(state)
  const placed = again ? termsOf(again as CreatePayload) : new Set<string>()
  return [...termsOf(payload)].filter(term => !placed.has(term)).length
}

function termsOf(payload: CreatePayload): Set<string> {
  const keys = keysOf({ ...payload, keywordMatchType: payload.keywordMatchType ?? 'EXACT' })
  return new Set([
    ...[...payload.products, payload].flatMap(({ keywords, categories, productTargets }) => [
      ...keywords.map(keys.keywords),
      ...categories.map(keys.categories),
      ...productTargets.map(keys.productTargets),
    ]),
    ...payload.negativeKeywords.map(negative => keywordId(negative)),
  ])
}

/**
 * What a launch failed for and a change of the wizard can repair, one problem for each field, in the order of the steps. Failures
 * of the marketplace or of ours have no field.
 */
function failedFields({ steps }: Pick<Launch, 'steps'>): FieldProblem[] {
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
function nextName(name: string): string {
  const [, base = name, number = '1'] = numbered.exec(name) ?? []
  const tail = ` (${Number(number) + 1})`
  // A cut may leave half of a character that takes two places.
  const room = base.slice(0, MAX_CAMPAIGN_NAME - tail.length).replace(/[\uD800-\uDBFF]$/, '')
  return `${room.trimEnd()}${tail}`
}
