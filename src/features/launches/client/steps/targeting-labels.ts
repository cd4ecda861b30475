import { configurationOf } from '../../problems.ts'
import type { WizardState } from '../../draft/wizard-state.ts'

/** The number of configured items of a product or the campaign: "3 keywords". */
export function countLabel(state: WizardState, key: string): string {
  const what = configurationOf(state)
  const count = {
    KEYWORDS: state.keywords[key]?.length ?? 0,
    CATEGORIES: state.categories[key]?.length ?? 0,
    PRODUCT_TARGETS: state.productTargets[key]?.length ?? 0,
  }
  if (!what) return ''
  const words = {
    KEYWORDS: ['keyword', 'keywords'],
    CATEGORIES: ['category', 'categories'],
    PRODUCT_TARGETS: ['product target', 'product targets'],
  }[what]
  return `${count[what]} ${count[what] === 1 ? words[0] : words[1]}`
}

/** The label of the button that opens a list. */
export function configureLabel(state: WizardState): string {
  const what = configurationOf(state)
  return what === 'KEYWORDS'
    ? 'Configure keywords'
    : what === 'CATEGORIES'
      ? 'Configure categories'
      : 'Configure product targets'
}
