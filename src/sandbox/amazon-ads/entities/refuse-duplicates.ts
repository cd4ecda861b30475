import type { EntityState } from '../../core/model/store.ts'
import { itemError } from './item-error.ts'

interface Word {
  matchType: string
  keywordText: string
}

/** Throws where one of the siblings that is not archived has the same words, in whatever case, and match type. */
export const refuseSameKeyword = (
  siblings: Iterable<Word & { state: EntityState }>,
  { matchType, keywordText }: Word,
  message: string,
): void => {
  const text = keywordText.toLowerCase()
  for (const other of siblings)
    if (other.state !== 'ARCHIVED' && other.matchType === matchType && other.keywordText.toLowerCase() === text)
      throw itemError('duplicateValueError', 'DUPLICATE_VALUE', { message, field: 'keywordText', trigger: keywordText })
}

/** Throws where one of an ad group's ads that is not archived shows the same product. */
export const refuseSameProduct = (
  siblings: Iterable<{ sku: string | null; state: EntityState }>,
  sku: string,
): void => {
  for (const other of siblings)
    if (other.sku === sku && other.state !== 'ARCHIVED')
      throw itemError('duplicateValueError', 'DUPLICATE_VALUE', {
        message: 'The product is advertised in this ad group already',
        field: 'sku',
        trigger: sku,
      })
}
