import { createHash, createHmac, randomBytes } from 'node:crypto'

/** A token of 256 random bits, in letters that fit into a link. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** What the database keeps of a token. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/**
 * The token that follows another, 256 bits too. It cannot be foretold without the key, yet whoever brings the first again
 * (a lost reply) can be given the same one without our having kept it.
 */
export const successorOf = (secret: string, key: Uint8Array): string =>
  createHmac('sha256', key).update('refresh-token\0').update(secret).digest('base64url')
