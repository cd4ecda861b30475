import { randomBytes, randomInt } from 'node:crypto'

/**
 * An id like the marketplace's: 17 digits and odd, so that no double holds it exactly. Random, so that
 * worlds that were reset never give one twice.
 */
export const newEntityId = (): string =>
  `${randomInt(200_000_000, 1_000_000_000)}${String(randomInt(0, 50_000_000) * 2 + 1).padStart(8, '0')}`

const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Upper-case letters and digits, as in `x-amz-rid`. */
export const newRequestId = (): string => [...randomBytes(20)].map(byte => letters[byte % letters.length]).join('')
