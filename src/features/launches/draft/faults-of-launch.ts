import { configurationOf } from '../problems.ts'
import { type FieldProblem, problemAt } from './rules.ts'
import { isPayloadRejection } from '#shared/marketplace-rejections.ts'
import { type Launch, normalTerm } from '../contract.ts'
import type { WizardState } from './wizard-state.ts'

type FailedItem = Launch['steps'][number]['errors'][number]

/**
 * What a launch failed for and can be mended in a wizard, at the field where it is, one fault a field, in the order of the
 * steps. What the marketplace or we were at fault for has no field, nor has what the user did not enter.
 */
export const faultsOfLaunch = ({ steps }: Pick<Launch, 'steps'>, state: WizardState): FieldProblem[] => {
  const told = steps.flatMap(step =>
    step.errors.flatMap(error => {
      const field = isPayloadRejection(error.reason) ? fieldOf(step.name, error, state) : null
      return field === null ? [] : [{ field, error }]
    }),
  )
  return [...Map.groupBy(told, one => one.field)]
    .map(([field, all]) => problemAt(field, wordsOf(all.map(one => one.error))))
    .sort((a, b) => a.step - b.step)
}

const fieldOf = (step: Launch['steps'][number]['name'], { item, reason }: FailedItem, state: WizardState) => {
  if (reason.includes('BUDGET')) return 'budget'
  if (reason === 'NAME_NOT_UNIQUE') return 'campaignName'
  const what = configurationOf(state)
  switch (step) {
    case 'CAMPAIGNS':
    case 'AD_GROUPS':
      return reason === 'FORBIDDEN_CHARS' || reason === 'DUPLICATE_VALUE' ? 'campaignName' : null
    case 'PRODUCT_ADS':
      return 'products'
    case 'KEYWORDS':
      return what === 'KEYWORDS' && isOwnKeyword(item, state) ? 'keywords' : null
    case 'PRODUCT_TARGETS':
      return what === 'CATEGORIES' ? 'categories' : what === 'PRODUCT_TARGETS' ? 'productTargets' : null
    case 'NEGATIVE_KEYWORDS':
      return isOwnNegative(item, state) ? 'negativeKeywords' : null
    default:
      return null
  }
}

// The log names a keyword with its match type behind, and a negative with the ad group that it is kept out of.
const isOwnKeyword = (item: string, { keywords }: WizardState): boolean => {
  const text = normalTerm(item.replace(/ \((broad|phrase|exact)\)$/, ''))
  return Object.values(keywords).some(list => list.some(k => normalTerm(k.keyword) === text))
}
const isOwnNegative = (item: string, { negativeKeywords }: WizardState): boolean => {
  const text = normalTerm(item)
  return negativeKeywords.some(({ keyword }) =>
    [`${normalTerm(keyword)} kept out of`, `“${normalTerm(keyword)}” as a phrase`].some(own => text.startsWith(own)),
  )
}

const wordsOf = ([first, ...rest]: readonly FailedItem[]): string => {
  const said = first ? `${first.item}: ${first.message}` : ''
  return rest.length ? `${said} ${rest.length} more failed likewise.` : said
}
