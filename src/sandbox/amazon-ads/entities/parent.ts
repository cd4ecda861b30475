import type { EntityId, EntityState } from '../../core/model/store.ts'
import { itemError } from './item-error.ts'

/** What an item is to hang on, if it may: `found` when it is the right one. Throws when it is not, or archived. */
export const usableParent = <P extends { state: EntityState }>(
  field: 'campaignId' | 'adGroupId',
  id: EntityId,
  found: P | undefined | false,
): P => {
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
