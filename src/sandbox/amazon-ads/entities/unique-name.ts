import type { EntityState } from '../../core/model/store.ts'
import { itemError } from './item-error.ts'
import { checkName } from './read-fields.ts'

/** A name that is well formed and that none of these bears yet; the archived leave theirs free, letter case is equal. */
export const uniqueNameAmong = (
  name: string,
  mostCharacters: number,
  others: Iterable<{ name: string; state: EntityState }>,
): string => {
  checkName(name, mostCharacters)
  const wanted = name.toLowerCase()
  for (const other of others)
    if (other.state !== 'ARCHIVED' && other.name.toLowerCase() === wanted)
      throw itemError('duplicateValueError', 'NAME_NOT_UNIQUE', {
        message: 'The name is taken',
        field: 'name',
        trigger: name,
      })
  return name
}
