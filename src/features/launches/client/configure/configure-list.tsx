import { NegativeKeywords } from '../negatives/negative-keywords.tsx'
import { ConfigureCategories } from './configure-categories.tsx'
import { ConfigureKeywords } from './configure-keywords.tsx'
import type { ConfigureListProps, ConfigureProps } from './configure-props.ts'
import { ConfigureTargets } from './configure-targets.tsx'

export type ListKind = 'KEYWORDS' | 'CATEGORIES' | 'PRODUCT_TARGETS' | 'NEGATIVES'

/** What a product, or the whole campaign, is advertised on, or kept out of: one kind of list. */
export function ConfigureList({ kind, ...props }: ConfigureListProps & { kind: ListKind }) {
  if (kind === 'KEYWORDS') return <ConfigureKeywords {...props} />
  if (kind === 'CATEGORIES') return <ConfigureCategories {...props} />
  return kind === 'PRODUCT_TARGETS' ? <ConfigureTargets {...props} /> : <Negatives {...props} />
}

const Negatives = ({ state, dispatch }: ConfigureProps) => <NegativeKeywords state={state} dispatch={dispatch} />
